// See demo.h.
#include "cli/commands/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/ensure.h"
#include "base/format.h"
#include "cli/demo/demo_case.h"
#include "cli/json_text.h"
#include "cli/source_options.h"
#include "cli/timed_run.h"
#include "runtime/open_device.h"

namespace assay::cli {
namespace {

struct Options {
  bool is_json = false;
};

struct Outcome {
  const DemoCase& sample;
  uint64_t elements = 0;
  uint64_t traffic_bytes = 0;
  double compile_ns = 0;  // from the text of the sample to code that can run
  TimeSummary time = {};
  bool is_correct = false;
  std::string error = {};  // empty unless it could not run
};

// Few: the reference executor runs one thread at a time.
constexpr size_t kTimedRuns = 3;

std::string_view sample_text(std::string_view file) {
  const auto files = sample_files();
  const auto found = std::ranges::find(files, file, &base::EmbeddedFile::path);
  ASSAY_ENSURE(found != files.end(), "a demo case names a sample that is not embedded");
  return found->text;
}

Result<pipeline::LoadedKernelPtr> load(const DemoCase& sample, pipeline::PipelineCache& pipelines) {
  const std::string name = fmt::format("samples/{}", sample.file);
  const auto library = pipeline::compile_library({name, std::string(sample_text(sample.file))});
  if (!library) return library.error();
  std::vector<std::string> texts;
  for (const auto& [constant, value] : sample.constants) {
    texts.push_back(fmt::format("{}={}", constant, value));
  }
  const auto constants = parse_constants(texts, (*library)->function_constants());
  if (!constants) return constants.error();
  return pipelines.get(**library, sample.kernel, *constants);
}

Result<void> run_case(pipeline::PipelineCache& pipelines, device::Queue& queue, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Result<pipeline::LoadedKernelPtr> kernel = load(outcome.sample, pipelines);
  if (!kernel) return kernel.error();
  const std::chrono::duration<double, std::nano> compiled =
      std::chrono::steady_clock::now() - start;
  outcome.compile_ns = compiled.count();

  const Result<PreparedCase> prepared = outcome.sample.prepare(*pipelines.device());
  if (!prepared) return prepared.error();
  outcome.elements = prepared->elements;
  outcome.traffic_bytes = prepared->traffic_bytes;
  const DispatchJob job{*kernel, prepared->bindings, prepared->size};
  if (const Result<double> first = run_once(queue, job); !first) return first.error();
  outcome.is_correct = prepared->check();
  const Result<TimeSummary> time = run_repeatedly(queue, job, kTimedRuns);
  if (!time) return time.error();
  outcome.time = *time;
  return {};
}

std::string verdict(const Outcome& outcome, const Console& console) {
  if (!outcome.error.empty()) return console.paint("failed", base::Colour::kRed);
  return outcome.is_correct ? console.paint("correct", base::Colour::kGreen)
                            : console.paint("wrong", base::Colour::kRed);
}

std::string make_table(const std::vector<Outcome>& outcomes, const Console& console) {
  using base::Align;
  base::Table table({{"kernel"},
                     {"shows"},
                     {"elements", Align::kRight},
                     {"compile", Align::kRight},
                     {"time", Align::kRight},
                     {"GB/s", Align::kRight},
                     {"result"}});
  for (const Outcome& outcome : outcomes) {
    const bool has_run = outcome.error.empty();
    const auto bytes = static_cast<double>(outcome.traffic_bytes);
    table.add_row({std::string(outcome.sample.kernel), std::string(outcome.sample.shows),
                   has_run ? fmt::format("{}", outcome.elements) : "-",
                   has_run ? base::format_duration(outcome.compile_ns) : "-",
                   has_run ? base::format_duration(outcome.time.median_ns) : "-",
                   has_run ? fmt::format("{:.2f}", bytes / outcome.time.median_ns) : "-",
                   verdict(outcome, console)});
  }
  return table.text();
}

Json make_json(const std::vector<Outcome>& outcomes) {
  Json list = Json::array();
  for (const Outcome& outcome : outcomes) {
    Json json = {{"kernel", outcome.sample.kernel},
                 {"shows", outcome.sample.shows},
                 {"is_correct", outcome.is_correct}};
    if (outcome.error.empty()) {
      json["elements"] = outcome.elements;
      json["compile_milliseconds"] = outcome.compile_ns / 1e6;
      json["median_milliseconds"] = outcome.time.median_ns / 1e6;
      json["gigabytes_per_second"] =
          static_cast<double>(outcome.traffic_bytes) / outcome.time.median_ns;
    } else {
      json["error"] = outcome.error;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Result<int> run(const Options& options, const Console& console) {
  const Result<runtime::OpenedDevice> opened = runtime::open_device();
  if (!opened) return opened.error();
  const Result<std::unique_ptr<device::Queue>> queue = opened->device->create_queue("demo");
  if (!queue) return queue.error();
  pipeline::PipelineCache pipelines(opened->device, opened->build_options);
  std::vector<Outcome> outcomes;
  for (const DemoCase& sample : demo_cases()) {
    Outcome outcome{.sample = sample};
    if (const Result<void> done = run_case(pipelines, **queue, outcome); !done) {
      outcome.error = done.error().message;
      outcome.is_correct = false;
      console.print_error(fmt::format("{}: {}", sample.kernel, outcome.error));
    }
    outcomes.push_back(std::move(outcome));
  }
  const auto correct = std::ranges::count(outcomes, true, &Outcome::is_correct);
  if (options.is_json) {
    console.print(
        json_text({{"device", opened->device->name()}, {"kernels", make_json(outcomes)}}));
  } else {
    console.print(fmt::format("{} with {} thread{}\n\n{}\n{} of {} kernels are correct\n",
                              opened->device->name(), opened->threads,
                              opened->threads == 1 ? "" : "s", make_table(outcomes, console),
                              correct, outcomes.size()));
  }
  return correct == std::ssize(outcomes) ? 0 : 1;
}

}  // namespace

void add_demo_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "demo",
       .summary = "Compile and run sample kernels and compare them with C++",
       .example = "Example:\n  assay demo"},
      [](CLI::App&, Options&) {}, run);
}

}  // namespace assay::cli
