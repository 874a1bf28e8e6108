// See trace_options.h.
#include "cli/trace_options.h"

#include <fmt/format.h>

#include "analysis/json_rows.h"
#include "cli/table_text.h"

namespace assay::cli {

void declare_file(CLI::App& app, std::string& file) {
  app.add_option("FILE", file, "Trace document")->required();
}

std::string check_number(const std::string& text) {
  double number = 0;
  if (CLI::detail::lexical_cast(text, number) && number >= 0) return {};
  return fmt::format("'{}' is no number from 0 on", text);
}

void declare_rows(CLI::App& app, RowOptions& rows) {
  app.add_option("--limit", rows.limit, "Rows of each long table (default: 20)")
      ->type_name("N")
      ->check(check_number);
  app.add_flag("--all", rows.is_all, "All rows");
}

Result<void> print_tables(const Console& console, bool is_json,
                          const std::function<Result<void>(analysis::RowSink&)>& fill) {
  if (!is_json) {
    TableText text(console, "--all shows them");
    return fill(text);
  }
  analysis::Output output([&](std::string_view text) -> Result<void> {
    console.print(text);
    return {};
  });
  analysis::JsonRows rows(output);
  if (Result<void> filled = fill(rows); !filled) return filled;
  rows.close();
  return output.finish();
}

}  // namespace assay::cli
