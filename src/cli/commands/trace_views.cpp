// `assay trace summary`, `kernels`, …: one command for each view of analysis. See trace.h.
#include <fmt/format.h>

#include "analysis/view_registry.h"
#include "cli/commands/trace.h"
#include "cli/trace_options.h"
#include "trace/document.h"

namespace assay::cli {
namespace {

struct Options {
  const analysis::View* view = nullptr;
  std::string file;
  RowOptions rows;
  std::string kernel;
  std::string queue;
  bool is_json = false;
};

Result<int> run(const Options& options, const Console& console) {
  const Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  const Result<void> printed = print_tables(console, options.is_json, [&](analysis::RowSink& sink) {
    return options.view->run(
        *document, {.limit = options.rows.rows(), .kernel = options.kernel, .queue = options.queue},
        sink);
  });
  if (!printed) return printed.error();
  return 0;
}

std::string example(const analysis::View& view) {
  std::string text = fmt::format("Examples:\n  assay trace {} model.gputrace\n", view.name);
  if (view.has_kernel_filter) {
    text += fmt::format("  assay trace {} model.gputrace --kernel softmax --limit 5\n", view.name);
  }
  return text + fmt::format("  assay trace {} model.gputrace --all --json", view.name);
}

}  // namespace

void add_trace_views(CLI::App& trace, Invocation& invocation) {
  for (const analysis::View& view : analysis::views()) {
    auto options = std::make_shared<Options>();
    options->view = &view;
    CLI::App* app = trace.add_subcommand(view.name, view.summary);
    app->footer(example(view));
    declare_file(*app, options->file);
    declare_rows(*app, options->rows);
    if (view.has_kernel_filter) {
      app->add_option("--kernel", options->kernel, "Only kernels whose name contains this")
          ->type_name("TEXT");
    }
    if (view.has_queue_filter) {
      app->add_option("--queue", options->queue, "Only queues whose label contains this")
          ->type_name("TEXT");
    }
    app->add_flag("--json", options->is_json, "Print the result as JSON");
    app->callback([&invocation, options] {
      invocation.is_json = options->is_json;
      invocation.run = [options](const Console& console) { return run(*options, console); };
    });
  }
}

}  // namespace assay::cli
