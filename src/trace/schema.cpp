// See schema.h.
#include "trace/schema.h"

#include <span>

#include "base/embedded_file.h"

namespace assay::trace {

std::span<const base::EmbeddedFile> schema_files();

std::string_view schema_sql() { return schema_files().front().text; }

}  // namespace assay::trace
