// `assay trace source`: the MSL of a kernel. See trace.h.
#include <fmt/format.h>

#include "analysis/kernel_source.h"
#include "cli/commands/trace.h"
#include "cli/json_text.h"
#include "cli/trace_options.h"

namespace assay::cli {
namespace {

struct Options {
  std::string file;
  std::string kernel;
  bool is_json = false;
};

Result<int> run(const Options& options, const Console& console) {
  const Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  const auto sources = analysis::load_kernel_sources(*document, options.kernel);
  if (!sources) return sources.error();
  Json json = Json::array();
  for (size_t i = 0; i < sources->size(); ++i) {
    const analysis::KernelSource& source = (*sources)[i];
    if (options.is_json) {
      json.push_back({{"kernel", options.kernel},
                      {"file", source.file},
                      {"options", Json::parse(source.options, nullptr, false)},
                      {"source", source.text}});
      continue;
    }
    if (sources->size() > 1) {
      console.print(fmt::format("{}// {} of {} sources of '{}'\n", i > 0 ? "\n" : "", i + 1,
                                sources->size(), options.kernel));
    }
    console.print(source.text);
    if (!source.text.ends_with('\n')) console.print("\n");
  }
  if (options.is_json) console.print(json_text(json));
  return 0;
}

void declare(CLI::App& app, Options& options) {
  declare_file(app, options.file);
  app.add_option("KERNEL", options.kernel, "Name of the kernel")->required();
}

}  // namespace

void add_trace_source(CLI::App& trace, Invocation& invocation) {
  add_command<Options>(trace, invocation,
                       {.name = "source",
                        .summary = "The MSL of a kernel",
                        .example = "Examples:\n"
                                   "  assay trace source model.gputrace softmax\n"
                                   "  assay trace source model.gputrace softmax > softmax.metal"},
                       declare, run);
}

}  // namespace assay::cli
