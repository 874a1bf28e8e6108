// See compare.h. The Python package does the work, in place of this process.
#include "cli/commands/compare.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "cli/program_start.h"

namespace assay::cli {
namespace {

// Of assay.comparison: the text behind an option, empty if it was not given.
struct Options {
  std::string spec;
  std::string sizes;
  std::string dtypes;
  std::string layouts;
  std::string threadgroups;
  std::optional<double> tolerance_ulps;
  std::optional<uint64_t> seed;
  bool has_special_values = false;
  bool is_fail_fast = false;
  bool is_every_case = false;
  bool is_json = false;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("SPEC", options.spec,
                 "Python file that defines kernel, reference and, as far as wanted, the other\n"
                 "arguments of assay.compare: launch, sizes, dtypes, tolerance_ulps, …")
      ->required();
  app.add_option("--sizes", options.sizes,
                 "Numbers of elements, shapes and ranges: 1,33x65,100..110")
      ->type_name("LIST");
  app.add_option("--dtypes", options.dtypes, "Dtypes of the inputs: float32,bfloat16,int32")
      ->type_name("LIST");
  app.add_option("--layouts", options.layouts,
                 "How inputs lie in memory, of: contiguous, transposed, sliced, reversed,\n"
                 "broadcast, mixed")
      ->type_name("LIST");
  app.add_option("--threadgroups", options.threadgroups, "Threads of a threadgroup: 32,256,16x16")
      ->type_name("LIST");
  app.add_option("--tolerance-ulps", options.tolerance_ulps,
                 "How far apart floats may be (default: 4)")
      ->type_name("N");
  app.add_option("--seed", options.seed, "Other random values (default: 0)")->type_name("N");
  app.add_flag("--special-values", options.has_special_values,
               "Zeros, infinities, NaN and the ends of the range among the values");
  app.add_flag("--fail-fast", options.is_fail_fast, "Stop at the first case that fails");
  app.add_flag("--all", options.is_every_case, "A line for every case");
}

Result<int> run(const Options& options, const Console& /*console*/) {
  std::vector<std::string> arguments = {"-m", "assay.comparison"};
  const std::pair<const char*, const std::string&> values[] = {
      {"--sizes", options.sizes},
      {"--dtypes", options.dtypes},
      {"--layouts", options.layouts},
      {"--threadgroups", options.threadgroups},
  };
  for (const auto& [name, value] : values) {
    if (!value.empty()) arguments.insert(arguments.end(), {name, value});
  }
  if (options.tolerance_ulps) {
    arguments.insert(arguments.end(),
                     {"--tolerance-ulps", fmt::format("{}", *options.tolerance_ulps)});
  }
  if (options.seed) arguments.insert(arguments.end(), {"--seed", std::to_string(*options.seed)});
  const std::pair<const char*, bool> flags[] = {
      {"--special-values", options.has_special_values},
      {"--fail-fast", options.is_fail_fast},
      {"--all", options.is_every_case},
      {"--json", options.is_json},
  };
  for (const auto& [name, is_set] : flags) {
    if (is_set) arguments.emplace_back(name);
  }
  arguments.insert(arguments.end(), {"--", options.spec});
  return start_python(arguments);
}

}  // namespace

void add_compare_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {"compare", "Compare a custom kernel with a reference over many sizes and dtypes",
       "Runs the kernel and the reference of a file on the same inputs, from no element to more "
       "than\n"
       "a threadgroup, and finds the smallest case that fails. The exit code is 1 if one does.\n\n"
       "A file:\n"
       "  import mlx.core as mx\n"
       "  kernel = mx.fast.metal_kernel(\n"
       "      name=\"double\", input_names=[\"x\"], output_names=[\"out\"],\n"
       "      source=\"uint i = thread_position_in_grid.x; out[i] = x[i] * 2;\")\n"
       "  def reference(x):\n"
       "      return x + x\n\n"
       "Examples:\n"
       "  assay compare double.py\n"
       "  assay compare double.py --sizes 1..100,65537 --dtypes float32,int8 --json"},
      &declare, &run);
}

}  // namespace assay::cli
