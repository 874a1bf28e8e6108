// Ops that only look at memory in another way.
#pragma once

#include "array/primitive.h"

namespace assay {

// What the parameters of a ViewOp are.
enum class ViewKind : uint8_t {
  kTranspose,  // axes
  kBroadcast,  // the new shape
  kSlice,      // start, stop and step of every axis
  kSqueeze,    // axes, sorted
  kExpand,     // axes of the result, sorted
};

class ViewOp final : public Primitive {
 public:
  ViewOp(ViewKind kind, std::vector<int64_t> parameters)
      : kind_(kind), parameters_(std::move(parameters)) {}

  std::string_view name() const override;
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

 private:
  const ViewKind kind_;
  const std::vector<int64_t> parameters_;
};

array make_view(const array& a, ViewKind kind, std::vector<int64_t> parameters,
                const StreamOrDevice& where);

// Elements that a slice takes of an axis.
int64_t slice_length(int64_t start, int64_t stop, int64_t step);

}  // namespace assay
