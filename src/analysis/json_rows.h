// Tables as JSON, row by row.
#pragma once

#include <string>
#include <string_view>

#include "analysis/output.h"
#include "analysis/table.h"

namespace assay::analysis {

// With quotes; bytes that are no UTF-8 are replaced.
std::string json_string(std::string_view text);
std::string json_value(const Cell& cell);

// One object: a list of rows under the name of each table, and under "left_out" how many rows of
// which table are missing, if any.
class JsonRows final : public RowSink {
 public:
  explicit JsonRows(Output& output) : output_(output) { output_ << "{"; }
  ~JsonRows() override = default;

  void begin(const TableHead& head) override;
  void row(std::span<const Cell> cells) override;
  void end(int64_t left_out) override;
  // Closes the object.
  void close();

 private:
  Output& output_;
  TableHead head_;
  std::string left_out_;
  bool is_first_table_ = true;
  bool is_first_row_ = true;
};

}  // namespace assay::analysis
