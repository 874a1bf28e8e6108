// Every answer about a document with any values in its rows: an error, or tables and exports.
#include "analysis/diff.h"
#include "analysis/exporters/csv_rows.h"
#include "analysis/exporters/dot.h"
#include "analysis/exporters/perfetto.h"
#include "analysis/json_rows.h"
#include "analysis/kernel_source.h"
#include "analysis/report/report.h"
#include "analysis/view_registry.h"
#include "trace/testing/changed_rows.h"
#include "trace/testing/sqlite_arena.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace assay::analysis;  // NOLINT(google-build-using-namespace)
using assay::trace::Document;

// Where text goes; nobody looks at it.
Output nowhere() {
  return Output([](std::string_view /*piece*/) -> assay::Result<void> { return {}; });
}

void show_views(const Document& document) {
  for (const View& view : views()) {
    Output output = nowhere();
    JsonRows rows(output);
    (void)view.run(document, {.limit = 3}, rows);
    rows.close();
    CsvRows csv(output, "");
    (void)view.run(document, {.limit = std::nullopt, .kernel = "ch", .queue = "s"}, csv);
    (void)csv.finish();
    (void)output.finish();
  }
}

void compare(const Document& before, const Document& after) {
  TableCollector tables;
  (void)run_diff(before, after, {}, tables);
  (void)run_structure_diff(before, after, {}, tables);
}

void export_all(const Document& document) {
  Output output = nowhere();
  (void)export_perfetto(document, output);
  (void)export_dot(document, std::nullopt, output);
  (void)output.finish();
  (void)load_kernel_sources(document, "chain");
  (void)make_report(document);
}

void answer_everything(std::span<const std::byte> changes) {
  const assay::Result<Document> document = assay::trace::testing::open_changed(changes);
  const assay::Result<Document> sound = assay::trace::testing::open_changed({});
  ASSAY_ENSURE(document && sound, "values of rows must not keep a document from opening");
  // All of them for each input would make it slow: the last byte chooses.
  switch (changes.empty() ? 0 : std::to_integer<int>(changes.back()) % 4) {
    case 0: return export_all(*document);
    case 1: return compare(*sound, *document);
    case 2: return compare(*document, *sound);
    default: return show_views(*document);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return assay::trace::testing::run_fuzz_input(data, size, answer_everything);
}
