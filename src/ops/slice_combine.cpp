// Updates of slices that combine with what is there.
#include "assay/ops.h"

namespace assay {
namespace {

using Combine = array (*)(const array& a, const array& b, StreamOrDevice s);

struct Slice {
  Shape start, stop, strides;
};

// The elements of a slice are all different ones: no two updates meet.
array combine_slice(const array& source, const array& update, Slice at, Combine combine,
                    const StreamOrDevice& s) {
  const array held = slice(source, at.start, at.stop, at.strides, s);
  array value = astype(update, source.dtype(), s);
  // Leading axes of one element are of no importance.
  while (value.ndim() > held.ndim() && value.shape(0) == 1) value = squeeze(value, 0, s);
  value = combine(held, broadcast_to(value, held.shape(), s), s);
  return slice_update(source, value, std::move(at.start), std::move(at.stop), std::move(at.strides),
                      s);
}

Slice make_slice(const array& source, Shape start, Shape stop) {
  return {std::move(start), std::move(stop), Shape(source.ndim(), 1)};
}

}  // namespace

array slice_update_add(const array& source, const array& update, Shape start, Shape stop,
                       Shape strides, StreamOrDevice s) {
  return combine_slice(source, update, {std::move(start), std::move(stop), std::move(strides)}, add,
                       s);
}
array slice_update_add(const array& source, const array& update, Shape start, Shape stop,
                       StreamOrDevice s) {
  return combine_slice(source, update, make_slice(source, std::move(start), std::move(stop)), add,
                       s);
}
array slice_update_prod(const array& source, const array& update, Shape start, Shape stop,
                        Shape strides, StreamOrDevice s) {
  return combine_slice(source, update, {std::move(start), std::move(stop), std::move(strides)},
                       multiply, s);
}
array slice_update_prod(const array& source, const array& update, Shape start, Shape stop,
                        StreamOrDevice s) {
  return combine_slice(source, update, make_slice(source, std::move(start), std::move(stop)),
                       multiply, s);
}
array slice_update_max(const array& source, const array& update, Shape start, Shape stop,
                       Shape strides, StreamOrDevice s) {
  return combine_slice(source, update, {std::move(start), std::move(stop), std::move(strides)},
                       maximum, s);
}
array slice_update_max(const array& source, const array& update, Shape start, Shape stop,
                       StreamOrDevice s) {
  return combine_slice(source, update, make_slice(source, std::move(start), std::move(stop)),
                       maximum, s);
}
array slice_update_min(const array& source, const array& update, Shape start, Shape stop,
                       Shape strides, StreamOrDevice s) {
  return combine_slice(source, update, {std::move(start), std::move(stop), std::move(strides)},
                       minimum, s);
}
array slice_update_min(const array& source, const array& update, Shape start, Shape stop,
                       StreamOrDevice s) {
  return combine_slice(source, update, make_slice(source, std::move(start), std::move(stop)),
                       minimum, s);
}

}  // namespace assay
