// See body_fixes.h.
#include "msl/body_fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <string_view>
#include <utility>

#include "msl/metal_words.h"
#include "msl/thread_attributes.h"

namespace assay::msl {
namespace {

using Advice = std::pair<std::string_view, std::string_view>;

constexpr Advice kPythonNames[] = {
    {"None", "write nullptr for no pointer; numbers have no None"},
    {"True", "write true"},
    {"False", "write false"},
    {"self", "a kernel has no self: pass what it needs as inputs or template arguments"},
    {"elif", "write else if (condition) { … }"},
    {"pass", "leave the block empty: { }"},
    {"def", "functions stand in header=, as in C++: float square(float x) { return x * x; }"},
    {"lambda", "write a function in header="},
    {"len", "take the length from NAME_shape[0] of an input or output"},
    {"range", "write for (uint i = 0; i < n; ++i) { … }"},
    {"print", "use printf(\"%f\\n\", value)"},
    {"math", "Metal's functions have no module: write exp(x)"},
    {"np", "a kernel has no NumPy: Metal's functions have no module, write exp(x)"},
    {"mx", "a kernel has no arrays: Metal's functions have no module, write exp(x)"},
    {"torch", "a kernel has no tensors: Metal's functions have no module, write exp(x)"},
    {"float32", "Metal's name is float"},
    {"float16", "Metal's name is half"},
    {"bfloat16", "Metal's name is bfloat"},
    {"float64", "Metal has no double: use float"},
    {"int64", "Metal's name is long"},
    {"int32", "Metal's name is int"},
    {"uint32", "Metal's name is uint"},
    {"uint8", "Metal's name is uchar"},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Template arguments are written this way: T, BLOCK, N_READS.
bool is_template_name(std::string_view name) {
  return !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::all_of(name, [](unsigned char letter) {
           return std::isupper(letter) != 0 || std::isdigit(letter) != 0 || letter == '_';
         });
}

std::string unknown_name_fix(const Diagnostic& diagnostic) {
  const std::string name = quoted(diagnostic.message);
  for (const auto& [python, fix] : kPythonNames) {
    if (python == name) return std::string(fix);
  }
  if (std::ranges::find(kThreadAttributeNames, name, &NamedThreadAttribute::name) !=
      std::end(kThreadAttributeNames)) {
    return "attributes are known in source only: give the function an argument for it";
  }
  if (is_template_name(name)) {
    return fmt::format(
        "give it with the call: template=[(\"{}\", …)], a dtype such as mx.float32, an int or a "
        "bool",
        name);
  }
  if (contains(diagnostic.message, "did you mean")) return {};
  if (!diagnostic.message.starts_with("use of undeclared")) return {};
  return fmt::format("add '{}' to input_names and its array to inputs, or declare it", name);
}

bool is_whole_kernel(const Diagnostic& diagnostic) {
  static const std::regex kKernel(R"(\bkernel\s+void\b|\[\[\s*kernel\s*\]\]\s*void)");
  return std::regex_search(diagnostic.source_line, kKernel);
}

}  // namespace

bool is_in_body(const Diagnostic& diagnostic) {
  return diagnostic.file == "source" || diagnostic.file == "header";
}

bool is_behind_body(const Diagnostic& diagnostic) { return diagnostic.file == "signature"; }

std::string suggest_body_fix(const Diagnostic& diagnostic) {
  const std::string& message = diagnostic.message;
  if (diagnostic.file == "source" && is_whole_kernel(diagnostic)) {
    return "source is only what stands between the braces of the kernel: its signature is made "
           "from "
           "input_names, output_names and the attributes that it mentions";
  }
  if (contains(message, "file not found")) {
    return "kernels of metal_kernel find only Metal's own headers: put the text of the file into "
           "header=";
  }
  if (message.starts_with("indirection requires pointer operand") &&
      contains(diagnostic.source_line, "**")) {
    return "Metal has no **: use pow(x, y), or x * x";
  }
  if (message.starts_with("expected '(' after 'if'")) return "write if (condition) { … }";
  if (message.starts_with("expected '(' after 'while'")) return "write while (condition) { … }";
  if (message.starts_with("expected '(' after 'for'")) {
    return "write for (uint i = 0; i < n; ++i) { … }";
  }
  if (contains(message, "undeclared identifier") || message.starts_with("unknown type name")) {
    return unknown_name_fix(diagnostic);
  }
  return {};
}

}  // namespace assay::msl
