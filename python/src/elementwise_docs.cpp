// See elementwise_docs.h.
#include "elementwise_docs.h"

#include <string_view>
#include <utility>

namespace assay::python {
namespace {

constexpr std::pair<std::string_view, const char*> kDocs[] = {
    {"abs", "Absolute values; the magnitude of complex numbers."},
    {"negative", "Elements with the opposite sign."},
    {"sign", "-1, 0 or 1 by the sign of the element."},
    {"square", "Elements times themselves."},
    {"sqrt", "Square roots."},
    {"rsqrt", "One over the square root."},
    {"exp", "e to the power of the element."},
    {"expm1", "exp(a) - 1, exact for small elements."},
    {"log", "Natural logarithms."},
    {"log2", "Logarithms to base 2."},
    {"log10", "Logarithms to base 10."},
    {"log1p", "log(1 + a), exact for small elements."},
    {"sin", "Sines of angles in radians."},
    {"cos", "Cosines of angles in radians."},
    {"tan", "Tangents of angles in radians."},
    {"sinh", "Hyperbolic sines."},
    {"cosh", "Hyperbolic cosines."},
    {"tanh", "Hyperbolic tangents."},
    {"arcsin", "Inverse sines."},
    {"arccos", "Inverse cosines."},
    {"arctan", "Inverse tangents."},
    {"arcsinh", "Inverse hyperbolic sines."},
    {"arccosh", "Inverse hyperbolic cosines."},
    {"arctanh", "Inverse hyperbolic tangents."},
    {"sigmoid", "1 / (1 + exp(-a))."},
    {"erf", "The error function."},
    {"erfinv", "The inverse of the error function."},
    {"floor", "The largest integers not above the elements."},
    {"ceil", "The smallest integers not below the elements."},
    {"trunc", "Elements without their fraction."},
    {"isnan", "Where elements are not a number."},
    {"isinf", "Where elements are infinite."},
    {"isfinite", "Where elements are neither infinite nor NaN."},
    {"isposinf", "Where elements are positive infinity."},
    {"isneginf", "Where elements are negative infinity."},
    {"logical_not", "Where elements are zero."},
    {"bitwise_invert", "Elements with all bits inverted."},
    {"real", "Real parts."},
    {"imag", "Imaginary parts."},
    {"conjugate", "Complex conjugates."},
    {"positive", "The elements as they are."},
    {"reciprocal", "One over the element."},
    {"degrees", "Angles in degrees from radians."},
    {"radians", "Angles in radians from degrees."},
    {"stop_gradient", "The elements, as a constant for gradients."},
    {"add", "Sums of elements, with broadcasting."},
    {"subtract", "Differences of elements, with broadcasting."},
    {"multiply", "Products of elements, with broadcasting."},
    {"divide", "Quotients of elements, at least float32."},
    {"floor_divide", "Quotients rounded down."},
    {"remainder", "Remainders with the sign of the divisor."},
    {"power", "Elements of a to the power of those of b."},
    {"maximum", "The larger elements; NaN wins."},
    {"minimum", "The smaller elements; NaN wins."},
    {"logaddexp", "log(exp(a) + exp(b)) without overflow."},
    {"arctan2", "Angles of the points (b, a), with the right quadrant."},
    {"equal", "Where a == b."},
    {"not_equal", "Where a != b."},
    {"less", "Where a < b."},
    {"less_equal", "Where a <= b."},
    {"greater", "Where a > b."},
    {"greater_equal", "Where a >= b."},
    {"logical_and", "Where both elements are not zero."},
    {"logical_or", "Where an element is not zero."},
    {"logical_xor", "Where exactly one element is not zero."},
    {"bitwise_and", "Bits set in both elements."},
    {"bitwise_or", "Bits set in either element."},
    {"bitwise_xor", "Bits set in exactly one element."},
    {"left_shift", "Bits of a moved left by b."},
    {"right_shift", "Bits of a moved right by b."},
};

}  // namespace

const char* find_doc(const char* name) {
  for (const auto& [key, doc] : kDocs) {
    if (key == name) return doc;
  }
  return "";
}

}  // namespace assay::python
