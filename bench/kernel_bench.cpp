// assay against its peers, in one run and one table. Ours and theirs take turns, so that both meet
// the same weather on a shared machine.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "base/settings.h"
#include "bench/assay_contestant.h"
#include "bench/comparison.h"
#include "bench/compile_latency.h"
#include "bench/peer_process.h"
#include "device/cpu/cpu_device.h"
#include "pipeline/build_options.h"

namespace assay::bench {
namespace {

struct Options {
  unsigned threads = 1;
  unsigned rounds = 15;
  std::string only = {};
  bool is_json = false;
  bool is_processor_time = false;
  Clock clock() const { return is_processor_time ? Clock::kProcessor : Clock::kWall; }
};

struct Entry {
  std::string workload;
  std::string work;  // for the reader
  std::string peer;
  std::vector<Aim> aims;
};

const std::vector<Entry>& entries() {
  using enum AimKind;
  static const std::vector<Entry> all = {
      {"axpy", "axpy 16.7M", "PoCL", {{kTimesFaster, 1}}},
      {"chain", "log(exp(cos(sin x))) 16.7M", "PoCL", {{kTimesFaster, 1}}},
      {"chain", "log(exp(cos(sin x))) 16.7M", "copy", {{kTimesPeer, 2}}},
      {"row_sum", "row sum 4096², barrier tree", "PoCL", {{kTimesFaster, 3}}},
      {"softmax", "row softmax 4096²", "PoCL", {{kTimesFaster, 1}}},
      {"rms_norm", "rms-norm 4096², simd_sum", "PoCL", {{kTimesFaster, 1}}},
      {"transpose", "tiled transpose 4096²", "PoCL", {{kTimesFaster, 8}}},
      // What the memory allows: a transpose moves as much.
      {"transpose", "tiled transpose 4096²", "copy", {}},
      {"stencil", "5-point stencil with halo 4096²", "PoCL", {{kTimesFaster, 1}}},
      {"histogram", "histogram of 16.7M bytes", "PoCL", {{kTimesFaster, 1}}},
      {"matmul", "tiled matmul 1024³", "PoCL", {{kTimesFaster, 1}}},
      {"matrix_matmul", "simdgroup_matrix matmul 1024³", "OpenBLAS", {}},
      {"empty", "launch and wait", "PoCL", {{kTimesFaster, 1}, {kNanoseconds, 2000}}},
  };
  return all;
}

constexpr unsigned kWarmUps = 2;

// The times go into `comparison`.
Result<void> take_turns(Contestant& ours, PeerProcess& peer, const Workload& workload,
                        const Options& options, Comparison& comparison) {
  for (unsigned round = 0; round < kWarmUps + options.rounds; ++round) {
    Result<double> our_time = time_launches(ours, workload.launches, options.clock());
    if (!our_time) return our_time.error();
    Result<double> peer_time = peer.time(workload.launches, options.clock());
    if (!peer_time) return peer_time.error();
    if (round < kWarmUps) continue;
    comparison.ours_ns.push_back(*our_time);
    comparison.peer_ns.push_back(*peer_time);
  }
  return {};
}

Result<void> compare(pipeline::PipelineCache& pipelines, PeerProcess& peer, const Entry& entry,
                     const Options& options, Comparison& comparison) {
  const Workload& workload = *find_workload(entry.workload);
  auto ours = make_assay(pipelines, workload);
  if (!ours) return ours.error();
  if (Result<void> verified = verify(**ours); !verified)
    return Error{"assay: " + verified.error().message};
  if (Result<void> prepared = peer.prepare(entry.peer, entry.workload); !prepared)
    return Error{entry.peer + ": " + prepared.error().message};
  return take_turns(**ours, peer, workload, options, comparison);
}

constexpr char kCompileName[] = "compile";

class Run {
 public:
  Run(const Options& options, pipeline::PipelineCache& pipelines, PeerProcess& peer,
      std::filesystem::path folder)
      : options_(options), pipelines_(pipelines), peer_(peer), folder_(std::move(folder)) {}

  std::vector<Comparison> all() {
    for (const Entry& entry : entries()) {
      if (!is_wanted(entry.workload)) continue;
      add({.work = entry.work, .peer = entry.peer, .aims = entry.aims},
          [&](Comparison& into) { return compare(pipelines_, peer_, entry, options_, into); });
    }
    if (is_wanted(kCompileName)) add_compile_latency();
    return std::move(comparisons_);
  }

 private:
  bool is_wanted(const std::string& name) const {
    return options_.only.empty() || options_.only == name;
  }

  void add_compile_latency() {
    constexpr double kMillisecond = 1e6;
    add({.work = "new kernel, text to code",
         .peer = "PoCL",
         .aims = {{AimKind::kTimesFaster, 1}, {AimKind::kNanoseconds, 60 * kMillisecond}}},
        [&](Comparison& into) {
          return time_new_kernels(pipelines_, peer_, options_.rounds, options_.clock(), into);
        });
    add({.work = "kernel from the cache on disk, fresh process",
         .peer = "-",
         .aims = {{AimKind::kNanoseconds, 2 * kMillisecond}}},
        [&](Comparison& into) {
          return time_cached_kernel(folder_ / "assay", options_.rounds, options_.clock(), into);
        });
  }

  void add(Comparison comparison, const std::function<Result<void>(Comparison&)>& measure) {
    add_comparison(comparisons_, std::move(comparison), measure);
  }

  const Options& options_;
  pipeline::PipelineCache& pipelines_;
  PeerProcess& peer_;
  const std::filesystem::path folder_;
  std::vector<Comparison> comparisons_;
};

Result<std::vector<Comparison>> run(const Options& options, const base::Settings& settings,
                                    const std::filesystem::path& folder) {
  auto device = device::cpu::CpuDevice::create({.threads = options.threads});
  if (!device) return device.error();
  pipeline::PipelineCache pipelines(*device, pipeline::build_options(settings));
  std::filesystem::path programs = std::filesystem::canonical("/proc/self/exe").parent_path();
  auto peer = PeerProcess::start({programs / "kernel_peer", std::to_string(options.threads)});
  if (!peer) return peer.error();
  return Run(options, pipelines, **peer, folder).all();
}

// Settings of the peers, which read them when their process starts.
void set_up_peers(unsigned threads, const std::filesystem::path& cache) {
  setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(threads).c_str(), 1);
  setenv("POCL_CACHE_DIR", cache.c_str(), 1);
  // OpenBLAS's threads would otherwise spin into our turn.
  setenv("OPENBLAS_THREAD_TIMEOUT", "4", 1);
}

int main_with(const Options& options, const base::Settings& settings) {
  // Empty: nobody must find kernels of earlier runs.
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("assay_bench_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "pocl");
  set_up_peers(options.threads, folder / "pocl");
  std::signal(SIGPIPE, SIG_IGN);
  Result<std::vector<Comparison>> comparisons = run(options, settings, folder);
  std::filesystem::remove_all(folder);
  if (!comparisons) return std::fprintf(stderr, "%s\n", comparisons.error().message.c_str()), 1;
  std::string text =
      options.is_json ? to_json(*comparisons, options.threads) : to_table(*comparisons);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  if (std::optional<int> status = assay::bench::run_cached_process(argc, argv)) return *status;
  auto settings = assay::base::load_settings();
  if (!settings) return std::fprintf(stderr, "%s\n", settings.error().message.c_str()), 1;
  assay::bench::Options options{.threads = settings->threads};
  CLI::App app(
      "assay against its peers: best and median of alternating runs, after a check of both"
      " results");
  app.add_option("--rounds", options.rounds, "measured runs of each side")
      ->check(CLI::Range(1, 1000));
  app.add_option("--only", options.only,
                 "one workload, by the name of its file in bench/kernels, or compile");
  app.add_flag("--processor-time", options.is_processor_time,
               "time of the processor, all threads added up: steady on a busy machine, but blind to"
               " waiting and to uneven work");
  app.add_flag("--json", options.is_json, "all times, in nanoseconds");
  CLI11_PARSE(app, argc, argv);
  return assay::bench::main_with(options, *settings);
}
