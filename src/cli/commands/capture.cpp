// See capture.h. The program is told what to capture through its environment.
#include "cli/commands/capture.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "cli/program_start.h"

namespace assay::cli {
namespace {

struct Options {
  std::string output;
  std::string detail = "full";
  uint64_t first = 1;
  uint64_t count = 0;  // 0: all
  std::string stream;
  std::string name;
  std::vector<std::string> command;
};

Result<int> run(const Options& options) {
  if (options.name.find(',') != std::string::npos) {
    return Error{fmt::format("--name '{}' has a comma; give a part without one", options.name)};
  }
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::absolute(options.output, failure);
  if (std::filesystem::exists(path, failure)) {
    return Error{
        fmt::format("'{}' already exists, and nothing is overwritten; remove it or choose "
                    "another path",
                    options.output)};
  }
  std::string request = fmt::format("detail={},count={}", options.detail,
                                    options.count == 0 ? "all" : std::to_string(options.count));
  if (!options.stream.empty()) request += ",stream=" + options.stream;
  if (!options.name.empty()) request += ",name=" + options.name;
  setenv("MTL_CAPTURE_ENABLED", "1", 1);
  setenv("MLX_METAL_CAPTURE", path.c_str(), 1);
  setenv("GGML_METAL_CAPTURE_COMPUTE", std::to_string(options.first).c_str(), 1);
  setenv("ASSAY_CAPTURE", request.c_str(), 1);
  return start_program(options.command);
}

}  // namespace

void add_capture_command(CLI::App& root, Invocation& invocation) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      root.add_subcommand("capture", "Run a program and capture its work into a trace document");
  app->footer(
      "Examples:\n"
      "  assay capture -o work.gputrace -- train.py --steps 10\n"
      "  assay capture -o step.gputrace --first 20 --count 3 --skeleton -- ./model");
  app->add_option("-o,--output", options->output, "Document to write; must not exist")
      ->required()
      ->type_name("FILE");
  app->add_option("--first", options->first, "Begin with this evaluation, from 1")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  app->add_option("--count", options->count, "End after so many evaluations")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  app->add_flag_callback(
      "--skeleton", [options] { options->detail = "skeleton"; },
      "Everything but the contents of buffers");
  app->add_flag_callback(
      "--timeline", [options] { options->detail = "timeline"; }, "Commands and their times only");
  app->add_option("--stream", options->stream, "Only this stream, by its index")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber.description(""));
  app->add_option("--name", options->name, "Only kernels and operations with this in their name")
      ->type_name("TEXT");
  app->add_option("PROGRAM", options->command,
                  "The program and its arguments, behind --; a Python script runs as in assay run")
      ->required();
  app->callback([options, &invocation] {
    invocation.run = [options](const Console&) { return run(*options); };
  });
}

}  // namespace assay::cli
