// See source_options.h.
#include "cli/source_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "base/file_bytes.h"
#include "pipeline/pipeline_cache.h"

namespace assay::cli {
namespace {

bool is_identifier(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string check_define(const std::string& text) {
  const std::string_view head = std::string_view(text).substr(0, text.find('='));
  const size_t parameters = head.find('(');
  const bool is_closed = parameters == std::string_view::npos || head.ends_with(')');
  if (is_identifier(head.substr(0, parameters)) && is_closed) return {};
  return fmt::format("'{}' is not a macro; write NAME, NAME=VALUE or 'NAME(X)=VALUE'", text);
}

std::string check_constant(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals != 0 && equals != std::string::npos) return {};
  return fmt::format("'{}' is not a function constant; write NAME=VALUE", text);
}

msl::MathMode math_mode(std::string_view name) {
  if (name == "fast") return msl::MathMode::kFast;
  return name == "relaxed" ? msl::MathMode::kRelaxed : msl::MathMode::kSafe;
}

}  // namespace

void declare_source_options(CLI::App& app, SourceOptions& options) {
  // One value each time: otherwise they would swallow the arguments behind them.
  app.add_option("-I,--include", options.include_folders, "Folder for #include; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D,--define", options.defines, "Macro; may be repeated")
      ->type_name("NAME[=V]")
      ->allow_extra_args(false)
      ->check(check_define);
  app.add_option("--constant", options.constants,
                 "Value of a function constant: true, 5, 0.5, or 1,2 for a\n"
                 "vector; may be repeated")
      ->type_name("NAME=V")
      ->allow_extra_args(false)
      ->check(check_constant);
  app.add_option("--math", options.math, "Floating-point mode: safe (default), relaxed or fast")
      ->type_name("MODE")
      ->check([](const std::string& text) {
        if (text == "safe" || text == "relaxed" || text == "fast") return std::string();
        return fmt::format("'{}' is not a mode; use safe, relaxed or fast", text);
      });
}

msl::CompileOptions compile_options(const SourceOptions& options) {
  msl::CompileOptions result;
  result.include_folders = options.include_folders;
  result.math_mode = math_mode(options.math);
  for (const std::string& define : options.defines) {
    const size_t equals = define.find('=');
    const bool has_value = equals != std::string::npos;
    result.defines.emplace_back(define.substr(0, equals),
                                has_value ? define.substr(equals + 1) : "1");
  }
  return result;
}

Result<msl::Source> read_source(const std::string& path) {
  using Iterator = std::istreambuf_iterator<char>;
  if (path == "-") return msl::Source{"<stdin>", std::string(Iterator(std::cin), Iterator())};
  if (std::optional<std::string> text = base::read_file(path)) {
    return msl::Source{path, std::move(*text)};
  }
  std::ifstream file(path, std::ios::binary);  // also pipes
  std::string text{Iterator(file), Iterator()};
  if (!file) {
    return Error{
        fmt::format("cannot read {}; check the path, or use - to read standard input", path)};
  }
  return msl::Source{path, std::move(text)};
}

Result<std::vector<codegen::ConstantValue>> parse_constants(
    std::span<const std::string> texts, std::span<const kernel::FunctionConstant> constants) {
  std::vector<codegen::ConstantValue> values;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto found = std::ranges::find(constants, name, &kernel::FunctionConstant::name);
    if (found == constants.end()) {
      std::vector<std::string> names;
      for (const auto& constant : constants) names.push_back(constant.name);
      return Error{fmt::format("there is no function constant '{}'; the source has {}", name,
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
    }
    Result<codegen::ConstantValue> value =
        pipeline::parse_constant(*found, text.substr(equals + 1));
    if (!value) return value.error();
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace assay::cli
