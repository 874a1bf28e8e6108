// `assay trace diff`: two traces side by side. See trace.h.
#include "analysis/diff.h"
#include "cli/commands/trace.h"
#include "cli/trace_options.h"

namespace assay::cli {
namespace {

constexpr int kDifferent = 1;

struct Options {
  std::string before;
  std::string after;
  bool is_structure = false;
  double noise_percent = 5;
  RowOptions rows;
  bool is_json = false;
};

Result<int> run(const Options& options, const Console& console) {
  const Result<trace::Document> before = trace::Document::open(options.before);
  if (!before) return before.error();
  const Result<trace::Document> after = trace::Document::open(options.after);
  if (!after) return after.error();
  const analysis::DiffOptions diff{.limit = options.rows.rows(),
                                   .noise_percent = options.noise_percent};
  bool is_different = false;
  const Result<void> printed =
      print_tables(console, options.is_json, [&](analysis::RowSink& sink) -> Result<void> {
        if (!options.is_structure) return analysis::run_diff(*before, *after, diff, sink);
        const Result<bool> found = analysis::run_structure_diff(*before, *after, diff, sink);
        if (!found) return found.error();
        is_different = *found;
        return {};
      });
  if (!printed) return printed.error();
  return is_different ? kDifferent : 0;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("BEFORE", options.before, "Trace document")->required();
  app.add_option("AFTER", options.after, "Trace document to compare with it")->required();
  app.add_flag("--structure", options.is_structure,
               "Only what has no noise: dispatches, bytes, waits,\n"
               "allocations, memory; exit code 1 when it differs");
  app.add_option("--noise", options.noise_percent,
                 "Times that differ by less count as the same (default: 5)")
      ->type_name("PERCENT")
      ->check(check_number);
  declare_rows(app, options.rows);
}

}  // namespace

void add_trace_diff(CLI::App& trace, Invocation& invocation) {
  add_command<Options>(trace, invocation,
                       {.name = "diff",
                        .summary = "Compare two traces by kernel",
                        .example = "Examples:\n"
                                   "  assay trace diff eager.gputrace compiled.gputrace\n"
                                   "  assay trace diff --structure stored.gputrace new.gputrace"},
                       declare, run);
}

}  // namespace assay::cli
