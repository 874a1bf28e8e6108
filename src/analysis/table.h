// What views answer with: tables whose rows go to a sink one by one, so that nobody has to hold
// them all. How they look is left to the sinks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace assay::analysis {

enum class ColumnKind : uint8_t {
  kText,
  kCount,
  kBytes,
  kDuration,  // nanoseconds
  kTime,      // nanoseconds since the capture began
  kPercent,   // 0 to 100
  kRate,      // bytes in a nanosecond, which are GB/s
};

struct Column {
  std::string name;   // for scripts, with the unit: "total_ns"
  std::string title;  // for people, who see the unit in the cell: "total"
  ColumnKind kind = ColumnKind::kText;
};

// Counts, bytes and times are integers, percents and rates numbers; nothing where nobody knows.
using Cell = std::variant<std::monostate, int64_t, double, std::string>;

struct TableHead {
  std::string name;   // for scripts
  std::string title;  // for people; may be empty
  std::vector<Column> columns;
  bool is_record = false;      // one row by nature: people read it as a list
  bool keeps_columns = false;  // somebody chose them: they are shown even without content
};

// Takes tables one behind the other.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(const TableHead& head) = 0;
  virtual void row(std::span<const Cell> cells) = 0;
  // `left_out` more rows were there.
  virtual void end(int64_t left_out) = 0;
};

// A small table in memory.
struct Table {
  TableHead head;
  std::vector<std::vector<Cell>> rows = {};
  int64_t left_out = 0;

  void send_to(RowSink& sink) const;
};

// Keeps what it gets.
class TableCollector final : public RowSink {
 public:
  void begin(const TableHead& head) override { tables.push_back({head}); }
  void row(std::span<const Cell> cells) override {
    tables.back().rows.emplace_back(cells.begin(), cells.end());
  }
  void end(int64_t left_out) override { tables.back().left_out = left_out; }

  std::vector<Table> tables;
};

}  // namespace assay::analysis
