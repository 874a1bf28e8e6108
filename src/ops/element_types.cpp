// See element_types.h.
#include "ops/element_types.h"

namespace assay {

std::string_view msl_type(Dtype dtype) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return "bool";
    case Dtype::Val::uint8: return "uchar";
    case Dtype::Val::uint16: return "ushort";
    case Dtype::Val::uint32: return "uint";
    case Dtype::Val::uint64: return "ulong";
    case Dtype::Val::int8: return "char";
    case Dtype::Val::int16: return "short";
    case Dtype::Val::int32: return "int";
    case Dtype::Val::int64: return "long";
    case Dtype::Val::float16: return "half";
    case Dtype::Val::float32: return "float";
    case Dtype::Val::float64: return "double";
    case Dtype::Val::bfloat16: return "bfloat";
    case Dtype::Val::complex64: return "complex64_t";
  }
  return "void";
}

std::string_view bits_type(Dtype dtype) {
  switch (dtype.size()) {
    case 1: return "uchar";
    case 2: return "ushort";
    case 4: return "uint";
    default: return "ulong";
  }
}

std::string_view short_name(Dtype dtype) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return "bool";
    case Dtype::Val::uint8: return "u8";
    case Dtype::Val::uint16: return "u16";
    case Dtype::Val::uint32: return "u32";
    case Dtype::Val::uint64: return "u64";
    case Dtype::Val::int8: return "i8";
    case Dtype::Val::int16: return "i16";
    case Dtype::Val::int32: return "i32";
    case Dtype::Val::int64: return "i64";
    case Dtype::Val::float16: return "f16";
    case Dtype::Val::float32: return "f32";
    case Dtype::Val::float64: return "f64";
    case Dtype::Val::bfloat16: return "bf16";
    case Dtype::Val::complex64: return "c64";
  }
  return "void";
}

Dtype compute_type(Dtype dtype) { return dtype == float16 || dtype == bfloat16 ? float32 : dtype; }

Dtype at_least_float(Dtype dtype) { return issubdtype(dtype, inexact) ? dtype : float32; }
bool is_complex(Dtype dtype) { return dtype == complex64; }
bool is_floating_point(Dtype dtype) { return issubdtype(dtype, floating); }

}  // namespace assay
