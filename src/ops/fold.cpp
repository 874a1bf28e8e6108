// See fold.h.
#include "ops/fold.h"

#include "fmt/format.h"
#include "ops/element_types.h"

namespace assay {
namespace {

bool is_truth(FoldOp op) { return op == FoldOp::kAll || op == FoldOp::kAny; }

// Extremes let NaN win.
std::string_view combine_text(FoldOp op, Dtype accumulator) {
  const bool is_float = is_floating_point(accumulator);
  switch (op) {
    case FoldOp::kSum: return "a + b";
    case FoldOp::kProduct: return "a * b";
    case FoldOp::kMin:
      if (is_complex(accumulator)) return "complex_minimum(a, b)";
      return is_float ? "a < b || a != a ? a : b" : "a < b ? a : b";
    case FoldOp::kMax:
      if (is_complex(accumulator)) return "complex_maximum(a, b)";
      return is_float ? "a > b || a != a ? a : b" : "a > b ? a : b";
    case FoldOp::kAll: return "a & b";
    case FoldOp::kAny: return "a | b";
    case FoldOp::kLogAddExp:
      return is_complex(accumulator) ? "complex_logaddexp(a, b)" : "float_logaddexp(a, b)";
  }
  return {};
}

std::string identity_text(FoldOp op, Dtype accumulator) {
  const bool is_max = op == FoldOp::kMax;
  switch (op) {
    case FoldOp::kSum:
    case FoldOp::kAny: return "Acc(0)";
    case FoldOp::kProduct:
    case FoldOp::kAll: return "Acc(1)";
    case FoldOp::kLogAddExp: return "Acc(-INFINITY)";
    case FoldOp::kMin:
    case FoldOp::kMax: break;
  }
  if (is_complex(accumulator)) {
    return is_max ? "Acc(-INFINITY, -INFINITY)" : "Acc(INFINITY, INFINITY)";
  }
  if (is_floating_point(accumulator)) return is_max ? "Acc(-INFINITY)" : "Acc(INFINITY)";
  return fmt::format("metal::numeric_limits<Acc>::{}()", is_max ? "min" : "max");
}

// Steps are template arguments, so that compilers see constant shuffles. Complex numbers travel in
// two parts.
constexpr std::string_view kMoves = R"(
template <ushort step>
inline Acc move_down(Acc a) { return simd_shuffle_down(a, step); }
template <ushort step>
inline Acc move_up(Acc a) { return simd_shuffle_up(a, step); }
inline Acc turn_around(Acc a) { return simd_shuffle_xor(a, ushort(31)); }
inline Acc last_lane(Acc a) { return simd_shuffle(a, ushort(31)); }
)";
constexpr std::string_view kComplexMoves = R"(
template <ushort step>
inline Acc move_down(Acc a) {
  return Acc(simd_shuffle_down(a.real, step), simd_shuffle_down(a.imag, step));
}
template <ushort step>
inline Acc move_up(Acc a) {
  return Acc(simd_shuffle_up(a.real, step), simd_shuffle_up(a.imag, step));
}
inline Acc turn_around(Acc a) {
  return Acc(simd_shuffle_xor(a.real, ushort(31)), simd_shuffle_xor(a.imag, ushort(31)));
}
inline Acc last_lane(Acc a) {
  return Acc(simd_shuffle(a.real, ushort(31)), simd_shuffle(a.imag, ushort(31)));
}
)";

}  // namespace

Dtype fold_accumulator(FoldOp op, Dtype result) {
  if (is_truth(op) || result == bool_) return uint32;
  return compute_type(result);
}

std::string fold_key(FoldOp op, const FoldTypes& types) {
  return fmt::format("{}:{}:{}:{}", static_cast<int>(op), short_name(types.input),
                     short_name(types.accumulator), short_name(types.output));
}

ElementHelpers fold_helpers(FoldOp op, const FoldTypes& types) {
  return {.complex = is_complex(types.input) || is_complex(types.accumulator),
          .doubles = types.input == float64 || types.output == float64,
          .functions = op == FoldOp::kLogAddExp};
}

std::string write_fold(FoldOp op, const FoldTypes& types) {
  return write_element_prelude({}, fold_helpers(op, types)) + write_fold_functions(op, types);
}

std::string write_fold_functions(FoldOp op, const FoldTypes& types) {
  std::string text = "using namespace metal;\n";
  text += fmt::format("using In = {};\nusing Acc = {};\nusing Out = {};\n", msl_type(types.input),
                      msl_type(types.accumulator), msl_type(types.output));
  text += fmt::format("inline Acc combine(Acc a, Acc b) {{ return {}; }}\n",
                      combine_text(op, types.accumulator));
  text +=
      fmt::format("inline Acc identity() {{ return {}; }}\n", identity_text(op, types.accumulator));
  const std::string_view truth = is_complex(types.input) ? "!(a == In(0.0f))" : "a != In(0)";
  text += fmt::format("inline Acc load(In a) {{ return Acc({}); }}\n", is_truth(op) ? truth : "a");
  text += "inline Out store(Acc a) { return Out(a); }\n";
  text += is_complex(types.accumulator) ? kComplexMoves : kMoves;
  return text;
}

}  // namespace assay
