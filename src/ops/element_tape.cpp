// Text of element-wise kernels.
#include "ops/element_tape.h"

#include <set>

#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace {

constexpr size_t kMaxNameLength = 60;

bool is_conversion(const TapeStep& step) { return step.row == &convert_row(); }
bool is_select(const TapeStep& step) { return step.row == &select_row(); }

std::string convert(const std::string& value, Dtype from, Dtype to) {
  if (from == to) return value;
  if (is_complex(from)) {
    if (to == bool_) return fmt::format("({0}.real != 0.0f || {0}.imag != 0.0f)", value);
    return convert(value + ".real", float32, to);
  }
  if (is_complex(to)) return fmt::format("complex64_t({})", convert(value, from, float32));
  const bool is_indirect = (to == float16 || to == bfloat16) && from != float32;
  const bool from_short_float = (from == float16 || from == bfloat16) && to != float32;
  if (is_indirect || from_short_float) {
    return convert(convert(value, from, float32), float32, to);
  }
  return fmt::format("{}({})", msl_type(to), value);
}

// The type that the row's expression gives for operands of `compute`.
Dtype expression_type(const ElementRow& row, Dtype compute) {
  if (row.rule == ElementRule::kPredicate || row.rule == ElementRule::kBoolean) return bool_;
  if (row.rule == ElementRule::kReal && is_complex(compute)) return float32;
  return compute;
}

std::string function_name(const TapeStep& step) {
  return fmt::format("{}_{}", step.row->name, short_name(compute_type(step.operand)));
}

std::string write_function(const TapeStep& step) {
  const Dtype compute = compute_type(step.operand);
  const std::string_view type = msl_type(compute);
  const std::string parameters =
      step.row->arity == 1 ? fmt::format("{} a", type) : fmt::format("{0} a, {0} b", type);
  const std::string_view result = msl_type(expression_type(*step.row, compute));
  return fmt::format("inline {} {}({}) {{ return {}({}); }}\n", result, function_name(step),
                     parameters, result, step.row->expression(step.operand));
}

std::string write_value(const ElementTape& tape, const TapeStep& step) {
  auto argument = [&](size_t i, Dtype to) {
    const uint32_t value = step.arguments[i];
    return convert(fmt::format("v{}", value), tape.type_of(value), to);
  };
  if (is_conversion(step)) return argument(0, step.result);
  if (is_select(step)) {
    return fmt::format("{} ? {} : {}", argument(0, bool_), argument(1, step.result),
                       argument(2, step.result));
  }
  const Dtype compute = compute_type(step.operand);
  std::string call = function_name(step) + "(";
  for (size_t i = 0; i < step.arguments.size(); ++i) {
    if (i != 0) call += ", ";
    call += convert(argument(i, step.operand), step.operand, compute);
  }
  return convert(call + ")", expression_type(*step.row, compute), step.result);
}

std::string load_text(const TapeVariant& variant, size_t input) {
  switch (variant.accesses[input]) {
    case Access::kScalar: return fmt::format("x{}[0]", input);
    case Access::kLinear: return fmt::format("x{}[index]", input);
    case Access::kRow: return fmt::format("x{0}[row{0} + position.x]", input);
    case Access::kRepeat: return fmt::format("x{0}[row{0}]", input);
    case Access::kStrided:
      return fmt::format(
          "x{0}[row{0} + long(position.x) * strides[{0} * (layout.rank + 1) + "
          "layout.rank]]",
          input);
  }
  return {};
}

bool needs_row(Access access) {
  return access == Access::kRow || access == Access::kRepeat || access == Access::kStrided;
}

// Where each input's row begins, from the coordinates that position.y stands for.
std::string write_rows(const ElementTape& tape, const TapeVariant& variant) {
  std::string declare, advance;
  for (size_t i = 0; i < tape.inputs.size(); ++i) {
    if (!needs_row(variant.accesses[i])) continue;
    declare += fmt::format("  long row{} = 0;\n", i);
    advance +=
        fmt::format("    row{0} += coordinate * strides[{0} * (layout.rank + 1) + axis];\n", i);
  }
  std::string text = declare;
  if (!advance.empty()) {
    text += "  uint rest = position.y;\n  for (int axis = layout.rank - 1; axis >= 0; --axis) {\n";
    text += "    long coordinate = rest % uint(shape[axis]);\n    rest /= uint(shape[axis]);\n";
    text += advance + "  }\n";
  }
  return text + "  ulong index = ulong(position.y) * layout.width + position.x;\n";
}

}  // namespace

std::string ElementTape::name() const {
  std::string name;
  for (const TapeStep& step : steps) {
    if (name.size() + step.row->name.size() > kMaxNameLength) return name + "_and_more";
    if (!name.empty()) name += '_';
    name += step.row->name;
  }
  return name.empty() ? "copy" : name;
}

std::string ElementTape::key() const {
  std::string key = "element";
  for (const TapeInput& input : inputs) {
    key += fmt::format(":{}", short_name(input.dtype));
  }
  for (const TapeStep& step : steps) {
    key +=
        fmt::format(";{},{},{}", step.row->name, short_name(step.operand), short_name(step.result));
    for (const uint32_t argument : step.arguments) key += fmt::format(",{}", argument);
  }
  for (const uint32_t output : outputs) key += fmt::format(">{}", output);
  return key;
}

std::string write_element_prelude(const ElementTape& tape, ElementHelpers also) {
  bool has_complex = also.complex, has_double = also.doubles, has_helper = also.functions;
  std::set<std::string> names;
  std::string functions;
  auto note = [&](Dtype type) {
    has_complex |= is_complex(type);
    has_double |= type == float64;
  };
  for (const TapeInput& input : tape.inputs) note(input.dtype);
  for (const TapeStep& step : tape.steps) {
    note(step.operand);
    note(step.result);
    if (is_conversion(step) || is_select(step)) continue;
    const std::string_view expression = step.row->expression(step.operand);
    has_helper |= expression.find("float_") != std::string_view::npos ||
                  expression.find("integer_") != std::string_view::npos;
    if (names.insert(function_name(step)).second) functions += write_function(step);
  }
  std::string text =
      ops::write_prelude({has_complex ? complex64 : float32, has_double ? float64 : float32});
  if (has_helper && !has_double) text += ops::kernel_text("elementwise");
  return text + functions;
}

std::string write_element_steps(const ElementTape& tape, const std::vector<std::string>& loads,
                                const std::string& indent) {
  std::string text;
  uint32_t value = 0;
  for (const std::string& load : loads) {
    text += fmt::format("{}{} v{} = {};\n", indent, msl_type(tape.type_of(value)), value, load);
    ++value;
  }
  for (const TapeStep& step : tape.steps) {
    text += fmt::format("{}{} v{} = {};\n", indent, msl_type(step.result), value,
                        write_value(tape, step));
    ++value;
  }
  return text;
}

std::string write_element_kernel(const ElementTape& tape, const TapeVariant& variant,
                                 const std::string& name) {
  std::string text = write_element_prelude(tape);
  if (!variant.is_linear) text += "struct Layout {\n  uint width;\n  int rank;\n};\n";
  text += fmt::format("kernel void {}(\n", name);
  uint32_t slot = 0;
  std::vector<std::string> loads;
  for (size_t i = 0; i < tape.inputs.size(); ++i) {
    loads.push_back(load_text(variant, i));
    text += fmt::format("    device const {}* x{} [[buffer({})]],\n",
                        msl_type(tape.inputs[i].dtype), i, slot++);
  }
  for (size_t i = 0; i < tape.outputs.size(); ++i) {
    text += fmt::format("    device {}* y{} [[buffer({})]],\n",
                        msl_type(tape.type_of(tape.outputs[i])), i, slot++);
  }
  if (variant.is_linear) {
    text += "    uint index [[thread_position_in_grid]]) {\n";
  } else {
    text += fmt::format("    constant Layout& layout [[buffer({})]],\n", slot);
    text += fmt::format("    constant int* shape [[buffer({})]],\n", slot + 1);
    text += fmt::format("    constant long* strides [[buffer({})]],\n", slot + 2);
    text += "    uint2 position [[thread_position_in_grid]]) {\n";
    text += write_rows(tape, variant);
  }
  text += write_element_steps(tape, loads, "  ");
  for (size_t i = 0; i < tape.outputs.size(); ++i) {
    text += fmt::format("  y{}[index] = v{};\n", i, tape.outputs[i]);
  }
  return text + "}\n";
}

}  // namespace assay
