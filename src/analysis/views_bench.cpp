// Views of a trace with a million dispatches, three bindings each.
#include <benchmark/benchmark.h>

#include "analysis/view_registry.h"
#include "base/testing/temporary_folder.h"
#include "trace/testing/sample_trace.h"

namespace assay::analysis {
namespace {

constexpr int64_t kCommands = 1'000'000;

const std::string& large_trace() {
  static const base::testing::TemporaryFolder folder;
  static const std::string path = [] {
    std::string file = folder.file("large.gputrace");
    const Result<void> written = trace::testing::write_sample(file, kCommands);
    return written ? file : std::string();
  }();
  return path;
}

// From opening the document to the last row. The aim for the summary is a second.
void run_view(benchmark::State& state, const char* name) {
  const std::string& path = large_trace();
  for (auto _ : state) {
    const Result<trace::Document> document = trace::Document::open(path);
    TableCollector tables;
    if (!document || !find_view(name)->run(*document, {}, tables)) {
      state.SkipWithError("the view failed");
      break;
    }
    benchmark::DoNotOptimize(tables.tables.size());
  }
}

BENCHMARK_CAPTURE(run_view, summary, "summary")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_view, kernels, "kernels")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_view, commands, "commands")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_view, deps, "deps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_view, memory, "memory")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::analysis
