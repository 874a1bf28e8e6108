// See undeclared_names.h.
#include "msl/undeclared_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace assay::msl {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// TILE_SIZE, N
bool is_spelt_like_macro(const std::string& name) {
  return std::ranges::any_of(name, is_upper) && std::ranges::none_of(name, is_lower);
}

// MatrixShape, scalar_t
bool is_spelt_like_type(const std::string& name) {
  return name.ends_with("_t") || (is_upper(name.front()) && std::ranges::any_of(name, is_lower));
}

// What follows the name on its line, without blanks. Behind a macro's use, that is no name.
std::string_view text_behind(const Diagnostic& diagnostic, const std::string& name) {
  std::string_view line = diagnostic.source_line;
  const size_t begin = diagnostic.column > 0 ? diagnostic.column - 1 : 0;
  if (begin > line.size() || !line.substr(begin).starts_with(name)) return {};
  line.remove_prefix(begin + name.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

}  // namespace

std::string suggest_declaration(const Diagnostic& diagnostic, const std::string& name) {
  if (name.empty()) return {};
  const bool is_type = diagnostic.message.starts_with("unknown type name");
  const std::string_view behind = text_behind(diagnostic, name);
  if (diagnostic.source_line.find("is_function_constant_defined(" + name) != std::string::npos) {
    return fmt::format("declare it: constant bool {} [[function_constant(n)]]", name);
  }
  if (behind.starts_with("::")) {
    return fmt::format("declare the type or namespace '{}', or include the file that does", name);
  }
  if (is_type && is_spelt_like_macro(name)) {
    return fmt::format(
        "define the macro: -D {0}=float; or make it a parameter: template <typename {0}>", name);
  }
  if (is_type || (is_spelt_like_type(name) && !behind.starts_with('['))) {
    return fmt::format("declare the type '{}', or include the file that does", name);
  }
  if (behind.starts_with('(')) {
    return fmt::format("declare '{}' in front of its use, or include the file that does", name);
  }
  if (is_spelt_like_macro(name)) {
    return fmt::format("define the macro: -D {0}=8; or declare it: constant int {0} = 8;", name);
  }
  return fmt::format("declare '{0}', or make it a parameter: const device float* {0} [[buffer(n)]]",
                     name);
}

}  // namespace assay::msl
