// Reductions over any axes: sum, product, extremes and truth.
#pragma once

#include <memory>
#include <vector>

#include "array/primitive.h"
#include "ops/fold.h"
#include "ops/reduce_layout.h"
#include "ops/reduce_text.h"

namespace assay {

// Inputs: the array, or those of `tapes.before` and the single values of `tapes.after`.
class Reduce final : public Primitive {
 public:
  Reduce(FoldOp op, std::vector<int> axes, bool keepdims)
      : op_(op), axes_(std::move(axes)), keepdims_(keepdims) {}
  // With the element-wise steps around it.
  Reduce(const Reduce& plain, ReduceTapes tapes);

  std::string_view name() const override;
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

  // Empty where nothing is fused.
  const ReduceTapes& tapes() const { return tapes_; }
  // Inputs that make the elements.
  size_t array_count() const { return is_plain() ? 1 : tapes_.before.inputs.size(); }

 private:
  bool is_plain() const { return tapes_.before.inputs.empty(); }

  const FoldOp op_;
  const std::vector<int> axes_;  // sorted
  const bool keepdims_;
  const ReduceTapes tapes_;
  const std::string fused_name_;
};

// As MLX has it: sums and products of integers have at least 32 bits.
Dtype reduce_type(FoldOp op, Dtype dtype);
array reduce(FoldOp op, const array& a, const std::vector<int>& axes, bool keepdims,
             const StreamOrDevice& where);

}  // namespace assay
