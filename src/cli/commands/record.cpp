// See record.h. Every process writes a part of its own; they are joined when the program has ended.
#include "cli/commands/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/check/child_program.h"
#include "cli/record/attach.h"
#include "cli/record/parts_folder.h"
#include "cli/record/recording_line.h"
#include "device/clock.h"
#include "runtime/recording.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemplates[] = {"Metal System Trace"};

struct Options {
  std::string recording_template = kTemplates[0];
  std::string output;
  double limit_s = 0;
  double ring_s = 0;
  bool is_launching = false;
  pid_t process = 0;  // to attach to
  std::vector<std::string> command;
};

Result<void> check(const Options& options) {
  if (std::ranges::find(kTemplates, options.recording_template) == std::end(kTemplates)) {
    return Error{fmt::format("there is no template '{}'; known: '{}'", options.recording_template,
                             fmt::join(kTemplates, "', '"))};
  }
  std::error_code failure;
  if (fs::exists(fs::symlink_status(options.output, failure))) {
    return Error{
        fmt::format("'{}' already exists, and nothing is overwritten; remove it or choose "
                    "another path",
                    options.output)};
  }
  return {};
}

// Returns the program's exit code.
Result<int> launch(const Options& options, const runtime::RecordingRequest& request) {
  setenv("ASSAY_RECORD", request.text().c_str(), 1);
  return run_child_program(options.command);
}

Result<int> attach(const Options& options, const runtime::RecordingRequest& request) {
  const Result<AttachEnd> end = record_process(options.process, request);
  if (!end) return end.error();
  return 0;
}

Result<int> run(const Options& options, const Console& console) {
  if (Result<void> checked = check(options); !checked) return checked.error();
  const Result<PartsFolder> folder = PartsFolder::create(options.output);
  if (!folder) return folder.error();
  const runtime::RecordingRequest request{.begin_ns = device::now_ns(),
                                          .limit_s = options.limit_s,
                                          .ring_s = options.ring_s,
                                          .folder = folder->path()};
  const bool is_attaching = options.process != 0;
  const Result<int> code = [&] {
    const RecordingLine line(console, *folder, is_attaching ? "the recording" : "both");
    return is_attaching ? attach(options, request) : launch(options, request);
  }();
  if (!code) return code.error();
  const Result<bool> joined = join_parts(*folder, options.output);
  if (!joined) return joined.error();
  if (!*joined) {
    console.print_note(
        "nothing was recorded: the program evaluated no arrays of assay, or not within the limit");
    return is_attaching ? 1 : *code;
  }
  if (::isatty(STDERR_FILENO) == 1) {
    console.print_note(
        fmt::format("recorded to {}; see assay report {}", options.output, options.output));
  }
  return *code;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--template", options.recording_template,
                 "What to record: 'Metal System Trace', which is the\ndefault and the only one")
      ->type_name("NAME");
  app.add_option("-o,--output", options.output, "Document to write; must not exist")
      ->required()
      ->type_name("FILE");
  app.add_option("--time-limit", options.limit_s,
                 "Record no longer than so many seconds; the program\nruns on to its end")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber.description(""));
  app.add_option("--ring", options.ring_s,
                 "Keep only the last so many seconds, in a file that\ndoes not grow")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber.description(""));
  app.add_flag("--launch", options.is_launching,
               "Start the program, as xctrace calls it; the default");
  CLI::Option* const process =
      app.add_option("--attach", options.process,
                     "Record this running process instead, until Ctrl-C or\nthe limit; it runs on")
          ->type_name("PID")
          ->check(CLI::PositiveNumber.description(""));
  app.add_option("PROGRAM", options.command,
                 "The program and its arguments, behind --; a Python\nscript runs as in assay run")
      ->excludes(process);
}

}  // namespace

void add_record_command(CLI::App& root, Invocation& invocation) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("record", "Record when a program ran what, for report");
  app->footer(
      "Records times, call sites, waits, compilations and memory of the program and of the\n"
      "programs that it starts, but no contents; output and exit code are the program's own.\n"
      "Ctrl-C ends program and recording. With --attach it ends only the recording, which has the\n"
      "one process in it; a program that must not be attached to runs with ASSAY_ATTACH=0.\n\n"
      "Examples:\n"
      "  assay record --template 'Metal System Trace' --output run.trace --launch -- train.py\n"
      "  assay record -o run.trace --time-limit 10 -- python3 -m model.generate\n"
      "  assay record -o run.trace --ring 5 -- ./server && assay report run.trace\n"
      "  assay record -o run.trace --attach 4711 --time-limit 10");
  declare(*app, *options);
  app->callback([options, &invocation] {
    if (options->process == 0 && options->command.empty()) throw CLI::RequiredError("PROGRAM");
    invocation.run = [options](const Console& console) { return run(*options, console); };
  });
}

}  // namespace assay::cli
