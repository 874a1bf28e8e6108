// See compile.h. Several files are compiled one after the other; all are tried.
#include "cli/commands/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "base/format.h"
#include "base/settings.h"
#include "cli/json_text.h"
#include "cli/reflection_text.h"
#include "cli/source_options.h"
#include "pipeline/build_options.h"

namespace assay::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  SourceOptions source;
  std::string kernel;
  std::string emit;  // empty: a summary
  bool is_build = false;
  bool is_json = false;
};

struct CompiledFile {
  std::string name;
  msl::CompileResult result;
  double seconds = 0;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result<CompiledFile> compile_file(const std::string& path, const SourceOptions& options) {
  const Result<msl::Source> source = read_source(path);
  if (!source) return source.error();
  const Stopwatch stopwatch;
  msl::CompileResult result = msl::compile(*source, compile_options(options));
  return CompiledFile{source->name, std::move(result), stopwatch.seconds()};
}

// The kernels a build is asked for: all, or the one named.
Result<std::vector<const kernel::KernelInfo*>> chosen_kernels(const CompiledFile& file,
                                                              const std::string& name) {
  std::vector<const kernel::KernelInfo*> kernels;
  std::vector<std::string_view> names;
  for (const kernel::KernelInfo& info : file.result.library->kernels) {
    if (name.empty() || info.name == name) kernels.push_back(&info);
    names.push_back(info.name);
  }
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  if (names.empty()) {
    return Error{fmt::format("{} has no kernels; mark a function with [[kernel]]", file.name)};
  }
  if (kernels.empty()) {
    return Error{fmt::format("{} has no kernel '{}'; it has: {}", file.name, name, known)};
  }
  return kernels;
}

Result<codegen::BuildOutput> build(const CompiledFile& file, const kernel::KernelInfo& info,
                                   const Options& options) {
  const msl::Library& library = *file.result.library;
  const auto constants = parse_constants(options.source.constants, library.function_constants);
  if (!constants) return constants.error();
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  codegen::BuildOptions build_options = pipeline::build_options(*settings);
  build_options.keep_ir = options.emit == "ir";
  build_options.emit_assembly = options.emit == "asm";
  return codegen::build_cpu_kernel(library.bitcode, info, library.function_constants, *constants,
                                   build_options);
}

// Prints what --emit ir or asm asks for.
Result<int> emit_code(const CompiledFile& file, const Options& options, const Console& console) {
  const auto kernels = chosen_kernels(file, options.kernel);
  if (!kernels) return kernels.error();
  if (kernels->size() > 1) {
    std::vector<std::string_view> names;
    for (const kernel::KernelInfo* info : *kernels) names.push_back(info->name);
    return Error{fmt::format("{} has several kernels; choose one with --kernel NAME: {}", file.name,
                             fmt::join(names, ", "))};
  }
  const Result<codegen::BuildOutput> output = build(file, *kernels->front(), options);
  if (!output) return output.error();
  const std::string& code = options.emit == "ir" ? output->ir : output->assembly;
  if (options.is_json) {
    console.print(json_text({{"file", file.name},
                             {"kernel", kernels->front()->name},
                             {"target", output->image.target_cpu},
                             {options.emit, code}}));
  } else {
    console.print(code);
  }
  return 0;
}

std::string count_text(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

size_t count_severity(const CompiledFile& file, msl::Severity severity) {
  return static_cast<size_t>(
      std::ranges::count(file.result.diagnostics, severity, &msl::Diagnostic::severity));
}

std::string summary_text(const CompiledFile& file, const Console& console) {
  const size_t errors = count_severity(file, msl::Severity::kError);
  const size_t warnings = count_severity(file, msl::Severity::kWarning);
  std::string text = fmt::format("{}: ", file.name);
  if (!file.result.library) {
    return text + console.paint(count_text(errors, "error"), base::Colour::kRed) + '\n';
  }
  const std::vector<kernel::KernelInfo>& kernels = file.result.library->kernels;
  text += console.paint(count_text(kernels.size(), "kernel"), base::Colour::kGreen);
  if (warnings > 0) text += ", " + count_text(warnings, "warning");
  text += fmt::format(", {}\n", base::format_duration(file.seconds * 1e9));
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(kernels.size(), kShown); ++i) {
    text += fmt::format("  {}\n", kernels[i].name);
  }
  if (kernels.size() > kShown) {
    text += fmt::format("  … and {} more (--emit reflection shows all)\n", kernels.size() - kShown);
  }
  return text;
}

// Machine code for every chosen kernel, only to see that it can be made.
struct BuildSummary {
  size_t built = 0;
  double seconds = 0;
  std::vector<std::string> errors;
  std::vector<std::string> fallbacks;  // kernels that the vector executor cannot take, and why
};

Result<BuildSummary> build_kernels(const CompiledFile& file, const Options& options) {
  const auto kernels = chosen_kernels(file, options.kernel);
  if (!kernels) return kernels.error();
  const Stopwatch stopwatch;
  BuildSummary summary;
  for (const kernel::KernelInfo* info : *kernels) {
    const Result<codegen::BuildOutput> output = build(file, *info, options);
    if (!output) {
      summary.errors.push_back(output.error().message);
      continue;
    }
    ++summary.built;
    if (output->image.fallback_reason.empty()) continue;
    summary.fallbacks.push_back(fmt::format("kernel '{}' runs one thread at a time: {}", info->name,
                                            output->image.fallback_reason));
  }
  summary.seconds = stopwatch.seconds();
  return summary;
}

Json file_json(const CompiledFile& file, const Options& options) {
  Json json = {{"file", file.name},
               {"ok", file.result.library.has_value()},
               {"milliseconds", file.seconds * 1e3},
               {"diagnostics", diagnostics_json(file.result.diagnostics)}};
  if (!file.result.library) return json;
  json["kernels"] = Json::array();
  for (const kernel::KernelInfo& info : file.result.library->kernels) {
    if (!options.kernel.empty() && info.name != options.kernel) continue;
    json["kernels"].push_back(kernel_json(info));
  }
  json["function_constants"] = constants_json(*file.result.library);
  return json;
}

msl::Library only_kernel(msl::Library library, const std::string& name) {
  if (name.empty()) return library;
  std::erase_if(library.kernels, [&](const kernel::KernelInfo& info) { return info.name != name; });
  return library;
}

// Prints one compiled file as text; false when something in it failed.
Result<bool> report_file(const CompiledFile& file, const Options& options, const Console& console) {
  console.print_aside(msl::render(file.result.diagnostics));
  if (!file.result.library || options.emit.empty()) console.print(summary_text(file, console));
  if (!file.result.library) return false;
  if (options.emit == "reflection") {
    if (const auto kernels = chosen_kernels(file, options.kernel); !kernels) {
      return kernels.error();
    }
    console.print(reflection_text(only_kernel(*file.result.library, options.kernel), console));
  }
  if (!options.is_build) return true;
  const Result<BuildSummary> summary = build_kernels(file, options);
  if (!summary) return summary.error();
  for (const std::string& error : summary->errors) console.print_error(error);
  for (const std::string& fallback : summary->fallbacks) console.print_note(fallback);
  console.print(fmt::format("  {} of {} built in {}\n", summary->built,
                            count_text(summary->built + summary->errors.size(), "kernel"),
                            base::format_duration(summary->seconds * 1e9)));
  return summary->errors.empty();
}

Result<bool> add_file_json(const CompiledFile& file, const Options& options, Json& files) {
  Json json = file_json(file, options);
  bool is_good = file.result.library.has_value();
  if (is_good && options.is_build) {
    const Result<BuildSummary> summary = build_kernels(file, options);
    if (!summary) return summary.error();
    json["built"] = summary->built;
    json["build_milliseconds"] = summary->seconds * 1e3;
    json["build_errors"] = summary->errors;
    json["fallbacks"] = summary->fallbacks;
    is_good = summary->errors.empty();
  }
  files.push_back(std::move(json));
  return is_good;
}

Result<int> run(const Options& options, const Console& console) {
  Json files = Json::array();
  bool is_good = true;
  for (const std::string& path : options.files) {
    const Result<CompiledFile> file = compile_file(path, options.source);
    if (!file) return file.error();
    const bool is_code = options.emit == "ir" || options.emit == "asm";
    if (is_code && file->result.library) {
      console.print_aside(msl::render(file->result.diagnostics));
      return emit_code(*file, options, console);
    }
    const Result<bool> done = options.is_json ? add_file_json(*file, options, files)
                                              : report_file(*file, options, console);
    if (!done) return done.error();
    is_good = is_good && *done;
  }
  if (options.is_json) console.print(json_text({{"ok", is_good}, {"files", std::move(files)}}));
  return is_good ? 0 : 1;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files, "MSL sources; - reads standard input")->required();
  declare_source_options(app, options.source);
  app.add_option("--kernel", options.kernel, "Only this kernel")->type_name("NAME");
  app.add_option("--emit", options.emit,
                 "reflection: arguments, memory and limits of the kernels;\n"
                 "ir, asm: the code of one kernel, optimised for this machine")
      ->type_name("WHAT")
      ->check([](const std::string& text) {
        if (text == "reflection" || text == "ir" || text == "asm") return std::string();
        return fmt::format("'{}' cannot be shown; use reflection, ir or asm", text);
      });
  app.add_flag("--build", options.is_build, "Also make machine code for every kernel");
}

}  // namespace

void add_compile_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(root, invocation,
                       {.name = "compile",
                        .summary = "Compile MSL and show its kernels, their arguments or code",
                        .example = "Examples:\n"
                                   "  assay compile samples/axpy.metal\n"
                                   "  assay compile kernels.metal -I include -D TILE=32 "
                                   "--emit reflection\n"
                                   "  assay compile kernels.metal --kernel gemm --constant "
                                   "transposed=true --emit asm"},
                       declare, run);
}

}  // namespace assay::cli
