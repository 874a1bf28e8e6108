// `assay trace export`: a trace in forms that other programs read. See trace.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "analysis/exporters/csv_rows.h"
#include "analysis/exporters/dot.h"
#include "analysis/exporters/perfetto.h"
#include "analysis/view_registry.h"
#include "cli/commands/trace.h"
#include "cli/file_output.h"
#include "cli/json_text.h"
#include "cli/trace_options.h"

namespace assay::cli {
namespace {

constexpr int64_t kGraphCommands = 1000;

struct Options {
  std::string file;
  std::string target;
  std::string format;  // empty: by the target's extension
  std::string view = "kernels";
  std::string table;
  int64_t limit = -1;  // of commands in a graph; -1: unless told
  bool is_json = false;
};

// Empty for an extension that says nothing.
std::string format_of(const std::string& target) {
  const std::string extension = std::filesystem::path(target).extension().string();
  if (extension == ".json") return "perfetto";
  if (extension == ".csv") return "csv";
  if (extension == ".dot" || extension == ".gv") return "dot";
  if (extension == ".svg") return "svg";
  return {};
}

Result<void> export_graph(const Options& options, const trace::Document& document,
                          const Console& console, analysis::Output& output) {
  const int64_t limit = options.limit < 0 ? kGraphCommands : options.limit;
  auto note_rest = [&](int64_t left_out) {
    if (left_out == 0) return;
    console.print_note(fmt::format(
        "the graph has the first {} commands, {} more were left out; --limit takes more", limit,
        left_out));
  };
  if (options.format == "dot") {
    const Result<int64_t> left_out = analysis::export_dot(document, limit, output);
    if (!left_out) return left_out.error();
    note_rest(*left_out);
    return {};
  }
  std::string dot;
  analysis::Output graph([&](std::string_view text) -> Result<void> {
    dot += text;
    return {};
  });
  const Result<int64_t> left_out = analysis::export_dot(document, limit, graph);
  if (!left_out) return left_out.error();
  if (Result<void> done = graph.finish(); !done) return done;
  const Result<std::string> picture = analysis::render_svg(dot);
  if (!picture) return picture.error();
  note_rest(*left_out);
  output << *picture;
  return {};
}

Result<void> export_to(const Options& options, const trace::Document& document,
                       const Console& console, analysis::Output& output) {
  if (options.format == "perfetto") return analysis::export_perfetto(document, output);
  if (options.format != "csv") return export_graph(options, document, console, output);
  const analysis::View* view = analysis::find_view(options.view);
  // The first table, except where the first is about the second.
  std::string table = options.table;
  if (table.empty() && options.view == "deps") table = "dependencies";
  analysis::CsvRows rows(output, table);
  if (Result<void> done = view->run(document, {.limit = std::nullopt}, rows); !done) return done;
  return rows.finish();
}

Result<int> run(const Options& given, const Console& console) {
  Options options = given;
  if (options.format.empty()) options.format = format_of(options.target);
  if (options.format.empty()) {
    return Error{
        fmt::format("'{}' does not say what to make; end it in .json (Perfetto), .csv, "
                    ".dot or .svg, or use --format",
                    options.target)};
  }
  const Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  if (options.target == "-") {
    analysis::Output output([&](std::string_view text) -> Result<void> {
      console.print(text);
      return {};
    });
    if (Result<void> done = export_to(options, *document, console, output); !done) {
      return done.error();
    }
    (void)output.finish();  // printing has no error of its own
    return 0;
  }
  Result<FileOutput> file = FileOutput::create(options.target);
  if (!file) return file.error();
  analysis::Output output([&](std::string_view text) { return file->write(text); });
  if (Result<void> done = export_to(options, *document, console, output); !done) {
    return done.error();
  }
  if (Result<void> done = output.finish(); !done) return done.error();
  if (Result<void> done = file->close(); !done) return done.error();
  console.print(options.is_json ? json_text({{"file", options.target}, {"format", options.format}})
                                : fmt::format("{} written ({})\n", options.target, options.format));
  return 0;
}

void declare(CLI::App& app, Options& options) {
  declare_file(app, options.file);
  app.add_option("TARGET", options.target, "File to write; '-': standard output")->required();
  app.add_option("--format", options.format,
                 "perfetto (for ui.perfetto.dev), csv, dot or svg;\n"
                 "unless given, TARGET's extension says it")
      ->type_name("FORMAT")
      ->check([](const std::string& text) {
        for (const char* known : {"perfetto", "csv", "dot", "svg"}) {
          if (text == known) return std::string();
        }
        return fmt::format("'{}' is not a format; use perfetto, csv, dot or svg", text);
      });
  std::vector<std::string> names;
  for (const analysis::View& view : analysis::views()) names.emplace_back(view.name);
  app.add_option("--view", options.view,
                 fmt::format("For csv: {}\n(default: kernels)", fmt::join(names, ", ")))
      ->type_name("VIEW")
      ->check([names](const std::string& text) {
        if (analysis::find_view(text) != nullptr) return std::string();
        return fmt::format("'{}' is not a view; there are {}", text, fmt::join(names, ", "));
      });
  app.add_option("--table", options.table, "For csv: which table of the view, by its JSON name")
      ->type_name("NAME");
  app.add_option("--limit", options.limit, "For dot and svg: commands (default: 1000)")
      ->type_name("N")
      ->check(check_number);
}

}  // namespace

void add_trace_export(CLI::App& trace, Invocation& invocation) {
  add_command<Options>(
      trace, invocation,
      {.name = "export",
       .summary = "Write a trace for Perfetto, a spreadsheet or Graphviz",
       .example = "Examples:\n"
                  "  assay trace export model.gputrace model.json\n"
                  "  assay trace export model.gputrace commands.csv --view commands\n"
                  "  assay trace export model.gputrace dependencies.svg --limit 200"},
      declare, run);
}

}  // namespace assay::cli
