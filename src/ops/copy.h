// Copies between memory that need not be contiguous.
#pragma once

#include "array/primitive.h"

namespace assay {

// Writes `source` (broadcast to the target's shape, same dtype) into memory that `target` already
// has, wherever its strides say.
void encode_copy(const array& source, const array& target, Encoder& encoder);

// Makes `output` a copy of `source`, in the source's memory if nobody else needs it.
void encode_take_over(const array& source, array& output, std::span<const array> inputs,
                      Encoder& encoder);

// A node that shows part of another's memory while an operation is encoded.
array make_alias(const array& of, Shape shape, Strides strides, int64_t offset);

}  // namespace assay
