// Convolutions of tensors: their names, so that their use is reported as such.
#pragma once

#include <metal_cooperative_tensor>

namespace mpp {
namespace tensor_ops {

struct ASSAY_UNSUPPORTED("convolutions of tensors (convolution2d)") convolution2d_descriptor {};
template <typename... T>
struct ASSAY_UNSUPPORTED("convolutions of tensors (convolution2d)") convolution2d {};

}  // namespace tensor_ops
}  // namespace mpp
