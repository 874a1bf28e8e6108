// Reductions over any axes: sum, product, extremes and truth.
#pragma once

#include <memory>
#include <vector>

#include "array/primitive.h"
#include "ops/reduce_layout.h"

namespace assay {

enum class ReduceOp : uint8_t { kSum, kProduct, kMin, kMax, kAll, kAny };

class Reduce final : public Primitive {
 public:
  Reduce(ReduceOp op, std::vector<int> axes, bool keepdims)
      : op_(op), axes_(std::move(axes)), keepdims_(keepdims) {}

  std::string_view name() const override;
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

 private:
  const ReduceOp op_;
  const std::vector<int> axes_;  // sorted
  const bool keepdims_;
};

// As MLX has it: sums and products of integers have at least 32 bits.
Dtype reduce_type(ReduceOp op, Dtype dtype);
array reduce(ReduceOp op, const array& a, const std::vector<int>& axes, bool keepdims,
             const StreamOrDevice& where);

}  // namespace assay
