// A sound database with any values in its rows: every one can be read and checked.
#include "trace/document.h"
#include "trace/testing/changed_rows.h"
#include "trace/testing/read_everything.h"
#include "trace/testing/sqlite_arena.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace assay::trace;  // NOLINT(google-build-using-namespace)

constexpr int64_t kMaxContentBytes = 1 << 16;

void read_document(std::span<const std::byte> changes) {
  const assay::Result<Document> document = testing::open_changed(changes);
  ASSAY_ENSURE(document, "values of rows must not keep a document from opening");
  const bool is_good = static_cast<bool>(document->check());
  ASSAY_ENSURE(is_good || !changes.empty(), "the document was wrong before it was changed");
  testing::read_everything(*document, kMaxContentBytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return testing::run_fuzz_input(data, size, read_document);
}
