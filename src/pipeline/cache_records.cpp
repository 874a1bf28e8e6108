// The fields of every stored struct. A struct that gets a new field stops compiling here until the
// field is listed: a kernel from the cache must not differ from a fresh one.
#include "pipeline/cache_records.h"

#include "base/archive.h"

namespace assay::base {

template <>
struct Fields<Hash128> {
  static void visit(auto& archive, auto& hash) {
    auto& [low, high] = hash;
    archive(low, high);
  }
};

template <>
struct Fields<kernel::Argument> {
  static void visit(auto& archive, auto& argument) {
    auto& [name, kind, slot, type, address_space, access, is_reference, element_bytes,
           element_alignment, present_if, attribute, components, component_bytes] = argument;
    archive(name, kind, slot, type, address_space, access, is_reference, element_bytes,
            element_alignment, present_if, attribute, components, component_bytes);
  }
};

template <>
struct Fields<kernel::FunctionConstant> {
  static void visit(auto& archive, auto& constant) {
    auto& [name, index, type, symbol, defined_symbol, bytes] = constant;
    archive(name, index, type, symbol, defined_symbol, bytes);
  }
};

template <>
struct Fields<kernel::KernelInfo> {
  static void visit(auto& archive, auto& info) {
    auto& [name, symbol, file, line, arguments, max_threads, threadgroup_bytes, constants] = info;
    archive(name, symbol, file, line, arguments, max_threads, threadgroup_bytes, constants);
  }
};

template <>
struct Fields<kernel::SitePlace> {
  static void visit(auto& archive, auto& place) {
    auto& [file, line, column] = place;
    archive(file, line, column);
  }
};

template <>
struct Fields<kernel::FloatSource> {
  static void visit(auto& archive, auto& source) {
    auto& [sites, keeps_sign] = source;
    archive(sites, keeps_sign);
  }
};

template <>
struct Fields<kernel::CheckSite> {
  static void visit(auto& archive, auto& site) {
    auto& [kind, place, callers, memory, slot, object, declared, type, object_bytes, bytes,
           alignment, orders_device, orders_threadgroup, releases, acquires, reaches_device,
           is_update, own_bytes, sources, role] = site;
    archive(kind, place, callers, memory, slot, object, declared, type, object_bytes, bytes,
            alignment, orders_device, orders_threadgroup, releases, acquires, reaches_device,
            is_update, own_bytes, sources, role);
  }
};

template <>
struct Fields<kernel::CheckTable> {
  static void visit(auto& archive, auto& table) {
    auto& [sites] = table;
    archive(sites);
  }
};

template <>
struct Fields<kernel::KernelImage> {
  static void visit(auto& archive, auto& image) {
    auto& [format, form, executor, prints, fallback_reason, target_cpu, entry_symbol, object, info,
           origin, checks] = image;
    (void)origin;  // whoever asks for the kernel has it
    std::optional<kernel::CheckTable> table;
    if (checks) table = *checks;
    archive(format, form, executor, prints, fallback_reason, target_cpu, entry_symbol, object, info,
            table);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(image)>>) {
      checks = table ? std::make_shared<const kernel::CheckTable>(std::move(*table)) : nullptr;
    }
  }
};

template <>
struct Fields<msl::Diagnostic> {
  static void visit(auto& archive, auto& diagnostic) {
    auto& [severity, file, line, column, message, source_line, marker, fix, notes] = diagnostic;
    archive(severity, file, line, column, message, source_line, marker, fix, notes);
  }
};

template <>
struct Fields<msl::FileUse> {
  static void visit(auto& archive, auto& use) {
    auto& [path, kind, content] = use;
    archive(path, kind, content);
  }
};

template <>
struct Fields<msl::Reflection> {
  static void visit(auto& archive, auto& reflection) {
    auto& [kernels, function_constants] = reflection;
    archive(kernels, function_constants);
  }
};

template <>
struct Fields<pipeline::LibraryRecord> {
  static void visit(auto& archive, auto& record) {
    auto& [content, function_constants, reflection, diagnostics, files] = record;
    archive(content, function_constants, reflection, diagnostics, files);
  }
};

}  // namespace assay::base

namespace assay::pipeline {
namespace {

template <typename Value>
std::string written(const Value& value) {
  base::ArchiveWriter writer;
  writer(value);
  return writer.take();
}

template <typename Value>
std::optional<Value> read(std::string_view payload) {
  base::ArchiveReader reader(payload);
  Value value;
  reader(value);
  if (!reader.is_finished()) return std::nullopt;
  return value;
}

}  // namespace

std::string encode(const LibraryRecord& record) { return written(record); }
std::string encode(const msl::Reflection& reflection) { return written(reflection); }
std::string encode(const kernel::KernelImage& image) { return written(image); }

std::optional<LibraryRecord> decode_library(std::string_view payload) {
  return read<LibraryRecord>(payload);
}

std::optional<msl::Reflection> decode_reflection(std::string_view payload) {
  return read<msl::Reflection>(payload);
}

std::optional<kernel::KernelImage> decode_image(std::string_view payload) {
  return read<kernel::KernelImage>(payload);
}

}  // namespace assay::pipeline
