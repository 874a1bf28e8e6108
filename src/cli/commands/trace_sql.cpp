// `assay trace sql`: a statement of the user's own. See trace.h.
#include "analysis/user_query.h"
#include "cli/commands/trace.h"
#include "cli/trace_options.h"

namespace assay::cli {
namespace {

struct Options {
  std::string file;
  std::string sql;
  double time_limit_s = 60;
  RowOptions rows{.limit = 100};
  bool is_json = false;
};

Result<int> run(const Options& options, const Console& console) {
  Result<trace::Document> document = trace::Document::open(options.file);
  if (!document) return document.error();
  const Result<void> printed = print_tables(console, options.is_json, [&](analysis::RowSink& sink) {
    return analysis::run_user_query(
        *document,
        {.sql = options.sql, .time_limit_s = options.time_limit_s, .limit = options.rows.rows()},
        sink);
  });
  if (!printed) return printed.error();
  return 0;
}

void declare(CLI::App& app, Options& options) {
  declare_file(app, options.file);
  app.add_option("STATEMENT", options.sql,
                 "One statement that reads; docs/trace-format.md has the tables")
      ->required();
  app.add_option("--limit", options.rows.limit, "Rows (default: 100)")
      ->type_name("N")
      ->check(check_number);
  app.add_flag("--all", options.rows.is_all, "All rows");
  app.add_option("--time-limit", options.time_limit_s,
                 "Seconds after which it is stopped (default: 60; 0: never)")
      ->type_name("SECONDS")
      ->check(check_number);
}

}  // namespace

void add_trace_sql(CLI::App& trace, Invocation& invocation) {
  add_command<Options>(
      trace, invocation,
      {.name = "sql",
       .summary = "Ask with a statement of your own",
       .example =
           "Examples:\n"
           "  assay trace sql model.gputrace \"SELECT name, file FROM kernels\"\n"
           "  assay trace sql model.gputrace --json \\\n"
           "    \"SELECT text, count(*) FROM commands JOIN texts ON texts.id = site GROUP BY 1\""},
      declare, run);
}

}  // namespace assay::cli
