// See kernels.h.
#include "analysis/views/kernels.h"

#include "analysis/work_totals.h"

namespace assay::analysis {

Result<void> run_kernels(const trace::Document& document, const ViewOptions& options,
                         RowSink& sink) {
  const Result<TraceTotals> totals = compute_totals(document, WithBytes::kYes);
  if (!totals) return totals.error();
  using enum ColumnKind;
  sink.begin({"kernels",
              "",
              {{"kernel", "kernel", kText},
               {"count", "count", kCount},
               {"total_ns", "total", kDuration},
               {"share_percent", "share", kPercent},
               {"median_ns", "median", kDuration},
               {"min_ns", "min", kDuration},
               {"max_ns", "max", kDuration},
               {"bytes_read", "read", kBytes},
               {"bytes_written", "written", kBytes},
               {"gigabytes_per_second", "rate", kRate}}});
  int64_t shown = 0, left_out = 0;
  for (const WorkTotals& work : totals->work) {
    if (work.name.find(options.kernel) == std::string::npos) continue;
    if (options.limit && shown == *options.limit) {
      ++left_out;
      continue;
    }
    ++shown;
    const auto total = static_cast<double>(work.time.total());
    const auto all = static_cast<double>(totals->time);
    auto if_known = [&](Cell cell) { return totals->has_bytes ? cell : Cell(); };
    const Cell cells[] = {work.name,
                          work.time.count(),
                          work.time.total(),
                          all > 0 ? Cell(100 * total / all) : Cell(),
                          work.time.median(),
                          work.time.min(),
                          work.time.max(),
                          if_known(work.bytes_read),
                          if_known(work.bytes_written),
                          total > 0 ? if_known(static_cast<double>(work.bytes()) / total) : Cell()};
    sink.row(cells);
  }
  sink.end(left_out);
  return {};
}

}  // namespace assay::analysis
