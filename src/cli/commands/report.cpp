// See report.h.
#include "cli/commands/report.h"

#include "analysis/report/report_json.h"
#include "cli/json_text.h"
#include "cli/report_text.h"
#include "cli/trace_options.h"
#include "trace/document.h"

namespace assay::cli {
namespace {

struct Options {
  std::string file;
  bool is_json = false;
};

Result<int> run(const Options& options, const Console& console) {
  const Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  const Result<analysis::Report> report = analysis::make_report(*document);
  if (!report) return report.error();
  console.print(options.is_json ? json_text(analysis::report_json(*report))
                                : report_text(*report, console));
  return 0;
}

}  // namespace

void add_report_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "report",
       .summary = "Say why a recorded program is slow, and what to change",
       .example =
           "Says whether the device or the program is the limit, and what would make it "
           "faster:\nkernels that compile would join, gaps in which the device waits, copies, "
           "compilations,\nkernels far below the device's peak, memory. Each finding has the "
           "line it comes from\nand an estimate of the gain. Start, warm-up and end of the "
           "program do not count.\n\n"
           "Examples:\n"
           "  assay report run.trace\n"
           "  assay report run.trace --json"},
      [](CLI::App& app, Options& options) { declare_file(app, options.file); }, run);
}

}  // namespace assay::cli
