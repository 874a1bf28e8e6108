// fast::metal_kernel: checks of the arguments, and the primitive that runs the kernel.
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <stdexcept>

#include "array/primitive.h"
#include "assay/fast.h"
#include "assay/ops.h"
#include "base/hash.h"
#include "custom/kernel_hints.h"
#include "custom/kernel_source.h"
#include "device/current.h"
#include "device/host_span.h"
#include "fmt/format.h"
#include "ops/copy.h"

namespace assay::fast {
namespace {

using Size = std::tuple<int, int, int>;

constexpr int kMaxThreadsPerGroup = 1024;

std::atomic<KernelHintHandler> hint_handler = nullptr;

// What CheckedCalls asks for.
thread_local std::string wished_checks;

// Null where nobody asks for any, or where everything is checked anyway.
std::shared_ptr<device::CheckService> make_checks() {
  if (wished_checks.empty()) return nullptr;
  const device::Device& device = device::current_device();
  auto checks = device.create_checks(wished_checks);
  if (checks && device.is_checked()) return nullptr;
  if (!checks) throw std::invalid_argument("[metal_kernel] " + checks.error().message);
  return std::move(*checks);
}

std::string make_key(const CustomKernelSource& source, int math_mode) {
  const base::Hash128 hash = base::hash_content(std::as_bytes(std::span(source.text)));
  return fmt::format("{} {} {}", source.kernel_name, math_mode, hash.hex());
}

// What `verbose` asks for; the only text that the library itself prints.
void print_source(const CustomKernelSource& source) {
  const std::string text = fmt::format("Generated source code for `{}`:\n```\n{}\n```\n",
                                       source.kernel_name, source.text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

class CustomKernel final : public Primitive {
 public:
  CustomKernel(CustomKernelSource source, std::vector<CustomArgument> inputs,
               std::vector<CustomArgument> outputs, Size grid, Size group,
               std::optional<float> init_value, bool ensure_row_contiguous, int math_mode,
               std::shared_ptr<device::CheckService> checks)
      : source_(std::move(source)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        grid_(grid),
        group_(group),
        init_value_(init_value),
        ensure_row_contiguous_(ensure_row_contiguous),
        math_mode_(math_mode),
        checks_(std::move(checks)),
        key_(make_key(source_, math_mode)) {}

  std::string_view name() const override { return source_.kernel_name; }

  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    check_group();
    Arguments arguments;
    std::vector<array> prepared;  // the entries of `arguments` point at its nodes
    for (size_t i = 0; i < inputs.size(); ++i) {
      prepared.push_back(ensure_row_contiguous_ ? encoder.make_row_contiguous(inputs[i])
                                                : inputs[i]);
      arguments.input(prepared.back());
      add_facts(arguments, prepared.back(), inputs_[i]);
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      array& output = outputs[i];
      encoder.allocate(output);
      if (init_value_) encode_copy(array(*init_value_, output.dtype()), output, encoder);
      arguments.output(output);
      add_facts(arguments, output, outputs_[i]);
    }
    const auto [gx, gy, gz] = grid_;
    const auto [tx, ty, tz] = group_;
    auto size = [](int value) { return static_cast<uint32_t>(value); };
    encoder.dispatch({.key = key_,
                      .source = [&] { return source_.text; },
                      .name = source_.kernel_name,
                      .math_mode = math_mode_,
                      .is_custom = true,
                      .checks = checks_,
                      .has_new_outputs = !init_value_.has_value()},
                     arguments,
                     kernel::LaunchSize::threads(
                         {size(gx), size(gy), size(gz)},
                         {size(std::min(tx, gx)), size(std::min(ty, gy)), size(std::min(tz, gz))}));
  }

 private:
  void check_group() const {
    const auto [x, y, z] = group_;
    const int64_t threads = int64_t{x} * y * z;
    if (threads <= kMaxThreadsPerGroup) return;
    throw std::invalid_argument(
        fmt::format("Thread group size ({}) is greater than  the maximum allowed threads per "
                    "threadgroup ({}).\n"
                    "  fix: threadgroup=({}, {}, {}) has too many threads; choose one whose "
                    "product is at most {}",
                    threads, kMaxThreadsPerGroup, x, y, z, kMaxThreadsPerGroup));
  }

  static void add_facts(Arguments& arguments, const array& value, const CustomArgument& facts) {
    if (facts.ndim == 0) return;
    if (facts.has_shape) arguments.values<ShapeElem>(value.shape());
    if (facts.has_strides) arguments.values<int64_t>(value.node().strides);
    if (facts.has_ndim) arguments.value(static_cast<int32_t>(facts.ndim));
  }

  const CustomKernelSource source_;
  const std::vector<CustomArgument> inputs_, outputs_;
  const Size grid_, group_;
  const std::optional<float> init_value_;
  const bool ensure_row_contiguous_;
  const int math_mode_;
  const std::shared_ptr<device::CheckService> checks_;  // null: not by itself
  const std::string key_;
};

void check_count(std::string_view what, size_t expected, size_t given) {
  if (expected == given) return;
  throw std::invalid_argument(fmt::format(
      "[metal_kernel] Expected `{}` to have size {} but got size {}.\n", what, expected, given));
}

void check_size(std::string_view what, const Size& size) {
  const auto [x, y, z] = size;
  if (x > 0 && y > 0 && z > 0) return;
  throw std::invalid_argument(fmt::format(
      "[metal_kernel] `{0}` is ({1}, {2}, {3}), which has no threads.\n"
      "  fix: every number of `{0}` must be at least 1{4}",
      what, x, y, z, what == "grid" ? "; the grid counts threads, not threadgroups" : ""));
}

bool is_identifier(const std::string& name) {
  auto is_word = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
  };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), is_word);
}

// Words of C++ and Metal that a parameter cannot be called; also what the text around the body
// uses.
constexpr std::string_view kReservedWords[] = {
    "alignas",  "alignof",  "and",       "and_eq",   "asm",       "auto",        "bfloat",
    "bitand",   "bitor",    "bool",      "break",    "case",      "catch",       "char",
    "class",    "compl",    "const",     "constant", "constexpr", "continue",    "decltype",
    "default",  "delete",   "device",    "do",       "double",    "else",        "enum",
    "explicit", "extern",   "false",     "float",    "for",       "fragment",    "friend",
    "goto",     "half",     "if",        "inline",   "int",       "kernel",      "long",
    "metal",    "mutable",  "namespace", "new",      "noexcept",  "not",         "not_eq",
    "nullptr",  "operator", "or",        "or_eq",    "private",   "protected",   "public",
    "register", "return",   "short",     "signed",   "sizeof",    "static",      "static_assert",
    "struct",   "switch",   "template",  "this",     "thread",    "threadgroup", "throw",
    "true",     "try",      "typedef",   "typename", "uint",      "union",       "unsigned",
    "using",    "vertex",   "virtual",   "void",     "volatile",  "while",       "xor",
    "xor_eq"};

void check_names(const CustomKernelText& text) {
  if (text.output_names.empty()) {
    throw std::invalid_argument("[metal_kernel] Must specify at least one output.");
  }
  std::vector<std::string> all = text.input_names;
  all.insert(all.end(), text.output_names.begin(), text.output_names.end());
  for (const std::string& name : all) {
    if (std::ranges::find(kReservedWords, name) != std::end(kReservedWords)) {
      throw std::invalid_argument(fmt::format(
          "[metal_kernel] '{0}' cannot be the name of an argument of kernel '{1}': it is a word of "
          "the Metal language.\n  fix: choose another name, such as '{0}_in'",
          name, text.name));
    }
    if (is_attribute(name)) {
      throw std::invalid_argument(fmt::format(
          "[metal_kernel] '{}' cannot be the name of an argument of kernel '{}': kernels get it "
          "from Metal when their source mentions it.\n  fix: remove it from the names",
          name, text.name));
    }
    if (is_identifier(name)) continue;
    throw std::invalid_argument(
        fmt::format("[metal_kernel] '{}' cannot be the name of an argument of kernel '{}'.\n"
                    "  fix: use letters, digits and underscores, not starting with a digit",
                    name, text.name));
  }
  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end()) {
    throw std::invalid_argument(fmt::format(
        "[metal_kernel] Kernel '{}' has two arguments called '{}'; give each its own name.",
        text.name, *twice));
  }
  if (!is_identifier("k" + text.name)) {
    throw std::invalid_argument(fmt::format(
        "[metal_kernel] The kernel name '{}' may only have letters, digits and underscores.",
        text.name));
  }
}

void check_dtype(std::string_view what, Dtype dtype) {
  if (dtype != float64) return;
  throw std::invalid_argument(
      fmt::format("[metal_kernel] {} has dtype float64, which Metal does not have.\n"
                  "  fix: convert it with astype(float32)",
                  what));
}

int parse_math_mode(const std::unordered_map<std::string, std::string>& options) {
  int mode = 0;
  for (const auto& [key, value] : options) {
    if (key != "math_mode") {
      throw std::invalid_argument(fmt::format(
          "[metal_kernel] Unknown compile option '{}'; there is only 'math_mode'.", key));
    }
    if (value == "safe")
      mode = 0;
    else if (value == "relaxed")
      mode = 1;
    else if (value == "fast")
      mode = 2;
    else {
      throw std::invalid_argument(fmt::format(
          "[metal_kernel] Unknown math_mode '{}'; use 'safe', 'relaxed' or 'fast'.", value));
    }
  }
  return mode;
}

StreamOrDevice gpu_stream(const StreamOrDevice& where) {
  const Stream stream = to_stream(where, Device(Device::gpu));
  if (stream.device != Device::gpu) {
    throw std::invalid_argument("[metal_kernel] Only supports the GPU.");
  }
  return StreamOrDevice(stream, where.site());
}

}  // namespace

CheckedCalls::CheckedCalls(std::string checks)
    : outer_(std::exchange(wished_checks, std::move(checks))) {}

CheckedCalls::~CheckedCalls() { wished_checks = std::move(outer_); }

void set_kernel_hint_handler(KernelHintHandler handler) { hint_handler = handler; }

CustomKernelFunction metal_kernel(const std::string& name,
                                  const std::vector<std::string>& input_names,
                                  const std::vector<std::string>& output_names,
                                  const std::string& source, const std::string& header,
                                  bool ensure_row_contiguous, bool atomic_outputs,
                                  const std::unordered_map<std::string, std::string>& options) {
  const device::HostSpan making(kernel::HostActivity::kMakeKernel, name,
                                [] { return describe(find_call_site(std::source_location())); });
  const CustomKernelText text{name, input_names, output_names, source, header, atomic_outputs};
  check_names(text);
  const int math_mode = parse_math_mode(options);
  if (const KernelHintHandler tell = hint_handler) {
    if (const std::string hint = check_rebuilds(text); !hint.empty()) tell(hint);
  }
  const auto hints = std::make_shared<KernelHints>(text);
  return [text, ensure_row_contiguous, math_mode, hints](
             const std::vector<array>& inputs, const std::vector<Shape>& output_shapes,
             const std::vector<Dtype>& output_dtypes, Size grid, Size threadgroup,
             TemplateArguments template_arguments, std::optional<float> init_value, bool verbose,
             StreamOrDevice where) {
    check_count("inputs", text.input_names.size(), inputs.size());
    check_count("output_shapes", text.output_names.size(), output_shapes.size());
    check_count("output_dtypes", text.output_names.size(), output_dtypes.size());
    check_size("grid", grid);
    check_size("threadgroup", threadgroup);
    const StreamOrDevice stream = gpu_stream(where);
    if (const KernelHintHandler tell = hint_handler) {
      const KernelLaunch launch{grid, threadgroup, output_shapes, init_value.has_value()};
      for (const std::string& hint : hints->check_launch(launch)) tell(hint);
    }
    std::vector<CustomArgument> described, described_outputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string& input = text.input_names[i];
      check_dtype(fmt::format("Input '{}'", input), inputs[i].dtype());
      described.push_back(describe_argument(text, input, inputs[i].dtype(), inputs[i].shape()));
    }
    for (size_t i = 0; i < output_dtypes.size(); ++i) {
      const std::string& output = text.output_names[i];
      check_dtype(fmt::format("Output '{}'", output), output_dtypes[i]);
      described_outputs.push_back(
          describe_argument(text, output, output_dtypes[i], output_shapes[i]));
    }
    CustomKernelSource made =
        write_custom_kernel(text, described, described_outputs, template_arguments);
    if (verbose) print_source(made);
    auto primitive = std::make_shared<CustomKernel>(
        std::move(made), std::move(described), std::move(described_outputs), grid, threadgroup,
        init_value, ensure_row_contiguous, math_mode, make_checks());
    return make_arrays(output_shapes, output_dtypes, std::move(primitive), inputs, stream);
  };
}

}  // namespace assay::fast
