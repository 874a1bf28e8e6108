// The dense matrix product, by a BLAS library on the host.
#pragma once

#include "array/primitive.h"

namespace assay {

// Inputs (…, m, k) and (…, k, n) of float32, float64 or complex64 with equal leading axes.
class Matmul final : public Primitive {
 public:
  std::string_view name() const override { return "matmul"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;
};

}  // namespace assay
