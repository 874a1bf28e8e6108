// Options that the commands of `assay trace` share, and how their tables are printed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "analysis/table.h"
#include "base/result.h"
#include "cli/console.h"

namespace assay::cli {

struct RowOptions {
  int64_t limit = 20;
  bool is_all = false;

  std::optional<int64_t> rows() const {
    return is_all ? std::nullopt : std::optional<int64_t>(limit);
  }
};

void declare_file(CLI::App& app, std::string& file);
// For options that take a number from 0 on.
std::string check_number(const std::string& text);
// --limit and --all.
void declare_rows(CLI::App& app, RowOptions& rows);

// Runs `fill` with a sink that prints text or JSON. JSON has nothing of a failed run but its error.
Result<void> print_tables(const Console& console, bool is_json,
                          const std::function<Result<void>(analysis::RowSink&)>& fill);

}  // namespace assay::cli
