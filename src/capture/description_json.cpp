// See description_json.h.
#include "capture/description_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay::capture {
namespace {

using Json = nlohmann::ordered_json;

// Names come from programs and need not be valid UTF-8.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* access_name(kernel::Access access) {
  switch (access) {
    case kernel::Access::kNone: return "none";
    case kernel::Access::kRead: return "read";
    case kernel::Access::kWrite: return "write";
    case kernel::Access::kReadWrite: return "read_write";
  }
  return "none";
}

const char* element_name(kernel::MatrixElement element) {
  switch (element) {
    case kernel::MatrixElement::kFloat32: return "float32";
    case kernel::MatrixElement::kFloat64: return "float64";
    case kernel::MatrixElement::kComplex64: return "complex64";
  }
  return "";
}

}  // namespace

std::string options_json(const kernel::KernelOrigin& origin) {
  Json defines = Json::object();
  for (const auto& [name, value] : origin.defines) defines[name] = value;
  Json constants = Json::array();
  for (const kernel::ConstantBytes& constant : origin.constants) {
    std::string bytes;
    for (const uint8_t byte : constant.bytes) bytes += fmt::format("{:02x}", byte);
    constants.push_back({{"name", constant.name}, {"index", constant.index}, {"bytes", bytes}});
  }
  return dump({{"math_mode", origin.math_mode},
               {"allows_double", origin.allows_double},
               {"defines", std::move(defines)},
               {"include_folders", origin.include_folders},
               {"constants", std::move(constants)}});
}

std::string reflection_json(const kernel::KernelInfo& info) {
  Json arguments = Json::array();
  for (const kernel::Argument& argument : info.arguments) {
    if (argument.kind == kernel::ArgumentKind::kThreadAttribute) continue;
    const bool is_buffer = argument.kind == kernel::ArgumentKind::kBuffer;
    arguments.push_back({{"name", argument.name},
                         {"kind", is_buffer ? "buffer" : "threadgroup"},
                         {"slot", argument.slot},
                         {"type", argument.type},
                         {"access", access_name(argument.access)},
                         {"element_bytes", argument.element_bytes}});
  }
  return dump({{"line", info.line},
               {"arguments", std::move(arguments)},
               {"threadgroup_bytes", info.static_threadgroup_bytes},
               {"max_threads", info.max_total_threads_per_threadgroup}});
}

std::string product_json(const kernel::MatrixProduct& product) {
  auto form = [](const kernel::MatrixForm& of) {
    return Json{{"transposed", of.is_transposed}, {"leading", of.leading}};
  };
  Json offsets = Json::array();
  for (const kernel::MatrixOffsets& each : product.products) offsets.push_back({each.a, each.b});
  return dump({{"element", element_name(product.element)},
               {"m", product.m},
               {"n", product.n},
               {"k", product.k},
               {"a", form(product.a)},
               {"b", form(product.b)},
               {"offsets", std::move(offsets)}});
}

}  // namespace assay::capture
