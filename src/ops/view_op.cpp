// See view_op.h.
#include "ops/view_op.h"

#include <algorithm>

#include "ops/elementwise.h"

namespace assay {
namespace {

bool contains(const std::vector<int64_t>& axes, size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<int64_t>(axis)) != axes.end();
}

Shape view_shape(ViewKind kind, const std::vector<int64_t>& parameters, const Shape& shape) {
  Shape result;
  switch (kind) {
    case ViewKind::kTranspose:
      for (const int64_t axis : parameters) result.push_back(shape[static_cast<size_t>(axis)]);
      break;
    case ViewKind::kBroadcast: result.assign(parameters.begin(), parameters.end()); break;
    case ViewKind::kSlice:
      for (size_t i = 0; i < shape.size(); ++i) {
        const int64_t* part = &parameters[3 * i];
        result.push_back(static_cast<ShapeElem>(slice_length(part[0], part[1], part[2])));
      }
      break;
    case ViewKind::kSqueeze:
      for (size_t i = 0; i < shape.size(); ++i) {
        if (!contains(parameters, i)) result.push_back(shape[i]);
      }
      break;
    case ViewKind::kExpand:
      for (size_t i = 0, next = 0; i < shape.size() + parameters.size(); ++i) {
        result.push_back(contains(parameters, i) ? 1 : shape[next++]);
      }
      break;
  }
  return result;
}

}  // namespace

int64_t slice_length(int64_t start, int64_t stop, int64_t step) {
  const int64_t span = step > 0 ? stop - start : start - stop;
  const int64_t size = step > 0 ? step : -step;
  return span <= 0 ? 0 : (span + size - 1) / size;
}

std::string_view ViewOp::name() const {
  switch (kind_) {
    case ViewKind::kTranspose: return "transpose";
    case ViewKind::kBroadcast: return "broadcast_to";
    case ViewKind::kSlice: return "slice";
    case ViewKind::kSqueeze: return "squeeze";
    case ViewKind::kExpand: return "expand_dims";
  }
  return "view";
}

std::optional<std::vector<Shape>> ViewOp::infer_shapes(std::span<const array> inputs) const {
  if (kind_ == ViewKind::kSlice) return {};  // was made for one shape
  if (kind_ == ViewKind::kBroadcast) {
    Shape shape(parameters_.begin(), parameters_.end());
    if (broadcast_shapes(inputs[0].shape(), shape) != shape) return {};
    return std::vector<Shape>{std::move(shape)};
  }
  if (kind_ == ViewKind::kSqueeze) {
    for (const int64_t axis : parameters_) {
      if (inputs[0].shape(static_cast<int>(axis)) != 1) return {};
    }
  }
  return std::vector<Shape>{view_shape(kind_, parameters_, inputs[0].shape())};
}

bool ViewOp::is_same(const Primitive& other) const {
  const auto* view = dynamic_cast<const ViewOp*>(&other);
  return view && view->kind_ == kind_ && view->parameters_ == parameters_;
}

void ViewOp::encode(std::span<const array> inputs, std::span<array> outputs,
                    Encoder& encoder) const {
  const Node& from = inputs[0].node();
  const size_t rank = outputs[0].ndim();
  Strides strides(rank, 0);
  int64_t offset = 0;
  switch (kind_) {
    case ViewKind::kTranspose:
      for (size_t i = 0; i < rank; ++i) {
        strides[i] = from.strides[static_cast<size_t>(parameters_[i])];
      }
      break;
    case ViewKind::kBroadcast:
      for (size_t i = rank - from.shape.size(); i < rank; ++i) {
        const size_t axis = i - (rank - from.shape.size());
        strides[i] = from.shape[axis] == 1 ? 0 : from.strides[axis];
      }
      break;
    case ViewKind::kSlice:
      for (size_t i = 0; i < rank; ++i) {
        strides[i] = from.strides[i] * parameters_[3 * i + 2];
        offset += from.strides[i] * parameters_[3 * i];
      }
      break;
    case ViewKind::kSqueeze:
      for (size_t i = 0, next = 0; i < from.shape.size(); ++i) {
        if (!contains(parameters_, i)) strides[next++] = from.strides[i];
      }
      break;
    case ViewKind::kExpand:
      for (size_t i = 0, next = 0; i < rank; ++i) {
        strides[i] = contains(parameters_, i) ? 1 : from.strides[next++];
      }
      break;
  }
  if (outputs[0].size() == 0) offset = 0;
  encoder.share(outputs[0], inputs[0], std::move(strides), offset);
}

array make_view(const array& a, ViewKind kind, std::vector<int64_t> parameters,
                const StreamOrDevice& where) {
  Shape shape = view_shape(kind, parameters, a.shape());
  return make_array(std::move(shape), a.dtype(),
                    std::make_shared<ViewOp>(kind, std::move(parameters)), {a}, where);
}

}  // namespace assay
