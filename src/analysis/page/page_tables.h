// The small tables of a page: facts, texts, kernels, queues and whatever else has few rows.
#pragma once

#include "analysis/page/row_index.h"
#include "analysis/page/section_writer.h"
#include "trace/document.h"

namespace assay::analysis {

// Where rows of a document are in the lists of a page; index 0 of a list is "none".
struct PageIndexes {
  RowIndex texts, kernels, queues, launches, threads;
};

// Adds facts, texts, kernels, queues, threads, measurements, launches, compilations and notes.
Result<PageIndexes> add_page_tables(const trace::Document& document, SectionWriter& section);

// How many rows a table has; an error beyond what a page can hold.
Result<int64_t> count_page_rows(const trace::Document& document, const char* table);

// Commands by id, in the order of a page.
Result<RowIndex> index_commands(const trace::Document& document);

}  // namespace assay::analysis
