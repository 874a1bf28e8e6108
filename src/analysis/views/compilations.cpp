// See compilations.h.
#include "analysis/views/compilations.h"

#include "analysis/query.h"

namespace assay::analysis {

Result<void> run_compilations(const trace::Document& document, const ViewOptions& options,
                              RowSink& sink) {
  using enum ColumnKind;
  sink.begin({"compilations",
              "",
              {{"kernel", "kernel", kText},
               {"file", "file", kText},
               {"ended_ns", "ended at", kTime},
               {"duration_ns", "took", kDuration},
               {"origin", "from", kText}}});
  int64_t shown = 0, left_out = 0;
  const Result<void> read = for_each_row(
      document,
      "SELECT coalesce(kernels.name, '[never ran]'), coalesce(kernels.file, ''), ended, duration, "
      "from_cache FROM compilations LEFT JOIN kernels ON kernels.id = compilations.kernel "
      "WHERE instr(coalesce(kernels.name, ''), ?) ORDER BY compilations.id",
      [&](const trace::Statement& row) {
        if (options.limit && shown == *options.limit) {
          ++left_out;
          return;
        }
        ++shown;
        const Cell cells[] = {std::string(row.text(0)), std::string(row.text(1)), row.integer(2),
                              row.integer(3),
                              std::string(row.integer(4) != 0 ? "cache" : "source")};
        sink.row(cells);
      },
      options.kernel);
  sink.end(left_out);
  return read;
}

}  // namespace assay::analysis
