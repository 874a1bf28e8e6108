// See check.h. A program is told what to check through its environment and hands its findings over
// in a file; kernels and captured runs are checked in this process.
#include "cli/commands/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/file_bytes.h"
#include "base/settings.h"
#include "cli/check/check_launch.h"
#include "cli/check/check_output.h"
#include "cli/check/child_program.h"
#include "cli/source_options.h"
#include "replay/replay.h"
#include "runtime/open_device.h"
#include "sanitizer/finding_log.h"
#include "sanitizer/report/report_file.h"
#include "sanitizer/rules.h"

namespace assay::cli {
namespace {

struct Options {
  std::vector<std::string> program;  // or the one MSL source of --launch
  std::string launch_file;
  std::string trace;
  std::string checks;  // empty: all, or as the launch file says
  CheckOutput output;
  bool is_json = false;
  std::string fail_on = "error";
  std::string suppressions;
  uint64_t schedule_seed = 0;
  std::string executor;  // empty: as the settings say
  SourceOptions source;
  bool lists_rules = false;
};

// An empty file that is gone when the command is over.
class FindingsFile {
 public:
  static Result<FindingsFile> create() {
    std::error_code failure;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
    std::string path = ((failure ? "/tmp" : folder) / "assay-findings-XXXXXX").string();
    const int number = ::mkstemp(path.data());
    if (number < 0) return Error{fmt::format("cannot make a file for findings at {}", path)};
    ::close(number);
    return FindingsFile(std::move(path));
  }
  ~FindingsFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  FindingsFile(FindingsFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  FindingsFile& operator=(FindingsFile&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit FindingsFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

using LogPtr = std::shared_ptr<sanitizer::FindingLog>;

// --suppressions, or the file of the environment.
Result<LogPtr> make_log(const Options& options) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  const std::string& path =
      options.suppressions.empty() ? settings->check_suppressions : options.suppressions;
  sanitizer::LogOptions log_options;
  if (!path.empty()) {
    Result<sanitizer::Suppressions> list = sanitizer::Suppressions::load(path);
    if (!list) return list.error();
    log_options.suppressions = std::move(*list);
  }
  return std::make_shared<sanitizer::FindingLog>(std::move(log_options));
}

Result<int> finish(const sanitizer::CheckReport& report, const CheckOutput& output, int exit_code,
                   const Console& console) {
  if (Result<void> printed = print_report(report, output, console); !printed) {
    return printed.error();
  }
  return has_failed(report, output) ? 1 : exit_code;
}

Result<int> check_program(const Options& options, CheckOutput output, sanitizer::FindingLog& log,
                          const Console& console) {
  const Result<FindingsFile> file = FindingsFile::create();
  if (!file) return file.error();
  setenv("ASSAY_CHECK", options.checks.empty() ? "all" : options.checks.c_str(), 1);
  setenv("ASSAY_CHECK_REPORT", file->path().c_str(), 1);
  setenv("ASSAY_CHECK_SEED", std::to_string(options.schedule_seed).c_str(), 1);
  unsetenv("ASSAY_CHECK_SUPPRESSIONS");  // applied here, where it is known which were needed
  const Result<int> exit_code = run_child_program(options.program);
  if (!exit_code) return exit_code.error();
  const Result<uint64_t> refused = sanitizer::read_report_file(file->path(), log);
  if (!refused) return refused.error();
  sanitizer::CheckReport report = log.report();
  if (*refused > 0) {
    report.warnings.push_back(
        fmt::format("{} line{} of findings could not be read: was the program killed?", *refused,
                    *refused == 1 ? "" : "s"));
  }
  output.is_beside_program = true;
  return finish(report, output, *exit_code, console);
}

Result<runtime::OpenedDevice> open_checked_device(const Options& options, const std::string& checks,
                                                  LogPtr log) {
  const auto set = sanitizer::parse_checks(checks.empty() ? "all" : checks);
  if (!set) return set.error();
  return runtime::open_device({.findings = std::move(log),
                               .checks = {.checks = *set, .schedule_seed = options.schedule_seed}});
}

Result<int> check_launches(const Options& options, const CheckOutput& output, const LogPtr& log,
                           const Console& console) {
  Result<msl::Source> source = read_source(options.program.front());
  if (!source) return source.error();
  const std::optional<std::string> text = base::read_file(options.launch_file);
  if (!text) return Error{fmt::format("cannot read {}; check the path", options.launch_file)};
  Result<LaunchFile> file = parse_launch_file(*text, options.launch_file);
  if (!file) return file.error();
  for (FileLaunch& launch : file->launches) {
    launch.constants.insert(launch.constants.end(), options.source.constants.begin(),
                            options.source.constants.end());
  }
  const Result<runtime::OpenedDevice> opened =
      open_checked_device(options, options.checks.empty() ? file->checks : options.checks, log);
  if (!opened) return opened.error();
  pipeline::PipelineCache pipelines(opened->device, opened->build_options, opened->kernel_cache);
  const auto library = pipelines.compile(std::move(*source), compile_options(options.source));
  if (!library) return library.error();
  console.print_aside(msl::render((*library)->diagnostics()));
  const Result<void> done = run_launches(*file, **library, pipelines);
  if (!done && log->report().findings.empty()) {
    return Error{fmt::format("{}: {}", options.launch_file, done.error().message)};
  }
  sanitizer::CheckReport report = log->report();
  if (!done) report.warnings.push_back(done.error().message);
  return finish(report, output, done ? 0 : 1, console);
}

Result<int> check_trace(const Options& options, const CheckOutput& output, const LogPtr& log,
                        const Console& console) {
  const Result<trace::Document> document = trace::Document::open(options.trace);
  if (!document) return document.error();
  const Result<runtime::OpenedDevice> opened = open_checked_device(options, options.checks, log);
  if (!opened) return opened.error();
  pipeline::PipelineCache pipelines(opened->device, opened->build_options, opened->kernel_cache);
  // Not verified: a read that was refused gives 0 here and garbage in the capture, and what the
  // garbage leads to is no mistake of the kernels behind it.
  const Result<replay::Report> replayed = replay::replay(*document, pipelines, {.verifies = false});
  if (!replayed) return replayed.error();
  sanitizer::CheckReport report = log->report();
  report.warnings.insert(report.warnings.end(), replayed->notes.begin(), replayed->notes.end());
  return finish(report, output, 0, console);
}

// What is wrong with the combination of options; empty when nothing is.
std::string usage_error(const Options& options) {
  const bool has_launch = !options.launch_file.empty(), has_trace = !options.trace.empty();
  if (options.lists_rules) return {};
  if (has_launch && has_trace) return "--launch and --replay exclude each other";
  if (has_trace) return options.program.empty() ? "" : "--replay takes no program";
  if (has_launch && options.program.size() != 1) return "--launch takes one FILE.metal";
  if (options.program.empty()) {
    return "give a program behind --, FILE.metal with --launch, or --replay TRACE";
  }
  if (!has_launch && options.program.front().ends_with(".metal")) {
    return fmt::format("give --launch FILE.json, which tells how to run {}",
                       options.program.front());
  }
  return {};
}

Result<int> run(const Options& options, const Console& console) {
  CheckOutput output = options.output;
  if (options.is_json) output.format = "json";
  if (options.lists_rules) {
    console.print(output.format == "json" ? rules_json() : rules_text(console));
    return 0;
  }
  output.fail_on = sanitizer::find_severity(options.fail_on);
  // A setting, so that it holds for programs, too.
  if (!options.executor.empty()) setenv("ASSAY_EXECUTOR", options.executor.c_str(), 1);
  const Result<LogPtr> log = make_log(options);
  if (!log) return log.error();
  if (!options.trace.empty()) return check_trace(options, output, *log, console);
  if (!options.launch_file.empty()) return check_launches(options, output, *log, console);
  return check_program(options, output, **log, console);
}

std::string checks_error(const std::string& text) {
  const Result<sanitizer::CheckSet> set = sanitizer::parse_checks(text);
  if (!set) return set.error().message;
  return set->empty() ? "no check is left" : "";
}

void declare(CLI::App& app, Options& options) {
  app.add_option("PROGRAM", options.program,
                 "The program and its arguments, behind --; a Python\n"
                 "script runs as in assay run. Or FILE.metal with --launch");
  app.add_option("--launch", options.launch_file,
                 "How to run the kernels of FILE.metal: sizes and\n"
                 "arguments; docs/kernels.md describes it")
      ->type_name("FILE.json");
  app.add_option("--replay", options.trace, "Check the work in a trace document")
      ->type_name("TRACE");
  app.add_option("--checks", options.checks,
                 "all (default), or names with commas between; -NAME\n"
                 "takes one out: all,-nonfinite")
      ->type_name("LIST")
      ->check(checks_error);
  app.add_option("--format", options.output.format, "text (default), json, sarif or junit")
      ->type_name("FORM")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit"}).description(""));
  app.add_option("-o,--output", options.output.file, "File for the report")->type_name("FILE");
  app.add_option("--fail-on", options.fail_on,
                 "Least severity for exit code 1: error (default),\n"
                 "warning, note or never")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}).description(""));
  app.add_option("--suppressions", options.suppressions,
                 "Findings that are known: a line each,\n"
                 "rule[:kernel[:file[:line]]]  # reason")
      ->type_name("FILE");
  app.add_option("--schedule-seed", options.schedule_seed,
                 "Run threadgroups in another order; 0: the usual one")
      ->type_name("N");
  app.add_option("--executor", options.executor,
                 "What runs the kernels: vector or reference; vector\n"
                 "unless ASSAY_EXECUTOR says otherwise")
      ->type_name("NAME")
      ->check(CLI::IsMember({"reference", "vector"}).description(""));
  app.add_flag("--list", options.lists_rules, "Print the rules and what they find");
  declare_source_options(app, options.source);
  app.parse_complete_callback([&options] {
    const std::string wrong = usage_error(options);
    if (!wrong.empty()) throw CLI::ValidationError(wrong);
  });
}

}  // namespace

void add_check_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "check",
       .summary = "Find bugs in kernels: races, bounds, barriers and more",
       .example =
           "Exit code: 1 when there are findings of at least --fail-on, else the program's own.\n"
           "\n"
           "Examples:\n"
           "  assay check -- train.py --steps 10\n"
           "  assay check --checks bounds,races --format sarif -o check.sarif -- ./model\n"
           "  assay check kernels.metal --launch launch.json\n"
           "  assay check --replay work.gputrace"},
      declare, run);
}

}  // namespace assay::cli
