// See table.h.
#include "analysis/table.h"

namespace assay::analysis {

void Table::send_to(RowSink& sink) const {
  sink.begin(head);
  for (const std::vector<Cell>& row : rows) sink.row(row);
  sink.end(left_out);
}

}  // namespace assay::analysis
