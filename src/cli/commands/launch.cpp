// See launch.h.
#include "cli/commands/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "base/format.h"
#include "cli/bind_arguments.h"
#include "cli/json_text.h"
#include "cli/source_options.h"
#include "cli/timed_run.h"
#include "runtime/open_device.h"

namespace assay::cli {
namespace {

struct Options {
  std::string file;
  std::string kernel;
  std::vector<std::string> arguments;
  SourceOptions source;
  std::string grid;    // threads
  std::string groups;  // threadgroups
  std::string threadgroup;
  size_t timed_runs = 0;  // 0: no timing
  std::string executor;   // empty: as the settings say
  bool explains = false;
  std::optional<double> timeout_s;
  bool is_json = false;
};

// What a launch did, for both forms of output.
struct Report {
  const Options& options;
  kernel::LaunchSize size;
  BoundArguments arguments;
  double load_ns = 0;  // from the source's text to a kernel that can run
  bool is_from_cache = false;
  kernel::Executor executor = kernel::Executor::kReference;
  std::string fallback_reason = {};
  double first_run_ns = 0;
  std::optional<TimeSummary> time = {};
  std::vector<std::string> previews = {};  // one per output
};

template <typename Value>
std::string error_text(const Result<Value>& result) {
  return result ? std::string() : result.error().message;
}

// Empty when the text is a number of seconds.
std::string timeout_error(const std::string& text) {
  constexpr double kMaxSeconds = 1e6;
  double seconds = 0;
  const bool is_valid =
      CLI::detail::lexical_cast(text, seconds) && seconds >= 0 && seconds <= kMaxSeconds;
  return is_valid ? std::string() : "give a number of seconds from 0 (never) to 1000000";
}

Result<kernel::LaunchSize> launch_size(const Options& options) {
  const bool counts_threads = options.groups.empty();
  const auto grid = parse_size(counts_threads ? options.grid : options.groups);
  if (!grid) return grid.error();
  const auto group = parse_size(options.threadgroup);
  if (!group) return group.error();
  return counts_threads ? kernel::LaunchSize::threads(*grid, *group)
                        : kernel::LaunchSize::threadgroups(*grid, *group);
}

Result<std::vector<LaunchArgument>> parse_arguments(const std::vector<std::string>& texts) {
  std::vector<LaunchArgument> arguments;
  for (const std::string& text : texts) {
    Result<LaunchArgument> argument = parse_launch_argument(text);
    if (!argument) return argument.error();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

Result<pipeline::Pipeline> load_kernel(const Options& options, const Console& console,
                                       pipeline::PipelineCache& pipelines) {
  Result<msl::Source> source = read_source(options.file);
  if (!source) return source.error();
  const auto library = pipelines.compile(std::move(*source), compile_options(options.source));
  if (!library) return library.error();
  console.print_aside(msl::render((*library)->diagnostics()));
  const auto constants =
      parse_constants(options.source.constants, (*library)->function_constants());
  if (!constants) return constants.error();
  return pipelines.get_pipeline(**library, options.kernel, *constants);
}

// Stores the results of the first run: repeated runs may change them again.
Result<void> keep_outputs(Report& report) {
  for (const BoundOutput& output : report.arguments.outputs) {
    const std::span<const std::byte> data = std::as_const(*output.buffer).contents();
    report.previews.push_back(preview_text(output.type, data));
    if (output.file.empty()) continue;
    const Result<void> saved = base::save_npy(output.file, output.type.storage, output.shape, data);
    if (!saved) return saved.error();
  }
  return {};
}

std::string size_text(const kernel::Size3& size) {
  if (size.z > 1) return fmt::format("{}×{}×{}", size.x, size.y, size.z);
  return size.y > 1 ? fmt::format("{}×{}", size.x, size.y) : fmt::format("{}", size.x);
}

const char* executor_name(kernel::Executor executor) {
  return executor == kernel::Executor::kVector ? "vector" : "reference";
}

std::string explanation(const Report& report) {
  if (report.executor == kernel::Executor::kVector) {
    return "  vector executor: 32 threads or more at a time, lanes in vectors\n";
  }
  std::string text = "  reference executor: one thread at a time\n";
  if (!report.fallback_reason.empty()) {
    text +=
        fmt::format("  the vector executor cannot take the kernel: {}\n", report.fallback_reason);
  }
  return text;
}

std::string report_text(const Report& report, const Console& console) {
  const kernel::Size3 threads = report.size.threads_per_grid();
  std::string text =
      fmt::format("{}: {} thread{} in threadgroups of {}, {}\n",
                  console.paint(report.options.kernel, base::Colour::kBold), size_text(threads),
                  threads.count() == 1 ? "" : "s", size_text(report.size.threadgroup),
                  base::format_duration(report.first_run_ns));
  if (report.time) {
    text += fmt::format("  kernel {} in {}\n",
                        report.is_from_cache ? "loaded from the cache" : "compiled",
                        base::format_duration(report.load_ns));
    text += fmt::format("  median {}, minimum {} of {} runs, {}\n",
                        base::format_duration(report.time->median_ns),
                        base::format_duration(report.time->min_ns), report.time->runs,
                        base::format_rate(static_cast<double>(report.arguments.traffic_bytes),
                                          report.time->median_ns));
  }
  if (report.options.explains) text += explanation(report);
  for (size_t i = 0; i < report.previews.size(); ++i) {
    const BoundOutput& output = report.arguments.outputs[i];
    text += fmt::format("  {} {}[{}] {}{}\n", output.name, output.type.name(),
                        fmt::join(output.shape, ","), report.previews[i],
                        output.file.empty() ? "" : fmt::format(" → {}", output.file));
  }
  return text;
}

Json size_json(const kernel::Size3& size) { return Json::array({size.x, size.y, size.z}); }

Json report_json(const Report& report) {
  Json outputs = Json::array();
  for (size_t i = 0; i < report.previews.size(); ++i) {
    const BoundOutput& output = report.arguments.outputs[i];
    Json json = {{"name", output.name},
                 {"slot", output.slot},
                 {"dtype", output.type.name()},
                 {"shape", output.shape},
                 {"preview", report.previews[i]}};
    if (!output.file.empty()) json["file"] = output.file;
    outputs.push_back(std::move(json));
  }
  Json json = {{"kernel", report.options.kernel},
               {"threads_per_grid", size_json(report.size.threads_per_grid())},
               {"threadgroup", size_json(report.size.threadgroup)},
               {"from_cache", report.is_from_cache},
               {"executor", executor_name(report.executor)},
               {"load_milliseconds", report.load_ns / 1e6},
               {"milliseconds", report.first_run_ns / 1e6},
               {"outputs", std::move(outputs)},
               {"notes", report.arguments.notes}};
  if (!report.fallback_reason.empty()) json["fallback_reason"] = report.fallback_reason;
  if (report.time) {
    const auto bytes = static_cast<double>(report.arguments.traffic_bytes);
    json["time"] = {{"runs", report.time->runs},
                    {"median_milliseconds", report.time->median_ns / 1e6},
                    {"min_milliseconds", report.time->min_ns / 1e6},
                    {"bytes", report.arguments.traffic_bytes},
                    {"gigabytes_per_second", bytes / report.time->median_ns}};
  }
  return json;
}

Result<int> run(const Options& options, const Console& console) {
  const Result<kernel::LaunchSize> size = launch_size(options);
  if (!size) return size.error();
  const Result<std::vector<LaunchArgument>> arguments = parse_arguments(options.arguments);
  if (!arguments) return arguments.error();
  const Result<runtime::OpenedDevice> opened =
      runtime::open_device({.kernel_timeout_s = options.timeout_s});
  if (!opened) return opened.error();
  codegen::BuildOptions build_options = opened->build_options;
  if (!options.executor.empty()) {
    build_options.executor =
        options.executor == "vector" ? kernel::Executor::kVector : kernel::Executor::kReference;
  }
  pipeline::PipelineCache pipelines(opened->device, build_options, opened->kernel_cache);
  const auto load_start = std::chrono::steady_clock::now();
  const Result<pipeline::Pipeline> loaded = load_kernel(options, console, pipelines);
  if (!loaded) return loaded.error();
  const std::chrono::duration<double, std::nano> load_time =
      std::chrono::steady_clock::now() - load_start;
  Result<BoundArguments> bound =
      bind_arguments(loaded->kernel->info(), *arguments, *opened->device);
  if (!bound) return bound.error();
  const Result<std::unique_ptr<device::Queue>> queue = opened->device->create_queue();
  if (!queue) return queue.error();

  Report report{.options = options,
                .size = *size,
                .arguments = std::move(*bound),
                .load_ns = load_time.count(),
                .is_from_cache = loaded->is_from_cache,
                .executor = loaded->executor,
                .fallback_reason = loaded->fallback_reason};
  const DispatchJob job{loaded->kernel, report.arguments.bindings, *size};
  const Result<double> first_run = run_once(**queue, job);
  if (!first_run) return first_run.error();
  report.first_run_ns = *first_run;
  if (Result<void> kept = keep_outputs(report); !kept) return kept.error();
  if (options.timed_runs > 0) {
    const Result<TimeSummary> time = run_repeatedly(**queue, job, options.timed_runs);
    if (!time) return time.error();
    report.time = *time;
  }
  for (const std::string& note : report.arguments.notes) console.print_note(note);
  console.print(options.is_json ? json_text(report_json(report)) : report_text(report, console));
  return 0;
}

void declare(CLI::App& app, Options& options) {
  const auto check_size = [](const std::string& text) { return error_text(parse_size(text)); };
  app.add_option("FILE", options.file, "MSL source; - reads standard input")->required();
  app.add_option("KERNEL", options.kernel, "The kernel's name")->required();
  app.add_option("ARG", options.arguments,
                 "In the order of the buffer slots:\n"
                 "  x.npy                    array from a NumPy file\n"
                 "  out:float32[64,3]=y.npy  result, zero at first; without\n"
                 "                           =FILE its values are printed\n"
                 "  inout:x.npy=y.npy        array that is changed\n"
                 "  uint:5  float4:1,2,3,4   value of an MSL type\n"
                 "  bytes:0500ff             value as hexadecimal bytes\n"
                 "  -                        nothing, for an optional slot\n"
                 "and in the order of the threadgroup slots:\n"
                 "  threadgroup:4096         bytes of threadgroup memory")
      ->check([](const std::string& text) { return error_text(parse_launch_argument(text)); });
  CLI::Option* grid =
      app.add_option("--grid", options.grid, "Threads of the whole grid; or give --groups");
  CLI::Option* groups = app.add_option("--groups", options.groups, "Threadgroups of the grid");
  CLI::Option* threadgroup =
      app.add_option("--threadgroup", options.threadgroup, "Threads of one threadgroup");
  for (CLI::Option* option : {grid, groups, threadgroup}) {
    option->type_name("X[,Y[,Z]]")->check(check_size);
  }
  threadgroup->required();
  grid->excludes(groups);
  declare_source_options(app, options.source);
  app.add_flag("--time{20}", options.timed_runs,
               "Run N more times (20 unless told) and print median,\n"
               "minimum and GB/s over all arrays read and written,\n"
               "and whether the kernel came from the cache")
      ->option_text("[=N]");
  app.add_option("--executor", options.executor,
                 "vector (32 threads or more at a time) or reference\n"
                 "(one at a time); vector unless ASSAY_EXECUTOR says\n"
                 "otherwise")
      ->type_name("NAME")
      ->check(CLI::IsMember({"vector", "reference"}));
  app.add_flag("--explain", options.explains, "Say which executor ran the kernel, and why");
  app.add_option("--timeout", options.timeout_s,
                 "Stop the kernel after so many seconds, 0 for never\n"
                 "(ASSAY_KERNEL_TIMEOUT, or 60 unless told)")
      ->type_name("SECONDS")
      ->check([](const std::string& text) { return timeout_error(text); });
  app.parse_complete_callback([grid, groups] {
    if (grid->count() + groups->count() == 0) {
      throw CLI::RequiredError("--grid X[,Y[,Z]] (threads) or --groups X[,Y[,Z]] (threadgroups)");
    }
  });
}

}  // namespace

void add_launch_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "launch",
       .summary = "Run one kernel on NumPy files and values",
       .example = "Examples:\n"
                  "  assay launch samples/axpy.metal axpy --grid 1000 --threadgroup 256 \\\n"
                  "    x.npy inout:y.npy=result.npy float:0.5 uint:1000\n"
                  "  assay launch samples/row_sum.metal row_sum --groups 64 --threadgroup 256 \\\n"
                  "    --time matrix.npy out:float32[64] uint:4096"},
      declare, run);
}

}  // namespace assay::cli
