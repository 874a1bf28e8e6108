// Reductions over any axes: sum, product, extremes and truth.
#pragma once

#include <memory>
#include <vector>

#include "array/primitive.h"
#include "ops/fold.h"
#include "ops/reduce_layout.h"

namespace assay {

class Reduce final : public Primitive {
 public:
  Reduce(FoldOp op, std::vector<int> axes, bool keepdims)
      : op_(op), axes_(std::move(axes)), keepdims_(keepdims) {}

  std::string_view name() const override;
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

 private:
  const FoldOp op_;
  const std::vector<int> axes_;  // sorted
  const bool keepdims_;
};

// As MLX has it: sums and products of integers have at least 32 bits.
Dtype reduce_type(FoldOp op, Dtype dtype);
array reduce(FoldOp op, const array& a, const std::vector<int>& axes, bool keepdims,
             const StreamOrDevice& where);

}  // namespace assay
