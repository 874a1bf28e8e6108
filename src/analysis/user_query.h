// A statement of the user's own.
#pragma once

#include <optional>
#include <string>

#include "analysis/table.h"
#include "trace/document.h"

namespace assay::analysis {

struct UserQuery {
  std::string sql;
  double time_limit_s = 0;  // 0: none
  std::optional<int64_t> limit = {};
};

// One statement that reads; everything else is an error, and so is one that takes too long.
Result<void> run_user_query(trace::Document& document, const UserQuery& query, RowSink& sink);

}  // namespace assay::analysis
