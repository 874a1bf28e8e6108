// The options that say how an MSL source is compiled, shared by the commands that compile one.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "msl/compile.h"

namespace assay::cli {

struct SourceOptions {
  std::vector<std::string> include_folders;
  std::vector<std::string> defines;    // NAME or NAME=VALUE
  std::vector<std::string> constants;  // NAME=VALUE
  std::string math = "safe";
};

void declare_source_options(CLI::App& app, SourceOptions& options);

msl::CompileOptions compile_options(const SourceOptions& options);

// "-" reads standard input.
Result<msl::Source> read_source(const std::string& path);

// Values for the function constants of a library. Fails for a name the library does not have.
Result<std::vector<codegen::ConstantValue>> parse_constants(
    std::span<const std::string> texts, std::span<const kernel::FunctionConstant> constants);

}  // namespace assay::cli
