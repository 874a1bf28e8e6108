// See parse_description.h.
#include "replay/parse_description.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/parse_number.h"

namespace assay::replay {
namespace {

using Json = nlohmann::json;

Json parse(std::string_view text) { return Json::parse(text, nullptr, false); }

// The fields of an object. After the first that is wrong the others give defaults.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {
    if (!json.is_object()) error_ = "is no JSON object";
  }

  const Json& get(const char* name) {
    static const Json kNothing;
    if (!json_.is_object()) return kNothing;
    const auto found = json_.find(name);
    return found == json_.end() ? kNothing : *found;
  }
  bool has(const char* name) { return json_.is_object() && json_.contains(name); }

  int64_t integer(const char* name, int64_t min, int64_t max) {
    const Json& value = get(name);
    if (value.is_number_integer()) {
      const bool fits = !value.is_number_unsigned() ||
                        value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
      const int64_t number = value.get<int64_t>();
      if (fits && number >= min && number <= max) return number;
    }
    fail(name, "is no number in its limits");
    return min;
  }
  std::string text(const char* name) {
    const Json& value = get(name);
    if (value.is_string()) return value.get<std::string>();
    fail(name, "is no text");
    return {};
  }
  bool boolean(const char* name) {
    const Json& value = get(name);
    if (value.is_boolean()) return value.get<bool>();
    fail(name, "is neither true nor false");
    return false;
  }
  const Json& list(const char* name) {
    static const Json kEmpty = Json::array();
    const Json& value = get(name);
    if (value.is_array()) return value;
    fail(name, "is no list");
    return kEmpty;
  }

  void fail(std::string_view name, std::string_view what) {
    if (error_.empty()) error_ = fmt::format("'{}' {}", name, what);
  }
  void take(const Fields& other) {
    if (error_.empty()) error_ = other.error_;
  }
  template <typename T>
  Result<T> finish(T value) {
    if (!error_.empty()) return Error{error_};
    return value;
  }

 private:
  const Json& json_;
  std::string error_;
};

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

std::vector<uint8_t> hexadecimal_bytes(Fields& fields, const char* name) {
  const std::string digits = fields.text(name);
  std::vector<uint8_t> bytes;
  if (digits.size() % 2 != 0) fields.fail(name, "has half a byte");
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const auto byte = parse_number<uint8_t>(std::string_view(digits).substr(i, 2), 16);
    if (!byte) fields.fail(name, "has something else than hexadecimal digits");
    bytes.push_back(byte.value_or(0));
  }
  return bytes;
}

kernel::MatrixForm matrix_form(Fields& product, const char* name) {
  Fields fields(product.get(name));
  const kernel::MatrixForm form{fields.boolean("transposed"),
                                fields.integer("leading", 1, kMaxInt32)};
  product.take(fields);
  return form;
}

kernel::MatrixElement matrix_element(Fields& fields) {
  const std::string name = fields.text("element");
  if (name == "float32") return kernel::MatrixElement::kFloat32;
  if (name == "float64") return kernel::MatrixElement::kFloat64;
  if (name != "complex64") fields.fail("element", "is no type that matrices have");
  return kernel::MatrixElement::kComplex64;
}

}  // namespace

Result<KernelOptions> parse_options(std::string_view text) {
  const Json json = parse(text);
  Fields fields(json);
  KernelOptions options;
  if (json.is_object() && json.empty()) return options;
  options.compile.math_mode = static_cast<msl::MathMode>(
      fields.integer("math_mode", 0, static_cast<int64_t>(msl::MathMode::kFast)));
  options.compile.allow_double = fields.boolean("allows_double");
  const Json& defines = fields.get("defines");
  if (!defines.is_object()) fields.fail("defines", "is no object");
  for (const auto& [name, value] : defines.items()) {
    if (!value.is_string()) return Error{"'defines' has a value that is no text"};
    options.compile.defines.emplace_back(name, value.get<std::string>());
  }
  for (const Json& folder : fields.list("include_folders")) {
    if (!folder.is_string()) return Error{"'include_folders' has an entry that is no text"};
    options.compile.include_folders.push_back(folder.get<std::string>());
  }
  for (const Json& each : fields.list("constants")) {
    Fields constant(each);
    codegen::ConstantValue value;
    value.name = constant.text("name");
    value.index =
        static_cast<uint32_t>(constant.integer("index", 0, std::numeric_limits<uint32_t>::max()));
    value.bytes = hexadecimal_bytes(constant, "bytes");
    fields.take(constant);
    options.constants.push_back(std::move(value));
  }
  return fields.finish(std::move(options));
}

Result<std::vector<ReflectedArgument>> parse_reflection(std::string_view text) {
  const Json json = parse(text);
  Fields fields(json);
  std::vector<ReflectedArgument> arguments;
  for (const Json& each : fields.list("arguments")) {
    Fields argument(each);
    ReflectedArgument& added = arguments.emplace_back();
    added.name = argument.text("name");
    added.is_buffer = argument.text("kind") == "buffer";
    added.slot = static_cast<uint32_t>(argument.integer("slot", 0, kMaxInt32));
    added.type = argument.text("type");
    const std::string access = argument.text("access");
    added.is_written = access == "write" || access == "read_write";
    added.element_bytes = static_cast<uint64_t>(argument.integer("element_bytes", 0, kMaxInt64));
    fields.take(argument);
  }
  return fields.finish(std::move(arguments));
}

Result<kernel::MatrixProduct> parse_product(std::string_view text) {
  const Json json = parse(text);
  Fields fields(json);
  kernel::MatrixProduct product;
  product.element = matrix_element(fields);
  product.m = static_cast<int32_t>(fields.integer("m", 1, kMaxInt32));
  product.n = static_cast<int32_t>(fields.integer("n", 1, kMaxInt32));
  product.k = static_cast<int32_t>(fields.integer("k", 1, kMaxInt32));
  product.a = matrix_form(fields, "a");
  product.b = matrix_form(fields, "b");
  for (const Json& each : fields.list("offsets")) {
    const bool is_pair = each.is_array() && each.size() == 2 && each[0].is_number_integer() &&
                         each[1].is_number_integer();
    if (!is_pair) return Error{"'offsets' has an entry that is no pair of numbers"};
    product.products.push_back({each[0].get<int64_t>(), each[1].get<int64_t>()});
  }
  return fields.finish(std::move(product));
}

Result<std::vector<int64_t>> parse_sizes(std::string_view text) {
  const Json json = parse(text);
  if (!json.is_array()) return Error{"is no list"};
  std::vector<int64_t> sizes;
  for (const Json& each : json) {
    if (!each.is_number_integer()) return Error{"has an entry that is no number"};
    sizes.push_back(each.get<int64_t>());
  }
  return sizes;
}

}  // namespace assay::replay
