// Any bytes as a trace document: an error, or rows and contents within the limits asked for. What
// is wrong in the rows of a sound database is left to document_rows_fuzz.cpp.
#include "trace/document.h"
#include "trace/testing/read_everything.h"
#include "trace/testing/sqlite_arena.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace assay::trace;  // NOLINT(google-build-using-namespace)

constexpr int64_t kMaxContentBytes = 1 << 16;
constexpr double kSeconds = 2;

// In memory: files cost more than reading them. Damaged files are in document_test.cpp.
void read_document(std::span<const std::byte> bytes) {
  assay::Result<Database> database = Database::open_bytes(bytes);
  if (!database) return;
  assay::Result<Document> document = Document::adopt("input", std::move(*database));
  if (!document) return;
  document->database().set_time_limit(kSeconds);
  (void)document->check();
  testing::read_everything(*document, kMaxContentBytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return testing::run_fuzz_input(data, size, read_document);
}
