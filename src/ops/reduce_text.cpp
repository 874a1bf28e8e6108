// See reduce_text.h.
#include "ops/reduce_text.h"

#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace {

constexpr std::string_view kFormTexts[] = {"reduce_rows", "reduce_columns", "reduce_each"};
constexpr size_t kFirstArray = 4;  // buffers in front of the arrays

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

struct Pointer {
  std::string name;
  Dtype dtype;
};

std::vector<Pointer> pointers_of(const ReduceTapes& tapes) {
  std::vector<Pointer> pointers;
  for (size_t i = 0; i < tapes.before.inputs.size(); ++i) {
    pointers.push_back({fmt::format("x{}", i), tapes.before.inputs[i].dtype});
  }
  for (size_t i = 1; i < tapes.after.inputs.size(); ++i) {
    pointers.push_back({fmt::format("c{}", i), tapes.after.inputs[i].dtype});
  }
  return pointers;
}

// One line for each array that moves by `step`.
std::string write_moves(const std::vector<ReduceStep>& steps, std::string_view distance) {
  std::string text;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == ReduceStep::kOne) text += fmt::format("  from.x{} += {};\n", i, distance);
    if (steps[i] == ReduceStep::kStride) {
      text += fmt::format("  from.x{} += {} * strides[{} * axes];\n", i, distance, i);
    }
  }
  return text;
}

std::string write_source(const ReduceText& text) {
  std::string code = "struct Source {\n";
  for (const Pointer& pointer : pointers_of(text.tapes)) {
    code += fmt::format("  device const {}* {};\n", msl_type(pointer.dtype), pointer.name);
  }
  const size_t arrays = text.tapes.before.inputs.size();
  code += "};\n// Distances along the inner axis.\nstruct Steps {\n";
  std::string values;
  for (size_t i = 0; i < arrays; ++i) {
    code += fmt::format("  long x{};\n", i);
    values += fmt::format("{}strides[{} * axes]", i == 0 ? "" : ", ", i);
  }
  code += fmt::format(
      "}};\ninline Steps inner_steps(constant long* strides, int axes) {{ return {{{}}}; }}\n",
      values);
  const std::vector<ReduceStep> all(arrays, ReduceStep::kStride);
  constexpr std::string_view kMove =
      "inline Source {}(Source from, long distance, constant long* strides, int axes) {{\n{}  "
      "return from;\n}}\n";
  code += fmt::format(kMove, "advance", write_moves(all, "distance"));
  if (text.form == ReduceForm::kColumns) {
    code += fmt::format(kMove, "beside", write_moves(text.columns, "distance"));
  }
  return code;
}

std::string write_element(const ReduceText& text) {
  const ElementTape& tape = text.tapes.before;
  std::vector<std::string> loads;
  for (size_t i = 0; i < tape.inputs.size(); ++i) {
    switch (text.inner[i]) {
      case ReduceStep::kNone: loads.push_back(fmt::format("from.x{}[0]", i)); break;
      case ReduceStep::kOne: loads.push_back(fmt::format("from.x{}[index]", i)); break;
      case ReduceStep::kStride:
        loads.push_back(fmt::format("from.x{0}[long(index) * steps.x{0}]", i));
    }
  }
  return fmt::format(
      "inline Acc element(Source from, Steps steps, uint index) {{\n{}  return load(v{});\n}}\n",
      write_element_steps(tape, loads, "  "), tape.outputs[0]);
}

std::string write_finish(const ReduceText& text) {
  const ElementTape& tape = text.tapes.after;
  if (tape.inputs.empty()) {
    return "using Result = Out;\n"
           "inline Result finish(Source from, Acc total) { return store(total); }\n";
  }
  std::vector<std::string> loads{"store(total)"};
  for (size_t i = 1; i < tape.inputs.size(); ++i) loads.push_back(fmt::format("from.c{}[0]", i));
  return fmt::format(
      "using Result = {};\ninline Result finish(Source from, Acc total) {{\n{}  return v{};\n}}\n",
      msl_type(tape.type_of(tape.outputs[0])), write_element_steps(tape, loads, "  "),
      tape.outputs[0]);
}

// Both tapes, for the functions that they use.
ElementTape joined(const ReduceTapes& tapes) {
  ElementTape all = tapes.before;
  for (const ElementTape* tape : {&tapes.after}) {
    all.inputs.insert(all.inputs.end(), tape->inputs.begin(), tape->inputs.end());
    all.steps.insert(all.steps.end(), tape->steps.begin(), tape->steps.end());
  }
  return all;
}

}  // namespace

std::string reduce_key(const ReduceText& text) {
  std::string key = fmt::format("{}:{}:", kFormTexts[static_cast<size_t>(text.form)],
                                fold_key(text.op, text.types));
  for (const ReduceStep step : text.inner) key += static_cast<char>('0' + static_cast<int>(step));
  key += ':';
  for (const ReduceStep step : text.columns) key += static_cast<char>('0' + static_cast<int>(step));
  if (!text.tapes.before.steps.empty()) key += text.tapes.before.key();
  if (!text.tapes.after.steps.empty()) key += "=" + text.tapes.after.key();
  return key;
}

std::string write_reduction(const ReduceText& text, const std::string& name) {
  std::string code = write_element_prelude(joined(text.tapes), fold_helpers(text.op, text.types));
  code += write_fold_functions(text.op, text.types);
  code += write_source(text) + write_element(text) + write_finish(text);
  std::string kernel(ops::kernel_text("reduce"));
  kernel += ops::kernel_text(kFormTexts[static_cast<size_t>(text.form)]);
  std::string parameters, source;
  size_t slot = kFirstArray;
  for (const Pointer& pointer : pointers_of(text.tapes)) {
    parameters += fmt::format("device const {}* {} [[buffer({})]],\n                 ",
                              msl_type(pointer.dtype), pointer.name, slot++);
    source += (source.empty() ? "" : ", ") + pointer.name;
  }
  parameters.resize(parameters.find_last_not_of(" \n") + 1);
  replace_all(kernel, "PARAMETERS", parameters);
  replace_all(kernel, "SOURCE", "Source{" + source + "}");
  replace_all(kernel, "NAME", name);
  return code + kernel;
}

}  // namespace assay
