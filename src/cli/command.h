// What every command is made of: it describes its arguments to CLI11 and leaves behind what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "cli/console.h"

namespace assay::cli {

// Set by the command that the user chose. `run` returns the exit code; an error means 1.
struct Invocation {
  std::function<Result<int>(const Console&)> run;
  bool is_json = false;
};

struct CommandText {
  std::string name;
  std::string summary;  // one line for the list of commands
  std::string example;  // whole command lines, shown at the end of the help
};

// Adds a command whose options live in an `Options` (with a field is_json) until it has run.
// `declare` describes the options to CLI11.
template <typename Options>
void add_command(CLI::App& root, Invocation& invocation, const CommandText& text,
                 void (*declare)(CLI::App&, Options&),
                 Result<int> (*run)(const Options&, const Console&)) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand(text.name, text.summary);
  app->footer(text.example);
  declare(*app, *options);
  app->add_flag("--json", options->is_json, "Print the result as JSON");
  app->callback([&invocation, options, run] {
    invocation.is_json = options->is_json;
    invocation.run = [options, run](const Console& console) { return run(*options, console); };
  });
}

}  // namespace assay::cli
