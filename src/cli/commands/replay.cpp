// See replay.h.
#include "cli/commands/replay.h"

#include <fmt/format.h>

#include <cmath>

#include "base/parse_number.h"
#include "cli/progress_line.h"
#include "cli/replay_text.h"
#include "cli/source_options.h"
#include "replay/replay.h"
#include "runtime/open_device.h"
#include "trace/document.h"

namespace assay::cli {
namespace {

struct Options {
  std::string file;
  std::string only;
  std::vector<std::string> replacements;  // KERNEL=FILE
  uint32_t repeats = 0;
  uint32_t warm_ups = 1;
  double tolerance = 1e-5;
  std::string device = "cpu";
  std::optional<double> timeout_s;
  bool is_json = false;
};

// "5..9", "5..", "..9" or "5"; nothing for another text.
std::optional<replay::CommandRange> parse_range(std::string_view text) {
  replay::CommandRange range;
  const size_t dots = text.find("..");
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
  if (first.empty() && last.empty()) return std::nullopt;
  if (!first.empty()) {
    const auto number = parse_number<trace::Id>(first);
    if (!number || *number < 1) return std::nullopt;
    range.first = *number;
  }
  if (!last.empty()) {
    const auto number = parse_number<trace::Id>(last);
    if (!number || *number < range.first) return std::nullopt;
    range.last = *number;
  }
  return range;
}

Result<std::vector<replay::Replacement>> load_replacements(const Options& options) {
  std::vector<replay::Replacement> replacements;
  for (const std::string& text : options.replacements) {
    const size_t equals = text.find('=');
    Result<msl::Source> source = read_source(text.substr(equals + 1));
    if (!source) return source.error();
    replacements.push_back({text.substr(0, equals), std::move(*source)});
  }
  return replacements;
}

Result<int> run(const Options& options, const Console& console) {
  const Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  Result<std::vector<replay::Replacement>> replacements = load_replacements(options);
  if (!replacements) return replacements.error();
  const Result<runtime::OpenedDevice> opened =
      runtime::open_device({.kernel_timeout_s = options.timeout_s});
  if (!opened) return opened.error();
  pipeline::PipelineCache pipelines(opened->device, opened->build_options, opened->kernel_cache);
  replay::ReplayOptions replay_options{.replacements = std::move(*replacements),
                                       .tolerance = options.tolerance,
                                       .repeats = options.repeats,
                                       .warm_ups = options.warm_ups};
  if (!options.only.empty()) replay_options.range = *parse_range(options.only);
  std::optional<ProgressLine> line(std::in_place, console);
  replay_options.on_progress = [&](const replay::Progress& progress) {
    line->show(progress.activity, progress.done, progress.total);
  };
  const Result<replay::Report> report = replay::replay(*document, pipelines, replay_options);
  line.reset();
  if (!report) return report.error();
  if (options.is_json) {
    console.print(json_text(replay_json(*report, options.tolerance)));
  } else {
    console.print(replay_text(*report, options.tolerance, console));
    for (const std::string& note : report->notes) console.print_note(note);
  }
  return report->has_differences() ? 1 : 0;
}

std::string check_replacement(const std::string& text) {
  const size_t equals = text.find('=');
  const bool is_valid = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
  return is_valid ? std::string() : fmt::format("'{}' is not KERNEL=FILE.metal", text);
}

std::string check_tolerance(const std::string& text) {
  double value = 0;
  const bool is_valid =
      CLI::detail::lexical_cast(text, value) && value >= 0 && std::isfinite(value);
  return is_valid ? std::string() : fmt::format("'{}' is not a number of at least 0", text);
}

std::string check_timeout(const std::string& text) {
  double seconds = 0;
  const bool is_valid = CLI::detail::lexical_cast(text, seconds) && seconds >= 0 && seconds <= 1e6;
  return is_valid ? std::string() : "give a number of seconds from 0 (never) to 1000000";
}

std::string check_device(const std::string& text) {
  if (text == "cpu") return {};
  return fmt::format("there is no device '{}'; the devices are: cpu", text);
}

std::string check_range(const std::string& text) {
  if (parse_range(text)) return {};
  return fmt::format("'{}' is not a range of command numbers; use A..B, A.., ..B or A", text);
}

std::string check_runs(const std::string& text) {
  constexpr uint32_t kMax = 1'000'000;
  const auto runs = parse_number<uint32_t>(text);
  if (runs && *runs <= kMax) return {};
  return fmt::format("'{}' is not a number of runs from 0 to {}", text, kMax);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.file, "Trace document of a full capture")->required();
  app.add_option("--only", options.only,
                 "Only these commands; those before them are run too\n"
                 "where their results are needed, without being\n"
                 "verified or timed")
      ->type_name("A..B")
      ->check(check_range);
  app.add_option("--with", options.replacements,
                 "Build this kernel from another source, to try a fix;\n"
                 "may be repeated")
      ->type_name("KERNEL=FILE")
      ->check(check_replacement);
  app.add_option("--repeat", options.repeats,
                 "Run each command N more times and print a table of\n"
                 "kernels: median times captured and replayed, and GB/s")
      ->type_name("N")
      ->check(check_runs);
  app.add_option("--warm-up", options.warm_ups,
                 "With --repeat: runs before those, which do not count\n"
                 "(1 unless told)")
      ->type_name("N")
      ->check(check_runs);
  app.add_option("--tolerance", options.tolerance,
                 "How far results of kernels that are not deterministic\n"
                 "may be away, relative to the larger of the number and\n"
                 "the mean magnitude of its array (1e-5 unless told);\n"
                 "all others have to be the same in every bit")
      ->type_name("X")
      ->check(check_tolerance);
  app.add_option("--device", options.device, "Where to run: cpu")
      ->type_name("NAME")
      ->check(check_device);
  app.add_option("--timeout", options.timeout_s,
                 "Stop a kernel after so many seconds, 0 for never\n"
                 "(ASSAY_KERNEL_TIMEOUT, or 60 unless told)")
      ->type_name("SECONDS")
      ->check(check_timeout);
}

}  // namespace

void add_replay_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "replay",
       .summary = "Run a captured trace again, verify and time it",
       .example = "Commands run one after the other in the order they were captured; "
                  "what each\nwrote is compared bit for bit with the capture. The exit "
                  "code is 1 when something\ndiffers. The kernels of the file run on "
                  "this machine: replay files you trust.\n\n"
                  "Examples:\n"
                  "  assay replay run.gputrace\n"
                  "  assay replay run.gputrace --repeat 20 --json\n"
                  "  assay replay run.gputrace --only 17 --with softmax=fixed.metal"},
      declare, run);
}

}  // namespace assay::cli
