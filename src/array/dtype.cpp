// Categories, promotion and limits of element types.
#include "assay/dtype.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace assay {
namespace {

using Category = Dtype::Category;

Category category_of(const Dtype& dtype) {
  switch (kindof(dtype)) {
    case Dtype::Kind::b: return Category::generic;
    case Dtype::Kind::u: return Category::unsignedinteger;
    case Dtype::Kind::i: return Category::signedinteger;
    case Dtype::Kind::c: return Category::complexfloating;
    case Dtype::Kind::f:
    case Dtype::Kind::V: return Category::floating;
  }
  return Category::generic;
}

Category parent_of(Category category) {
  switch (category) {
    case Category::complexfloating:
    case Category::floating: return Category::inexact;
    case Category::signedinteger:
    case Category::unsignedinteger: return Category::integer;
    case Category::inexact:
    case Category::integer: return Category::number;
    case Category::number:
    case Category::generic: return Category::generic;
  }
  return Category::generic;
}

bool is_floating(const Dtype& dtype) { return issubdtype(dtype, floating); }

Dtype signed_of_size(int bytes) {
  switch (bytes) {
    case 1: return int8;
    case 2: return int16;
    case 4: return int32;
    case 8: return int64;
    default: return float32;  // no integer holds uint64 and negative numbers
  }
}

Dtype promote_integers(const Dtype& a, const Dtype& b) {
  if (a == bool_) return b;
  if (b == bool_) return a;
  if (kindof(a) == kindof(b)) return a.size() >= b.size() ? a : b;
  const Dtype& with_sign = kindof(a) == Dtype::Kind::i ? a : b;
  const Dtype& without = kindof(a) == Dtype::Kind::i ? b : a;
  if (with_sign.size() > without.size()) return with_sign;
  return signed_of_size(2 * without.size());
}

struct FloatLimits {
  int bits;
  double max, eps, smallest_normal;
};

FloatLimits float_limits(const Dtype& dtype) {
  switch (dtype.val()) {
    case Dtype::Val::float16: return {16, 65504.0, 0x1p-10, 0x1p-14};
    case Dtype::Val::bfloat16: return {16, 0x1.fep127, 0x1p-7, 0x1p-126};
    case Dtype::Val::float64: return {64, std::numeric_limits<double>::max(), 0x1p-52, 0x1p-1022};
    case Dtype::Val::complex64:
    case Dtype::Val::float32: return {32, std::numeric_limits<float>::max(), 0x1p-23, 0x1p-126};
    default:
      throw std::invalid_argument("[finfo] " + std::string(dtype_name(dtype)) +
                                  " is not a floating-point dtype; use iinfo for integers.");
  }
}

}  // namespace

Dtype::Kind kindof(const Dtype& dtype) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return Dtype::Kind::b;
    case Dtype::Val::uint8:
    case Dtype::Val::uint16:
    case Dtype::Val::uint32:
    case Dtype::Val::uint64: return Dtype::Kind::u;
    case Dtype::Val::int8:
    case Dtype::Val::int16:
    case Dtype::Val::int32:
    case Dtype::Val::int64: return Dtype::Kind::i;
    case Dtype::Val::float16:
    case Dtype::Val::float32:
    case Dtype::Val::float64: return Dtype::Kind::f;
    case Dtype::Val::bfloat16: return Dtype::Kind::V;
    case Dtype::Val::complex64: return Dtype::Kind::c;
  }
  return Dtype::Kind::b;
}

std::string_view dtype_name(const Dtype& dtype) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return "bool";
    case Dtype::Val::uint8: return "uint8";
    case Dtype::Val::uint16: return "uint16";
    case Dtype::Val::uint32: return "uint32";
    case Dtype::Val::uint64: return "uint64";
    case Dtype::Val::int8: return "int8";
    case Dtype::Val::int16: return "int16";
    case Dtype::Val::int32: return "int32";
    case Dtype::Val::int64: return "int64";
    case Dtype::Val::float16: return "float16";
    case Dtype::Val::float32: return "float32";
    case Dtype::Val::float64: return "float64";
    case Dtype::Val::bfloat16: return "bfloat16";
    case Dtype::Val::complex64: return "complex64";
  }
  return "unknown";
}

bool issubdtype(const Category& a, const Category& b) {
  for (Category category = a;; category = parent_of(category)) {
    if (category == b) return true;
    if (category == Category::generic) return false;
  }
}
bool issubdtype(const Dtype& a, const Category& b) { return issubdtype(category_of(a), b); }
bool issubdtype(const Category&, const Dtype&) { return false; }
bool issubdtype(const Dtype& a, const Dtype& b) { return a == b; }

Dtype promote_types(const Dtype& a, const Dtype& b) {
  if (a == b) return a;
  if (a == complex64 || b == complex64) return complex64;
  const bool is_float_a = is_floating(a), is_float_b = is_floating(b);
  if (!is_float_a && !is_float_b) return promote_integers(a, b);
  if (!is_float_a) return b;
  if (!is_float_b) return a;
  if (a.size() == b.size()) return float32;  // float16 and bfloat16
  return a.size() > b.size() ? a : b;
}

finfo::finfo(Dtype dtype) : dtype(dtype == complex64 ? float32 : dtype) {
  const FloatLimits limits = float_limits(dtype);
  bits = limits.bits;
  max = limits.max;
  min = -limits.max;
  eps = limits.eps;
  smallest_normal = limits.smallest_normal;
}

iinfo::iinfo(Dtype dtype) : dtype(dtype), bits(8 * dtype.size()), min(0), max(0) {
  if (!issubdtype(dtype, integer)) {
    throw std::invalid_argument("[iinfo] " + std::string(dtype_name(dtype)) +
                                " is not an integer dtype; use finfo for floating point.");
  }
  const bool is_signed = issubdtype(dtype, signedinteger);
  max = ~uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
  if (is_signed) min = -static_cast<int64_t>(max) - 1;
}

}  // namespace assay
