// Element types of arrays, their categories and how they promote.
#pragma once

#include <complex>
#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <type_traits>

#include "assay/export.h"
#include "assay/half_types.h"

namespace assay {

// std::complex<float> with the text of arrays: 1+2j.
struct complex64_t : std::complex<float> {
  using std::complex<float>::complex;
  complex64_t() = default;
  constexpr complex64_t(const std::complex<float>& value) : std::complex<float>(value) {}
};
ASSAY_API std::ostream& operator<<(std::ostream& out, const complex64_t& value);
template <typename T>
inline constexpr bool is_complex_v = std::is_base_of_v<std::complex<float>, T>;

// A value type; compare with == or switch over val().
struct Dtype {
  enum class Val : uint8_t {
    bool_,
    uint8,
    uint16,
    uint32,
    uint64,
    int8,
    int16,
    int32,
    int64,
    float16,
    float32,
    float64,
    bfloat16,
    complex64,
  };
  enum class Kind : uint8_t { b, u, i, f, c, V };
  // A tree: generic > number > {integer > {signed, unsigned}, inexact > {floating, complex}}.
  enum class Category : uint8_t {
    complexfloating,
    floating,
    inexact,
    signedinteger,
    unsignedinteger,
    integer,
    number,
    generic
  };

  constexpr Dtype(Val val, uint8_t size) : val_(val), size_(size) {}
  constexpr operator Val() const { return val_; }
  constexpr Val val() const { return val_; }
  // Bytes of one element.
  constexpr uint8_t size() const { return size_; }

 private:
  Val val_;
  uint8_t size_;
};

inline constexpr Dtype bool_{Dtype::Val::bool_, 1};
inline constexpr Dtype uint8{Dtype::Val::uint8, 1};
inline constexpr Dtype uint16{Dtype::Val::uint16, 2};
inline constexpr Dtype uint32{Dtype::Val::uint32, 4};
inline constexpr Dtype uint64{Dtype::Val::uint64, 8};
inline constexpr Dtype int8{Dtype::Val::int8, 1};
inline constexpr Dtype int16{Dtype::Val::int16, 2};
inline constexpr Dtype int32{Dtype::Val::int32, 4};
inline constexpr Dtype int64{Dtype::Val::int64, 8};
inline constexpr Dtype float16{Dtype::Val::float16, 2};
inline constexpr Dtype float32{Dtype::Val::float32, 4};
inline constexpr Dtype float64{Dtype::Val::float64, 8};
inline constexpr Dtype bfloat16{Dtype::Val::bfloat16, 2};
inline constexpr Dtype complex64{Dtype::Val::complex64, 8};

inline constexpr auto complexfloating = Dtype::Category::complexfloating;
inline constexpr auto floating = Dtype::Category::floating;
inline constexpr auto inexact = Dtype::Category::inexact;
inline constexpr auto signedinteger = Dtype::Category::signedinteger;
inline constexpr auto unsignedinteger = Dtype::Category::unsignedinteger;
inline constexpr auto integer = Dtype::Category::integer;
inline constexpr auto number = Dtype::Category::number;
inline constexpr auto generic = Dtype::Category::generic;

// True if `a` is `b` or lies below it in the tree of categories.
ASSAY_API bool issubdtype(const Dtype& a, const Dtype& b);
ASSAY_API bool issubdtype(const Dtype::Category& a, const Dtype& b);
ASSAY_API bool issubdtype(const Dtype& a, const Dtype::Category& b);
ASSAY_API bool issubdtype(const Dtype::Category& a, const Dtype::Category& b);

// The smallest type that holds both, as MLX defines it: half and bfloat make float, integers never
// widen a floating type.
ASSAY_API Dtype promote_types(const Dtype& a, const Dtype& b);
ASSAY_API Dtype::Kind kindof(const Dtype& dtype);
// "float32"; the names that Python and messages use.
ASSAY_API std::string_view dtype_name(const Dtype& dtype);
inline uint8_t size_of(const Dtype& dtype) { return dtype.size(); }

// The dtype of a C++ type, as an object that converts to Dtype.
template <typename T>
struct TypeToDtype {
  constexpr operator Dtype() const {
    if constexpr (std::is_same_v<T, bool>)
      return bool_;
    else if constexpr (std::is_same_v<T, float>)
      return float32;
    else if constexpr (std::is_same_v<T, double>)
      return float32;
    else if constexpr (std::is_same_v<T, float16_t>)
      return float16;
    else if constexpr (std::is_same_v<T, bfloat16_t>)
      return bfloat16;
    else if constexpr (is_complex_v<T>)
      return complex64;
    else if constexpr (std::is_integral_v<T>) {
      constexpr bool is_signed = std::is_signed_v<T>;
      if constexpr (sizeof(T) == 1)
        return is_signed ? int8 : uint8;
      else if constexpr (sizeof(T) == 2)
        return is_signed ? int16 : uint16;
      else if constexpr (sizeof(T) == 4)
        return is_signed ? int32 : uint32;
      else
        return is_signed ? int64 : uint64;
    } else {
      static_assert(sizeof(T) == 0, "arrays have no elements of this type");
    }
  }
};

// Calls `visitor` with a value-initialised object of the C++ type behind `dtype`.
template <typename Visitor>
decltype(auto) visit_dtype(const Dtype& dtype, Visitor&& visitor) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return visitor(bool{});
    case Dtype::Val::uint8: return visitor(uint8_t{});
    case Dtype::Val::uint16: return visitor(uint16_t{});
    case Dtype::Val::uint32: return visitor(uint32_t{});
    case Dtype::Val::uint64: return visitor(uint64_t{});
    case Dtype::Val::int8: return visitor(int8_t{});
    case Dtype::Val::int16: return visitor(int16_t{});
    case Dtype::Val::int32: return visitor(int32_t{});
    case Dtype::Val::int64: return visitor(int64_t{});
    case Dtype::Val::float16: return visitor(float16_t{});
    case Dtype::Val::float32: return visitor(float{});
    case Dtype::Val::float64: return visitor(double{});
    case Dtype::Val::bfloat16: return visitor(bfloat16_t{});
    case Dtype::Val::complex64: return visitor(complex64_t{});
  }
  __builtin_unreachable();
}

// Limits of floating-point and integer types.
struct ASSAY_API finfo {
  explicit finfo(Dtype dtype);
  Dtype dtype;
  int bits;
  double min;
  double max;
  double eps;
  double smallest_normal;
};
struct ASSAY_API iinfo {
  explicit iinfo(Dtype dtype);
  Dtype dtype;
  int bits;
  int64_t min;
  uint64_t max;
};

}  // namespace assay
