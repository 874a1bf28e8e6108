// Scalar types of MSL under all their names. Vector types are in metal_vector.h.
#pragma once

#include "metal_config.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __bf16 bfloat;

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;

namespace metal {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::bfloat;
using ::uchar;
using ::uint;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using ::ulong;
using ::ushort;

typedef decltype(nullptr) nullptr_t;

// The number of components is the bound of an array: that way a template can deduce it into a
// parameter of any integer type, as for Metal's built-in vectors.
struct __components {};
namespace __vectors {
template <typename T, typename Components>
struct vec;
}
template <typename T, int N>
using vec = __vectors::vec<T, __components[N]>;

// Elements of less than a byte, the first one in the lowest bits. They exist in tensors only.
template <int Bits, bool Signed>
struct __packed_format {};
typedef __packed_format<4, true> int4b_format;
typedef __packed_format<4, false> uint4b_format;
typedef __packed_format<2, true> int2b_format;
typedef __packed_format<2, false> uint2b_format;
#define __HAVE_INT4B_FORMAT_TYPE__ 1

template <typename T, int N>
struct packed_vec;
template <typename T, int Columns, int Rows>
struct matrix;
template <typename T>
struct uniform;

namespace __assay {

template <typename T>
using vec2 = vec<T, 2>;
template <typename T>
using vec3 = vec<T, 3>;
template <typename T>
using vec4 = vec<T, 4>;

}  // namespace __assay

}  // namespace metal
