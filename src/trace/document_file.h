// The file of a new document: all tables, no rows.
#pragma once

#include <string>

#include "base/result.h"

namespace assay::trace {

// The file appears with its tables in it or not at all, whenever the process dies. What is already
// there is never overwritten: two processes cannot share one document.
Result<void> create_document_file(const std::string& path);

}  // namespace assay::trace
