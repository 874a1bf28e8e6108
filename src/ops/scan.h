// Running results along one axis: cumsum and its relatives.
#pragma once

#include "array/primitive.h"
#include "ops/fold.h"

namespace assay {

class Scan final : public Primitive {
 public:
  struct Options {
    FoldOp op;
    int axis;
    bool reverse;
    bool inclusive;
    bool operator==(const Options&) const = default;
  };
  explicit Scan(const Options& options) : options_(options) {}

  std::string_view name() const override;
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

 private:
  const Options options_;
};

}  // namespace assay
