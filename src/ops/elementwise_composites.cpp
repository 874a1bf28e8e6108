// Element-wise functions that are a few rows of the table together.
#include <limits>
#include <numbers>

#include "assay/ops.h"
#include "ops/element_types.h"

namespace assay {

array positive(const array& a, StreamOrDevice) { return a; }
array stop_gradient(const array& a, StreamOrDevice) { return a; }

array reciprocal(const array& a, StreamOrDevice s) {
  return divide(array(1.0f, at_least_float(a.dtype())), a, s);
}

array round(const array& a, int decimals, StreamOrDevice s) {
  if (decimals == 0) return rint(a, s);
  const Dtype dtype = at_least_float(a.dtype());
  float scale = 1.0f;
  for (int i = 0; i < std::abs(decimals); ++i) scale *= 10.0f;
  const array factor(decimals > 0 ? scale : 1.0f / scale, dtype);
  const array back(decimals > 0 ? 1.0f / scale : scale, dtype);
  return astype(multiply(rint(multiply(a, factor, s), s), back, s), a.dtype(), s);
}

array degrees(const array& a, StreamOrDevice s) {
  return multiply(a, array(180.0f / std::numbers::pi_v<float>, at_least_float(a.dtype())), s);
}
array radians(const array& a, StreamOrDevice s) {
  return multiply(a, array(std::numbers::pi_v<float> / 180.0f, at_least_float(a.dtype())), s);
}

array clip(const array& a, const std::optional<array>& a_min, const std::optional<array>& a_max,
           StreamOrDevice s) {
  if (!a_min && !a_max) throw std::invalid_argument("At most one of a_min and a_max may be None");
  array result = a;
  if (a_min) result = maximum(result, *a_min, s);
  if (a_max) result = minimum(result, *a_max, s);
  return result;
}

array nan_to_num(const array& a, float nan, std::optional<float> posinf,
                 std::optional<float> neginf, StreamOrDevice s) {
  const Dtype dtype = a.dtype();
  if (!issubdtype(dtype, inexact)) return a;
  const double largest = finfo(dtype == complex64 ? float32 : dtype).max;
  const array high(posinf ? *posinf : static_cast<float>(largest), dtype);
  const array low(neginf ? *neginf : static_cast<float>(-largest), dtype);
  array result = where(isnan(a, s), array(nan, dtype), a, s);
  result = where(isposinf(a, s), high, result, s);
  return where(isneginf(a, s), low, result, s);
}

std::vector<array> divmod(const array& a, const array& b, StreamOrDevice s) {
  return {floor_divide(a, b, s), remainder(a, b, s)};
}

array isclose(const array& a, const array& b, double rtol, double atol, bool equal_nan,
              StreamOrDevice s) {
  const array tolerance = add(array(static_cast<float>(atol)),
                              multiply(array(static_cast<float>(rtol)), abs(b, s), s), s);
  array result = less_equal(abs(subtract(a, b, s), s), tolerance, s);
  // Infinities are close to themselves only; their difference is no number.
  const array any_infinite = logical_or(isinf(a, s), isinf(b, s), s);
  result = where(any_infinite, equal(a, b, s), result, s);
  if (equal_nan) result = logical_or(result, logical_and(isnan(a, s), isnan(b, s), s), s);
  return result;
}

array allclose(const array& a, const array& b, double rtol, double atol, bool equal_nan,
               StreamOrDevice s) {
  return all(isclose(a, b, rtol, atol, equal_nan, s), s);
}

array array_equal(const array& a, const array& b, bool equal_nan, StreamOrDevice s) {
  if (a.shape() != b.shape()) return array(false);
  return all(equal_nan ? nan_equal(a, b, s) : equal(a, b, s), s);
}

}  // namespace assay
