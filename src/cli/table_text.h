// Tables of analysis as aligned text for people.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"
#include "cli/console.h"

namespace assay::cli {

// Prints as rows come; columns are as wide as the first rows need.
class TableText final : public analysis::RowSink {
 public:
  // `more` tells how to see rows that were left out; empty: there is no way.
  TableText(const Console& console, std::string more) : console_(console), more_(std::move(more)) {}

  void begin(const analysis::TableHead& head) override;
  void row(std::span<const analysis::Cell> cells) override;
  void end(int64_t left_out) override;

 private:
  bool is_shown(size_t column) const;
  base::Align align_of(size_t column) const;
  void print_rows();
  void print_list();

  const Console& console_;
  const std::string more_;
  analysis::TableHead head_;
  std::vector<std::vector<analysis::Cell>> rows_;  // not printed yet
  bool has_printed_rows_ = false;
  bool is_first_table_ = true;
};

// "1.50 MiB", "-" where nothing is known. Control characters of the trace stay out of the terminal,
// and longer texts are cut.
std::string cell_text(const analysis::Cell& cell, analysis::ColumnKind kind, size_t max_width);

}  // namespace assay::cli
