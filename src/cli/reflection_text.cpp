// See reflection_text.h.
#include "cli/reflection_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/format.h"
#include "msl/thread_attributes.h"

namespace assay::cli {
namespace {

using kernel::Argument;
using kernel::ArgumentKind;
using kernel::KernelInfo;

std::string_view space_name(kernel::AddressSpace space) {
  switch (space) {
    case kernel::AddressSpace::kDevice: return "device";
    case kernel::AddressSpace::kConstant: return "constant";
    case kernel::AddressSpace::kThreadgroup: return "threadgroup";
    case kernel::AddressSpace::kThread: break;
  }
  return "thread";
}

std::string_view kind_name(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kBuffer: return "buffer";
    case ArgumentKind::kThreadgroupMemory: return "threadgroup";
    case ArgumentKind::kThreadAttribute: break;
  }
  return "attribute";
}

std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = text.find('\n') + 1;
    result += fmt::format("  {}", text.substr(0, end));
    text.remove_prefix(end);
  }
  return result;
}

std::string argument_table(const KernelInfo& info) {
  base::Table table({{"argument"}, {"bound to"}, {"type"}, {"space"}, {"access"}, {"element"}});
  for (const Argument& argument : info.arguments) {
    if (argument.kind == ArgumentKind::kThreadAttribute) {
      table.add_row({argument.name, place_text(argument), argument.type});
      continue;
    }
    std::string access(access_name(argument.access));
    if (argument.present_if) access += fmt::format(" (if {})", *argument.present_if);
    table.add_row({argument.name, place_text(argument), argument.type,
                   std::string(space_name(argument.address_space)), access,
                   argument.element_bytes == 0 ? "" : base::format_bytes(argument.element_bytes)});
  }
  return indented(table.text());
}

std::string kernel_text(const KernelInfo& info, const Console& console) {
  std::string text =
      fmt::format("{}  {}\n", console.paint(info.name, base::Colour::kBold),
                  console.paint(fmt::format("{}:{}", info.file, info.line), base::Colour::kGrey));
  if (!info.arguments.empty()) text += argument_table(info);
  text += fmt::format("  threadgroup memory {}", base::format_bytes(info.static_threadgroup_bytes));
  if (info.max_total_threads_per_threadgroup > 0) {
    text +=
        fmt::format(", at most {} threads per threadgroup", info.max_total_threads_per_threadgroup);
  }
  if (!info.function_constants.empty()) {
    text += fmt::format(", uses function constants {}", fmt::join(info.function_constants, ", "));
  }
  return text + '\n';
}

}  // namespace

std::string_view attribute_name(kernel::ThreadAttribute attribute) {
  for (const msl::NamedThreadAttribute& named : msl::kThreadAttributeNames) {
    if (named.attribute == attribute) return named.name;
  }
  return "?";
}

std::string_view access_name(kernel::Access access) {
  switch (access) {
    case kernel::Access::kNone: return "none";
    case kernel::Access::kRead: return "read";
    case kernel::Access::kWrite: return "write";
    case kernel::Access::kReadWrite: break;
  }
  return "read-write";
}

std::string place_text(const Argument& argument) {
  if (argument.kind == ArgumentKind::kThreadAttribute) {
    return std::string(attribute_name(argument.attribute));
  }
  return fmt::format("{}({})", kind_name(argument.kind), argument.slot);
}

std::string reflection_text(const msl::Library& library, const Console& console) {
  std::string text;
  for (const KernelInfo& info : library.kernels) {
    if (!text.empty()) text += '\n';
    text += kernel_text(info, console);
  }
  if (library.function_constants.empty()) return text;
  base::Table table({{"constant"}, {"index", base::Align::kRight}, {"type"}});
  for (const kernel::FunctionConstant& constant : library.function_constants) {
    table.add_row({constant.name, fmt::format("{}", constant.index), constant.type});
  }
  return text + fmt::format("\n{}\n{}", console.paint("function constants", base::Colour::kBold),
                            indented(table.text()));
}

Json kernel_json(const KernelInfo& info) {
  Json arguments = Json::array();
  for (const Argument& argument : info.arguments) {
    Json json = {{"name", argument.name}, {"kind", kind_name(argument.kind)}};
    if (argument.kind == ArgumentKind::kThreadAttribute) {
      json["attribute"] = attribute_name(argument.attribute);
      json["type"] = argument.type;
    } else {
      json["slot"] = argument.slot;
      json["type"] = argument.type;
      json["address_space"] = space_name(argument.address_space);
      json["access"] = access_name(argument.access);
      json["is_reference"] = argument.is_reference;
      json["element_bytes"] = argument.element_bytes;
      json["element_alignment"] = argument.element_alignment;
      if (argument.present_if) json["present_if"] = *argument.present_if;
    }
    arguments.push_back(std::move(json));
  }
  return {{"name", info.name},
          {"file", info.file},
          {"line", info.line},
          {"arguments", std::move(arguments)},
          {"threadgroup_memory_bytes", info.static_threadgroup_bytes},
          {"max_total_threads_per_threadgroup", info.max_total_threads_per_threadgroup},
          {"function_constants", info.function_constants}};
}

Json constants_json(const msl::Library& library) {
  Json constants = Json::array();
  for (const kernel::FunctionConstant& constant : library.function_constants) {
    constants.push_back(
        {{"name", constant.name}, {"index", constant.index}, {"type", constant.type}});
  }
  return constants;
}

Json diagnostics_json(const std::vector<msl::Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const msl::Diagnostic& diagnostic : diagnostics) {
    const char* severity = diagnostic.severity == msl::Severity::kError     ? "error"
                           : diagnostic.severity == msl::Severity::kWarning ? "warning"
                                                                            : "note";
    Json json = {{"severity", severity},
                 {"file", diagnostic.file},
                 {"line", diagnostic.line},
                 {"column", diagnostic.column},
                 {"message", diagnostic.message}};
    if (!diagnostic.fix.empty()) json["fix"] = diagnostic.fix;
    if (!diagnostic.notes.empty()) json["notes"] = diagnostics_json(diagnostic.notes);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace assay::cli
