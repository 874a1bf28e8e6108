// See baseline.h.
#include "cli/commands/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/baseline/baseline.h"
#include "base/file_bytes.h"
#include "base/format.h"
#include "cli/file_output.h"
#include "cli/json_text.h"
#include "cli/table_text.h"

namespace assay::cli {
namespace {

using analysis::Baseline;
using analysis::BaselineComparison;
using analysis::Change;
using analysis::Comparison;

struct SaveOptions {
  std::string output;
  std::vector<std::string> traces;
  bool is_json = false;
};

struct CheckOptions {
  std::string baseline;
  std::vector<std::string> traces;
  double tolerance_percent = 5;
  bool is_structure_only = false;
  bool is_markdown = false;
  bool is_all = false;
  bool is_json = false;
};

Result<int> save(const SaveOptions& options, const Console& console) {
  if (std::filesystem::exists(options.output)) {
    return Error{
        fmt::format("'{}' already exists, and nothing is overwritten; remove it or choose "
                    "another path",
                    options.output)};
  }
  const Result<Baseline> baseline = analysis::make_baseline(options.traces);
  if (!baseline) return baseline.error();
  Result<FileOutput> file = FileOutput::create(options.output);
  if (!file) return file.error();
  if (Result<void> written = file->write(analysis::baseline_text(*baseline)); !written) {
    return written.error();
  }
  if (Result<void> closed = file->close(); !closed) return closed.error();
  if (options.is_json) {
    console.print(json_text({{"file", options.output},
                             {"runs", baseline->runs},
                             {"kernels", baseline->kernels.size()}}));
  } else {
    console.print(fmt::format("{}: {} kernels, {} run{}\n", options.output,
                              baseline->kernels.size(), baseline->runs,
                              baseline->runs == 1 ? "; more of them tell noise better" : "s"));
  }
  return 0;
}

Result<Baseline> load(const std::string& path) {
  constexpr uint64_t kMaxBytes = 64 << 20;
  const auto text = base::read_file(path, {.max_bytes = kMaxBytes});
  if (!text) return Error{fmt::format("'{}' cannot be read", path)};
  Result<Baseline> baseline = analysis::parse_baseline(*text);
  if (!baseline) return Error{fmt::format("'{}': {}", path, baseline.error().message)};
  return baseline;
}

std::string time_text(const analysis::TimeSummary& time) {
  return time.count == 0 ? "-" : base::format_duration(time.median);
}

std::string difference_text(const Comparison& row) {
  if (row.before.count == 0 || row.after.count == 0 || row.before.median <= 0) return "-";
  return fmt::format("{:+.1f} %", 100 * (row.after.median / row.before.median - 1));
}

std::string allowed_text(const Comparison& row) {
  return row.allowed > 0 && row.before.median > 0
             ? fmt::format("±{:.1f} %", 100 * row.allowed / row.before.median)
             : "-";
}

std::string count_text(const Comparison& row) {
  return row.count_before == row.count_after
             ? fmt::format("{}", row.count_after)
             : fmt::format("{} → {}", row.count_before, row.count_after);
}

std::vector<std::string> cells_of(const Comparison& row) {
  return {cell_text(row.name, analysis::ColumnKind::kText, 60),
          count_text(row),
          time_text(row.before),
          time_text(row.after),
          difference_text(row),
          allowed_text(row),
          analysis::change_name(row.change)};
}

constexpr const char* kTitles[] = {"what",   "count",   "before", "after",
                                   "change", "allowed", "verdict"};

// What is the same is left out unless asked for; the step is always there.
std::vector<const Comparison*> shown_rows(const BaselineComparison& comparison, bool is_all) {
  std::vector<const Comparison*> rows;
  for (const Comparison& row : comparison.rows) {
    if (is_all || row.change != Change::kSame || &row == comparison.rows.data()) {
      rows.push_back(&row);
    }
  }
  return rows;
}

std::string verdict_text(const BaselineComparison& comparison) {
  const auto worse = std::ranges::count_if(comparison.rows, &Comparison::is_regression);
  return worse == 0
             ? fmt::format("no regression in {} kernels", comparison.rows.size() - 1)
             : fmt::format("{} of {} are worse than the baseline", worse, comparison.rows.size());
}

std::string plain_text(const BaselineComparison& comparison, bool is_all) {
  using base::Align;
  std::vector<base::Table::Column> columns;
  for (size_t i = 0; i < std::size(kTitles); ++i) {
    columns.push_back(
        {kTitles[i], i == 0 || i + 1 == std::size(kTitles) ? Align::kLeft : Align::kRight});
  }
  base::Table table(std::move(columns));
  for (const Comparison* row : shown_rows(comparison, is_all)) table.add_row(cells_of(*row));
  return table.text() + "\n" + verdict_text(comparison) + "\n";
}

// For comments on changes: signs of tables in names would end a cell.
std::string markdown_text(const BaselineComparison& comparison, bool is_all) {
  std::string text = fmt::format("**{}**\n\n|", verdict_text(comparison));
  for (const char* title : kTitles) text += fmt::format(" {} |", title);
  text += "\n|---|--:|--:|--:|--:|--:|---|\n";
  for (const Comparison* row : shown_rows(comparison, is_all)) {
    text += "|";
    for (std::string cell : cells_of(*row)) {
      for (size_t at = cell.find('|'); at != std::string::npos; at = cell.find('|', at + 2)) {
        cell.replace(at, 1, "\\|");
      }
      text += fmt::format(" {} |", cell);
    }
    text += "\n";
  }
  return text;
}

Json comparison_json(const BaselineComparison& comparison) {
  Json rows = Json::array();
  for (const Comparison& row : comparison.rows) {
    rows.push_back({{"name", row.name},
                    {"change", analysis::change_name(row.change)},
                    {"is_regression", row.is_regression()},
                    {"count_before", row.count_before},
                    {"count_after", row.count_after},
                    {"before_ns", row.before.median},
                    {"after_ns", row.after.median},
                    {"allowed_ns", row.allowed}});
  }
  return {{"has_regression", comparison.has_regression()},
          {"remark", comparison.remark},
          {"rows", std::move(rows)}};
}

Result<int> check(const CheckOptions& options, const Console& console) {
  const Result<Baseline> before = load(options.baseline);
  if (!before) return before.error();
  const Result<Baseline> after = analysis::make_baseline(options.traces);
  if (!after) return after.error();
  const BaselineComparison comparison =
      analysis::compare_baselines(*before, *after,
                                  {.tolerance = options.tolerance_percent / 100,
                                   .is_structure_only = options.is_structure_only});
  if (options.is_json) {
    console.print(json_text(comparison_json(comparison)));
  } else {
    console.print(options.is_markdown ? markdown_text(comparison, options.is_all)
                                      : plain_text(comparison, options.is_all));
    if (!comparison.remark.empty()) console.print_note(comparison.remark);
  }
  return comparison.has_regression() ? 1 : 0;
}

void declare_save(CLI::App& app, SaveOptions& options) {
  app.add_option("BASELINE", options.output, "File to write; must not exist")->required();
  app.add_option("TRACE", options.traces,
                 "Traces of runs of the same program; from three on, noise is\nknown well")
      ->required();
}

void declare_check(CLI::App& app, CheckOptions& options) {
  app.add_option("BASELINE", options.baseline, "File of assay baseline save")->required();
  app.add_option("TRACE", options.traces, "Traces of the program as it is now")->required();
  app.add_option(
         "--tolerance", options.tolerance_percent,
         "Percent by which times may grow without being told,\nnoise or not (5 unless told)")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber.description(""));
  app.add_flag("--structure", options.is_structure_only,
               "Compare what was run and how often, no times: for\nanother machine");
  app.add_flag("--markdown", options.is_markdown, "Print a Markdown table");
  app.add_flag("--all", options.is_all, "Show also what is the same");
}

}  // namespace

void add_baseline_command(CLI::App& root, Invocation& invocation) {
  CLI::App* app =
      root.add_subcommand("baseline", "Keep what runs look like, fail when they get worse");
  app->require_subcommand(1);
  app->footer(
      "Examples:\n"
      "  for i in 1 2 3; do assay record -o $i.trace -- train.py; done\n"
      "  assay baseline save train.json 1.trace 2.trace 3.trace\n"
      "  assay baseline check train.json new.trace --markdown");
  add_command<SaveOptions>(
      *app, invocation,
      {.name = "save",
       .summary = "Keep kernels, their counts, times and noise of some runs",
       .example = "Example:\n  assay baseline save train.json 1.trace 2.trace"},
      declare_save, save);
  add_command<CheckOptions>(
      *app, invocation,
      {.name = "check",
       .summary = "Compare runs with a baseline; exit code 1 where they are worse",
       .example = "A time is worse when its median has grown by more than three times the noise of "
                  "both\nsides and by more than the tolerance. Kernels that are new or run more or "
                  "less often\nare worse, too: save a new baseline when that is meant.\n\n"
                  "Examples:\n"
                  "  assay baseline check train.json new.trace\n"
                  "  assay baseline check train.json a.trace b.trace --markdown --tolerance 10"},
      declare_check, check);
}

}  // namespace assay::cli
