// See sort_keys.h.
#include "ops/sort_keys.h"

#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace {

struct Conversions {
  std::string to_key, from_key;
};

Conversions conversions(Dtype dtype, bool signed_zeros) {
  const std::string_view type = msl_type(dtype);
  if (is_complex(dtype)) {
    return {fmt::format("complex_isnan(x) ? ~0ul : (ulong(key_of_float(x.real, {0})) << 32) | "
                        "key_of_float(x.imag, {0})",
                        signed_zeros),
            "complex64_t(float_of_key(uint(key >> 32)), float_of_key(uint(key)))"};
  }
  if (dtype == float64) {
    return {fmt::format("key_of_double(x, {})", signed_zeros), "double_of_key(key)"};
  }
  if (is_floating_point(dtype)) {
    return {fmt::format("key_of_float(float(x), {})", signed_zeros),
            fmt::format("{}(float_of_key(key))", type)};
  }
  if (dtype == int64) return {"key_of_long(x)", "long_of_key(key)"};
  if (issubdtype(dtype, signedinteger)) {
    return {"key_of_int(int(x))", fmt::format("{}(int_of_key(key))", type)};
  }
  return {"Element(x)", fmt::format("{}(key)", type)};
}

}  // namespace

bool has_wide_key(Dtype dtype) { return dtype.size() == 8; }

std::string write_sort_keys(Dtype dtype, bool signed_zeros) {
  std::string text = ops::write_prelude({dtype}) + "using namespace metal;\n";
  text += ops::kernel_text("sort_keys");
  if (dtype == float64) text += ops::kernel_text("double_keys");
  const Conversions to_and_from = conversions(dtype, signed_zeros);
  text += fmt::format("using T = {};\nusing Element = {};\n", msl_type(dtype),
                      has_wide_key(dtype) ? "ulong" : "uint");
  text += fmt::format("inline Element element_key(T x) {{ return {}; }}\n", to_and_from.to_key);
  text += fmt::format("inline T key_element(Element key) {{ return {}; }}\n", to_and_from.from_key);
  return text;
}

}  // namespace assay
