// What checks cost: checked kernels beside the same ones unchecked, and beside Oclgrind, which
// checks OpenCL kernels one instruction at a time. All sides use one thread, as checked launches
// do.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "bench/assay_contestant.h"
#include "bench/comparison.h"
#include "bench/peer_process.h"
#include "device/cpu/cpu_device.h"
#include "sanitizer/check_service.h"

namespace assay::bench {
namespace {

struct Options {
  unsigned rounds = 5;
  std::string only = {};
  bool is_json = false;
  bool is_processor_time = false;
  Clock clock() const { return is_processor_time ? Clock::kProcessor : Clock::kWall; }
};

constexpr unsigned kThreads = 1;
constexpr char kUnchecked[] = "";
constexpr char kMemoryChecks[] = "bounds,uninitialised";
constexpr char kAllChecks[] = "all";

struct Entry {
  std::string workload;
  std::string work;  // for the reader
  bool has_opencl = true;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"axpy", "axpy"},
      {"chain", "log(exp(cos(sin x)))"},
      {"row_sum", "row sum, barrier tree"},
      {"softmax", "row softmax"},
      {"rms_norm", "rms-norm"},
      {"transpose", "tiled transpose"},
      {"stencil", "5-point stencil with halo"},
      {"histogram", "histogram"},
      {"matmul", "tiled matmul"},
      {"matrix_matmul", "simdgroup_matrix matmul", false},
  };
  return all;
}

// A device whose kernels are all checked for the same, or for nothing.
class Side {
 public:
  static Result<std::unique_ptr<Side>> create(std::string_view checks) {
    auto device = device::cpu::CpuDevice::create({.threads = kThreads});
    if (!device) return device.error();
    auto side = std::unique_ptr<Side>(new Side);
    codegen::BuildOptions options;
    if (!checks.empty()) {
      Result<sanitizer::CheckSet> set = sanitizer::parse_checks(checks);
      if (!set) return set.error();
      options.checked = true;
      sanitizer::CheckService::attach(
          **device, {.checks = *set},
          [side = side.get()](const sanitizer::Finding& finding) { side->note(finding); });
    }
    side->pipelines_ = std::make_unique<pipeline::PipelineCache>(*device, options);
    return side;
  }

  // Fails when the result is wrong, or when anything is found: there is nothing to find.
  Result<std::unique_ptr<Contestant>> prepare(const Workload& workload) {
    auto contestant = make_assay(*pipelines_, workload);
    if (!contestant) return contestant.error();
    if (Result<void> verified = verify(**contestant); !verified) return verified.error();
    if (!false_alarm_.empty()) return Error{"false alarm: " + false_alarm_};
    return contestant;
  }

 private:
  Side() = default;
  void note(const sanitizer::Finding& finding) {
    false_alarm_ = finding.rule + " in " + finding.kernel + ", line " +
                   std::to_string(finding.place.line) + ": " + finding.message;
  }

  std::string false_alarm_;
  std::unique_ptr<pipeline::PipelineCache> pipelines_;
};

// Both take turns, so that both meet the same weather on a shared machine.
template <typename Ours, typename Peer>
Result<void> take_turns(const Ours& ours, const Peer& peer, unsigned rounds,
                        Comparison& comparison) {
  for (unsigned round = 0; round < rounds; ++round) {
    Result<double> our_time = ours();
    if (!our_time) return our_time.error();
    Result<double> peer_time = peer();
    if (!peer_time) return peer_time.error();
    comparison.ours_ns.push_back(*our_time);
    comparison.peer_ns.push_back(*peer_time);
  }
  return {};
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  std::vector<Comparison> all(const std::vector<std::string>& oclgrind) {
    auto peer = PeerProcess::start(oclgrind);
    for (const Entry& entry : entries()) {
      if (!options_.only.empty() && options_.only != entry.workload) continue;
      add({.work = entry.work + ": bounds, uninitialised",
           .peer = "unchecked",
           .aims = {{AimKind::kTimesPeer, 10}}},
          [&](Comparison& into) { return beside_unchecked(entry, kMemoryChecks, into); });
      add({.work = entry.work + ": all checks",
           .peer = "unchecked",
           .aims = {{AimKind::kTimesPeer, 25}}},
          [&](Comparison& into) { return beside_unchecked(entry, kAllChecks, into); });
      if (!entry.has_opencl) continue;
      add({.work = entry.work + ", small: all checks",
           .peer = "Oclgrind",
           .aims = {{AimKind::kTimesFaster, 1}}},
          [&](Comparison& into) -> Result<void> {
            if (!peer) return peer.error();
            return beside_oclgrind(entry, **peer, into);
          });
    }
    return std::move(comparisons_);
  }

 private:
  void add(Comparison comparison, const std::function<Result<void>(Comparison&)>& measure) {
    add_comparison(comparisons_, std::move(comparison), measure);
  }

  // Times with nothing of the making in them: prepared contestants have run once.
  Result<void> beside_unchecked(const Entry& entry, std::string_view checks, Comparison& into) {
    const Workload& workload = *find_workload(entry.workload, Scale::kMedium);
    auto checked = prepare(checks, workload);
    if (!checked) return checked.error();
    auto unchecked = prepare(kUnchecked, workload);
    if (!unchecked) return unchecked.error();
    return take_turns([&] { return time(*checked->contestant); },
                      [&] { return time(*unchecked->contestant); }, options_.rounds, into);
  }

  Result<void> beside_oclgrind(const Entry& entry, PeerProcess& peer, Comparison& into) {
    auto checked = prepare(kAllChecks, *find_workload(entry.workload, Scale::kSmall));
    if (!checked) return checked.error();
    if (Result<void> prepared = peer.prepare("Oclgrind", entry.workload); !prepared)
      return Error{"Oclgrind: " + prepared.error().message};
    return take_turns([&] { return time(*checked->contestant); },
                      [&] { return peer.time(1, options_.clock()); }, options_.rounds, into);
  }

  struct Prepared {
    std::unique_ptr<Side> side;  // outlives its contestant
    std::unique_ptr<Contestant> contestant;
  };

  static Result<Prepared> prepare(std::string_view checks, const Workload& workload) {
    auto side = Side::create(checks);
    if (!side) return side.error();
    auto contestant = (*side)->prepare(workload);
    if (!contestant) return contestant.error();
    return Prepared{std::move(*side), std::move(*contestant)};
  }

  Result<double> time(Contestant& contestant) const {
    return time_launches(contestant, 1, options_.clock());
  }

  const Options& options_;
  std::vector<Comparison> comparisons_;
};

int main_with(const Options& options) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::filesystem::path programs = std::filesystem::canonical("/proc/self/exe").parent_path();
  const std::filesystem::path log =
      std::filesystem::temp_directory_path() / ("assay_oclgrind_" + std::to_string(getpid()));
  const std::vector<Comparison> comparisons = Run(options).all(
      {"oclgrind", "--data-races", "--uninitialized", "--num-threads", std::to_string(kThreads),
       "--log", log, programs / "kernel_peer", std::to_string(kThreads), "small"});
  std::filesystem::remove(log);
  const std::string text = options.is_json ? to_json(comparisons, kThreads) : to_table(comparisons);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  assay::bench::Options options;
  CLI::App app(
      "what checks cost: best and median of alternating runs, after a check of the results");
  app.add_option("--rounds", options.rounds, "measured runs of each side")
      ->check(CLI::Range(1, 1000));
  app.add_option("--only", options.only, "one workload, by the name of its file in bench/kernels");
  app.add_flag("--processor-time", options.is_processor_time,
               "time of the processor: steady on a busy machine");
  app.add_flag("--json", options.is_json, "all times, in nanoseconds");
  CLI11_PARSE(app, argc, argv);
  return assay::bench::main_with(options);
}
