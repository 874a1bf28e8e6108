// See kernel_set.h.
#include "replay/kernel_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace assay::replay {
namespace {

constexpr int64_t kMaxSourceBytes = int64_t{64} << 20;

std::string slot_text(const ReflectedArgument& argument) {
  return fmt::format("[[{}({})]]", argument.is_buffer ? "buffer" : "threadgroup", argument.slot);
}

std::vector<ReflectedArgument> bound_arguments(const kernel::KernelInfo& info) {
  std::vector<ReflectedArgument> arguments;
  for (const kernel::Argument& argument : info.arguments) {
    if (argument.kind == kernel::ArgumentKind::kThreadAttribute || argument.present_if) continue;
    const bool is_written =
        argument.access == kernel::Access::kWrite || argument.access == kernel::Access::kReadWrite;
    arguments.push_back({argument.name, argument.kind == kernel::ArgumentKind::kBuffer,
                         argument.slot, argument.type, is_written, argument.element_bytes});
  }
  return arguments;
}

const ReflectedArgument* find_same_slot(const std::vector<ReflectedArgument>& arguments,
                                        const ReflectedArgument& wanted) {
  const auto found = std::ranges::find_if(arguments, [&](const ReflectedArgument& argument) {
    return argument.is_buffer == wanted.is_buffer && argument.slot == wanted.slot;
  });
  return found == arguments.end() ? nullptr : &*found;
}

// Why what was bound to the captured kernel cannot be given to the other; empty when it can.
std::string argument_differences(const std::vector<ReflectedArgument>& captured,
                                 const std::vector<ReflectedArgument>& given) {
  std::string text;
  for (const ReflectedArgument& argument : given) {
    const ReflectedArgument* same = find_same_slot(captured, argument);
    if (same == nullptr) {
      text +=
          fmt::format("\n  {}: '{} {}' is new", slot_text(argument), argument.type, argument.name);
    } else if (same->element_bytes != argument.element_bytes) {
      text += fmt::format("\n  {}: captured '{} {}', given '{} {}'", slot_text(argument),
                          same->type, same->name, argument.type, argument.name);
    }
  }
  for (const ReflectedArgument& argument : captured) {
    if (find_same_slot(given, argument) != nullptr) continue;
    text += fmt::format("\n  {}: '{} {}' is missing", slot_text(argument), argument.type,
                        argument.name);
  }
  return text;
}

class Builder {
 public:
  Builder(const KernelRequests& requests, pipeline::PipelineCache& pipelines)
      : requests_(requests), pipelines_(pipelines) {}

  Result<KernelSet> build() {
    if (Result<void> known = check_names(); !known) return known.error();
    for (const Id id : requests_.plan.kernels) {
      if (requests_.on_progress) requests_.on_progress(set_.kernels.size());
      Result<BuiltKernel> built = build(requests_.tables.kernels.at(id));
      if (!built) return built.error();
      set_.kernels.emplace(id, std::move(*built));
    }
    return std::move(set_);
  }

 private:
  Error damaged(const trace::KernelRecord& record, std::string_view what) const {
    return requests_.document.error(
        fmt::format("table 'kernels', row with id {}: {}", record.id, what));
  }

  Result<void> check_names() const {
    for (const Replacement& replacement : requests_.replacements) {
      std::set<std::string> names;
      for (const Id id : requests_.plan.kernels) names.insert(requests_.tables.kernels.at(id).name);
      if (names.contains(replacement.kernel)) continue;
      return Error{fmt::format("no kernel '{}' is run; the kernels are: {}", replacement.kernel,
                               fmt::join(names, ", "))};
    }
    return {};
  }

  const Replacement* find_replacement(const trace::KernelRecord& record) const {
    const auto found = std::ranges::find(requests_.replacements, record.name, &Replacement::kernel);
    return found == requests_.replacements.end() ? nullptr : &*found;
  }

  Result<msl::Source> load_source(const trace::KernelRecord& record) const {
    if (!record.source) {
      return Error{fmt::format(
          "kernel '{}' has no source in '{}': the program that was captured loaded it as code; "
          "give it with --with {}=FILE.metal",
          record.name, requests_.document.path(), record.name)};
    }
    Result<trace::Document::Content> content =
        requests_.document.content(*record.source, kMaxSourceBytes);
    if (!content) return damaged(record, content.error().message);
    const auto* text = reinterpret_cast<const char*>(content->bytes.data());
    return msl::Source{record.file, std::string(text, content->bytes.size())};
  }

  // The captured values of function constants, as far as the library has them.
  std::vector<codegen::ConstantValue> usable_constants(const pipeline::Library& library,
                                                       const KernelOptions& options) {
    std::vector<codegen::ConstantValue> values;
    for (const codegen::ConstantValue& value : options.constants) {
      const bool is_known = std::ranges::any_of(
          library.function_constants(), [&](const kernel::FunctionConstant& constant) {
            const bool is_same =
                value.name.empty() ? constant.index == value.index : constant.name == value.name;
            return is_same && constant.bytes == value.bytes.size();
          });
      if (is_known) {
        values.push_back(value);
      } else {
        set_.notes.push_back(fmt::format(
            "function constant '{}' was captured and is not in the new source", value.name));
      }
    }
    return values;
  }

  Result<BuiltKernel> build(const trace::KernelRecord& record) {
    Result<KernelOptions> options = parse_options(record.options);
    if (!options) return damaged(record, "'options': " + options.error().message);
    Result<std::vector<ReflectedArgument>> arguments = parse_reflection(record.reflection);
    if (!arguments) return damaged(record, "'reflection': " + arguments.error().message);
    const Replacement* replacement = find_replacement(record);
    const Result<msl::Source> source =
        replacement ? Result<msl::Source>(replacement->source) : load_source(record);
    if (!source) return source.error();
    const auto library = pipelines_.compile(*source, options->compile);
    if (!library) return library.error();
    const std::vector<codegen::ConstantValue> constants =
        replacement ? usable_constants(**library, *options) : options->constants;
    Result<pipeline::LoadedKernelPtr> kernel = pipelines_.get(**library, record.name, constants);
    if (!kernel) return in_source(*source, kernel.error());
    BuiltKernel built{*kernel, std::move(*arguments),
                      source->text.find("atomic") != std::string::npos, replacement != nullptr};
    if (replacement == nullptr) return built;
    if (Result<void> fits = check_arguments(built, *replacement); !fits) return fits.error();
    return built;
  }

  static Error in_source(const msl::Source& source, const Error& error) {
    return Error{fmt::format("{}: {}", source.name, error.message)};
  }

  Result<void> check_arguments(const BuiltKernel& built, const Replacement& replacement) {
    const std::vector<ReflectedArgument> given = bound_arguments(built.kernel->info());
    const std::string differences = argument_differences(built.arguments, given);
    if (!differences.empty()) {
      return Error{
          fmt::format("kernel '{}' of {} does not have the arguments of the captured one:{}",
                      replacement.kernel, replacement.source.name, differences)};
    }
    for (const ReflectedArgument& argument : given) {
      const ReflectedArgument* same = find_same_slot(built.arguments, argument);
      if (!argument.is_written || same == nullptr || same->is_written) continue;
      set_.notes.push_back(
          fmt::format("kernel '{}' of {} writes '{}', which the captured one only reads; what it "
                      "writes there is not compared",
                      replacement.kernel, replacement.source.name, argument.name));
    }
    return {};
  }

  const KernelRequests& requests_;
  pipeline::PipelineCache& pipelines_;
  KernelSet set_;
};

}  // namespace

Result<KernelSet> build_kernels(const KernelRequests& requests,
                                pipeline::PipelineCache& pipelines) {
  return Builder(requests, pipelines).build();
}

}  // namespace assay::replay
