// A table as comma-separated values (RFC 4180), row by row.
#pragma once

#include "analysis/output.h"
#include "analysis/table.h"

namespace assay::analysis {

// Takes the table of that name and passes over others; an empty name stands for the first table.
class CsvRows final : public RowSink {
 public:
  CsvRows(Output& output, std::string table) : output_(output), table_(std::move(table)) {}

  void begin(const TableHead& head) override;
  void row(std::span<const Cell> cells) override;
  void end(int64_t left_out) override;

  // An error that names the tables there were, if none was the one asked for.
  Result<void> finish() const;

 private:
  Output& output_;
  std::string table_;
  bool is_taken_ = false;
  bool has_taken_ = false;
  std::vector<std::string> names_;
};

}  // namespace assay::analysis
