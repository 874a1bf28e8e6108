// The primitives behind indexing with arrays.
#pragma once

#include "array/primitive.h"

namespace assay {

// In a type that the kernels take; throws for what cannot be indices.
array as_indices(const array& a, std::string_view op, const StreamOrDevice& s);

// Inputs: the array, then one index array per axis, all of one shape and type. Negative indices
// count from the end; others outside the axis give undefined values but never leave the array.
class Gather final : public Primitive {
 public:
  Gather(std::vector<int> axes, Shape slice_sizes)
      : axes_(std::move(axes)), slice_sizes_(std::move(slice_sizes)) {}
  std::string_view name() const override { return "gather"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

 private:
  const std::vector<int> axes_;
  const Shape slice_sizes_;
};

enum class ScatterKind : uint8_t { kSet, kAdd, kMultiply, kMaximum, kMinimum };

// Inputs: the array, the updates, then index arrays as for Gather.
class Scatter final : public Primitive {
 public:
  Scatter(std::vector<int> axes, ScatterKind kind) : axes_(std::move(axes)), kind_(kind) {}
  std::string_view name() const override { return "scatter"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  bool is_same(const Primitive& other) const override;

 private:
  const std::vector<int> axes_;
  const ScatterKind kind_;
};

}  // namespace assay
