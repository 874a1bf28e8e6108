// What a user can set through environment variables. This is the only place that reads them; other
// modules are handed values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::base {

struct Settings {
  // ASSAY_THREADS: threads that run kernels on the CPU, at least 1. Default: all cores.
  unsigned threads = 1;
  // ASSAY_EXECUTOR: vector (default) or reference; see kernel::Executor.
  bool is_vector_executor = true;
  // ASSAY_CPU: the processor that kernels are compiled for, in LLVM's words (x86-64, x86-64-v3,
  // …). Default: empty, this machine.
  std::string cpu = {};
  // ASSAY_KERNEL_TIMEOUT: seconds after which a dispatch is stopped, 0 for never. Without it each
  // device has its own limit.
  std::optional<double> kernel_timeout_s;
  // NO_COLOR (any text): no colours in terminal output.
  bool is_colour_allowed = true;
  // ASSAY_CACHE=off: compiled kernels are not kept on disk.
  bool is_cache_on = true;
  // ASSAY_CACHE_DIR, else assay in XDG_CACHE_HOME, else .cache/assay in HOME. Empty when none of
  // them says a place.
  std::string cache_folder;
  // ASSAY_CACHE_SIZE: bytes, or with K, M or G behind the number.
  uint64_t cache_limit_bytes = 512ULL << 20;
  // PYTHON, else that of the virtual environment, else the system's: the interpreter of assay run.
  std::string python = "/usr/bin/python3";
  // PYTHONPATH: folders in which Python looks for packages.
  std::string python_path;
  // MTL_CAPTURE_ENABLED or METAL_CAPTURE_ENABLED: set, and not 0.
  bool is_capture_permitted = false;
  // MLX_METAL_CAPTURE: the document of the capture that the environment asks for.
  std::string capture_path;
  // GGML_METAL_CAPTURE_COMPUTE: which evaluation that is, from 1. 0: not set.
  uint64_t captured_evaluation = 0;
  // ASSAY_CAPTURE: what it records; see capture/capture_request.h.
  std::string capture_options;
  // ASSAY_VIEW_FOLDER: where captures without a path go; set by assay view --launch.
  std::string view_folder;
  // ASSAY_RECORD: this process's part in a recording; see runtime/recording.h.
  std::string recording;
  // ASSAY_ATTACH=0: assay record --attach finds nothing in this process.
  bool is_attach_allowed = true;
  // ASSAY_DEBUG: set, and not 0. Kernels are built for debuggers and have no time limit unless one
  // is set; commands carry labels and call sites even when nobody listens.
  bool is_debug = false;
  // ASSAY_CHECK: checks that every kernel runs under, see sanitizer/rules.h. Empty or 0: none.
  std::string checks;
  // ASSAY_CHECK_REPORT: file that findings are added to, a line of JSON each, instead of being told
  // on standard error.
  std::string check_report;
  // ASSAY_CHECK_SUPPRESSIONS: file of findings that are not told; see sanitizer/suppressions.h.
  std::string check_suppressions;
  // ASSAY_CHECK_SEED: order in which checked threadgroups run; 0 for the usual one.
  uint64_t check_seed = 0;
};

// One row per variable, for help texts.
struct SettingDescription {
  std::string_view variable;
  std::string_view meaning;
};
std::span<const SettingDescription> setting_descriptions();

// Returns a variable's text, or nothing when it is not set.
using VariableLookup = std::function<std::optional<std::string>(const char* name)>;

// Reads the process environment. Fails on a value that makes no sense, naming the variable.
// Not safe against another thread that changes the environment at the same time.
Result<Settings> load_settings();
Result<Settings> load_settings(const VariableLookup& lookup);

}  // namespace assay::base
