// `assay trace source`: the MSL of a kernel. See trace.h.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "analysis/kernel_findings.h"
#include "analysis/kernel_source.h"
#include "analysis/report/report_json.h"
#include "cli/commands/trace.h"
#include "cli/json_text.h"
#include "cli/table_text.h"
#include "cli/trace_options.h"

namespace assay::cli {
namespace {

constexpr size_t kMostText = 1000;

struct Options {
  std::string file;
  std::string kernel;
  bool has_findings = false;
  bool is_json = false;
};

// "error: reads element 7 of 'x' [bounds-read]".
std::string finding_text(const analysis::KernelFinding& finding) {
  return fmt::format("{}: {} [{}]", analysis::severity_name(finding.severity),
                     cell_text(finding.message, analysis::ColumnKind::kText, kMostText),
                     cell_text(finding.rule, analysis::ColumnKind::kText, kMostText));
}

// The source with a comment below each line that checks found something at.
std::string mark_lines(const analysis::KernelSource& source,
                       const std::vector<analysis::KernelFinding>& findings) {
  std::multimap<int64_t, const analysis::KernelFinding*> by_line;
  for (const analysis::KernelFinding& each : findings) {
    by_line.emplace(analysis::find_line(source.text, source.file, {each.file, each.line}), &each);
  }
  std::string marked;
  std::istringstream lines(source.text);
  std::string line;
  for (int64_t number = 1; std::getline(lines, line); ++number) {
    marked += line + "\n";
    const auto [begin, end] = by_line.equal_range(number);
    for (auto each = begin; each != end; ++each) {
      const analysis::KernelFinding& finding = *each->second;
      const auto margin = std::clamp<int64_t>(finding.character - 1, 2, 60) - 2;
      marked += fmt::format("//{}^ {}\n", std::string(static_cast<size_t>(margin), ' '),
                            finding_text(finding));
    }
  }
  const auto [begin, end] = by_line.equal_range(0);  // in a header, for example
  for (auto each = begin; each != end; ++each) {
    marked += fmt::format("// {}:{}: {}\n",
                          cell_text(each->second->file, analysis::ColumnKind::kText, kMostText),
                          each->second->line, finding_text(*each->second));
  }
  return marked;
}

Result<int> run(const Options& options, const Console& console) {
  const Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  const auto sources = analysis::load_kernel_sources(*document, options.kernel);
  if (!sources) return sources.error();
  const auto findings = analysis::load_kernel_findings(*document, options.kernel);
  if (!findings) return findings.error();
  Json json = Json::array(), found = Json::array();
  for (const auto& each : *findings) found.push_back(Json(analysis::kernel_finding_json(each)));
  for (size_t i = 0; i < sources->size(); ++i) {
    const analysis::KernelSource& source = (*sources)[i];
    if (options.is_json) {
      json.push_back({{"kernel", options.kernel},
                      {"file", source.file},
                      {"options", Json::parse(source.options, nullptr, false)},
                      {"source", source.text},
                      {"findings", found}});
      continue;
    }
    if (sources->size() > 1) {
      console.print(fmt::format("{}// {} of {} sources of '{}'\n", i > 0 ? "\n" : "", i + 1,
                                sources->size(), options.kernel));
    }
    console.print(options.has_findings ? mark_lines(source, *findings) : source.text);
    if (!source.text.ends_with('\n') && !options.has_findings) console.print("\n");
  }
  if (!findings->empty() && !options.has_findings && !options.is_json) {
    console.print_note("checks found something in this kernel; --findings shows it at its lines");
  }
  if (options.is_json) console.print(json_text(json));
  return 0;
}

void declare(CLI::App& app, Options& options) {
  declare_file(app, options.file);
  app.add_option("KERNEL", options.kernel, "Name of the kernel")->required();
  app.add_flag("--findings", options.has_findings,
               "Mark the lines that checks found something at, where\nthe program ran under them");
}

}  // namespace

void add_trace_source(CLI::App& trace, Invocation& invocation) {
  add_command<Options>(trace, invocation,
                       {.name = "source",
                        .summary = "The MSL of a kernel",
                        .example = "Examples:\n"
                                   "  assay trace source model.gputrace softmax\n"
                                   "  assay trace source model.gputrace softmax > softmax.metal\n"
                                   "  ASSAY_CHECK=1 assay capture -o checked.gputrace -- model.py\n"
                                   "  assay trace source checked.gputrace softmax --findings"},
                       declare, run);
}

}  // namespace assay::cli
