// See trace.h.
#include "cli/commands/trace.h"

namespace assay::cli {

void add_trace_command(CLI::App& root, Invocation& invocation) {
  CLI::App* trace = root.add_subcommand("trace", "Look into trace documents, compare, export them");
  trace->require_subcommand(1);
  trace->footer(
      "Examples:\n"
      "  assay trace summary model.gputrace\n"
      "  assay trace diff eager.gputrace compiled.gputrace\n"
      "  assay trace export model.gputrace model.json   # for ui.perfetto.dev\n"
      "\n'assay trace COMMAND --help' explains a command and shows an example.");
  add_trace_views(*trace, invocation);
  add_trace_source(*trace, invocation);
  add_trace_sql(*trace, invocation);
  add_trace_diff(*trace, invocation);
  add_trace_export(*trace, invocation);
}

}  // namespace assay::cli
