// See launch_file.h.
#include "cli/check/launch_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/check/number_type.h"
#include "cli/json_text.h"
#include "cli/launch_argument.h"

namespace assay::cli {
namespace {

using Names = std::initializer_list<std::string_view>;

constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

const Names kLaunchKeys = {"kernel",    "grid",      "threadgroups", "threadgroup",
                           "arguments", "constants", "checks"};
const Names kArrayKeys = {"type", "shape", "fill", "output", "offset", "as"};

// Reads a file; the first thing that is wrong stays in error() and ends the rest.
class Reader {
 public:
  LaunchFile read(const Json& root) {
    LaunchFile file;
    if (!is_object(root, "")) return file;
    if (const auto list = root.find("launches"); list != root.end()) {
      check_keys(root, "", {"launches", "checks"});
      if (!list->is_array() || list->empty()) {
        fail("launches", "must be a list with at least one launch");
        return file;
      }
      for (const Json& each : *list) {
        file.launches.push_back(read_launch(each, fmt::format("launches[{}]", file.launches.size()),
                                            /*is_inner=*/true));
      }
    } else {
      file.launches.push_back(read_launch(root, "", /*is_inner=*/false));
    }
    file.checks = text_of(root, "", "checks");
    return file;
  }

  const std::string& error() const { return error_; }

 private:
  void fail(std::string_view path, std::string_view what) {
    if (error_.empty()) error_ = fmt::format("'{}' {}", path.empty() ? "the file" : path, what);
  }

  static std::string join(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  bool is_object(const Json& json, std::string_view path) {
    if (!json.is_object()) fail(path, "must be an object {…}");
    return json.is_object();
  }

  void check_keys(const Json& object, std::string_view path, Names known) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      return fail(join(path, key), fmt::format("is not known here; there are {}",
                                               fmt::join(known.begin(), known.end(), ", ")));
    }
  }

  // Empty where there is none.
  std::string text_of(const Json& object, std::string_view path, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (found->is_string() && !found->get<std::string>().empty()) return found->get<std::string>();
    fail(join(path, key), "must be a text");
    return {};
  }

  bool flag_of(const Json& object, std::string_view path, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return false;
    if (!found->is_boolean()) fail(join(path, key), "must be true or false");
    return found->is_boolean() && found->get<bool>();
  }

  uint64_t whole_number(const Json& json, std::string_view path, uint64_t least, uint64_t most) {
    if (json.is_number_unsigned()) {
      const auto number = json.get<uint64_t>();
      if (number >= least && number <= most) return number;
    }
    fail(path, fmt::format("must be a whole number from {} to {}", least, most));
    return least;
  }

  kernel::Size3 size_of(const Json& json, std::string_view path) {
    constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
    if (!json.is_array() || json.empty() || json.size() > 3) {
      fail(path, "must be a list of 1 to 3 numbers");
      return {};
    }
    uint32_t sizes[3] = {1, 1, 1};
    for (size_t i = 0; i < json.size(); ++i) {
      sizes[i] = static_cast<uint32_t>(whole_number(json[i], path, 1, kMost));
    }
    return {sizes[0], sizes[1], sizes[2]};
  }

  kernel::LaunchSize launch_size(const Json& object, std::string_view path) {
    const auto grid = object.find("grid"), groups = object.find("threadgroups");
    const auto group = object.find("threadgroup");
    if ((grid == object.end()) == (groups == object.end())) {
      fail(path, "must have either 'grid' (threads) or 'threadgroups'");
      return {};
    }
    if (group == object.end()) {
      fail(path, "must have 'threadgroup', the threads of one threadgroup");
      return {};
    }
    const kernel::Size3 threads = size_of(*group, join(path, "threadgroup"));
    if (grid != object.end()) {
      return kernel::LaunchSize::threads(size_of(*grid, join(path, "grid")), threads);
    }
    return kernel::LaunchSize::threadgroups(size_of(*groups, join(path, "threadgroups")), threads);
  }

  FileLaunch read_launch(const Json& object, const std::string& path, bool is_inner) {
    FileLaunch launch{.path = path, .kernel = {}, .arguments = {}, .constants = {}};
    if (!error_.empty() || !is_object(object, path)) return launch;
    // Checks are those of the whole run.
    const Names inner = {"kernel", "grid", "threadgroups", "threadgroup", "arguments", "constants"};
    check_keys(object, path, is_inner ? inner : kLaunchKeys);
    launch.kernel = text_of(object, path, "kernel");
    launch.size = launch_size(object, path);
    if (const auto list = object.find("arguments"); list != object.end()) {
      const std::string inner_path = join(path, "arguments");
      if (!is_object(*list, inner_path)) return launch;
      for (const auto& [name, value] : list->items()) {
        launch.arguments.push_back(read_argument(value, name, join(inner_path, name)));
      }
    }
    if (const auto list = object.find("constants"); list != object.end()) {
      const std::string inner_path = join(path, "constants");
      if (!is_object(*list, inner_path)) return launch;
      for (const auto& [name, value] : list->items()) {
        launch.constants.push_back(
            fmt::format("{}={}", name, numbers_text(value, join(inner_path, name))));
      }
    }
    return launch;
  }

  // One number as parse_value takes it.
  std::string number_text(const Json& json, std::string_view path) {
    if (json.is_number() || json.is_boolean()) return json.dump();
    if (json == "nan" || json == "inf" || json == "-inf") return json.get<std::string>();
    fail(path, R"(must be a number, true, false, "nan", "inf" or "-inf")");
    return {};
  }

  // A number, or the elements of a vector.
  std::string numbers_text(const Json& json, std::string_view path) {
    if (!json.is_array()) return number_text(json, path);
    std::vector<std::string> parts;
    for (const Json& each : json) parts.push_back(number_text(each, path));
    return fmt::format("{}", fmt::join(parts, ","));
  }

  FileArgument read_argument(const Json& json, const std::string& name, const std::string& path) {
    FileArgument argument{.name = name, .path = path, .value = NumberValue{}};
    if (!error_.empty()) return argument;
    if (!json.is_object()) {
      argument.value = NumberValue{numbers_text(json, path)};
    } else if (json.contains("array")) {
      check_keys(json, path, {"array", "output", "offset"});
      argument.value = KnownArray{text_of(json, path, "array")};
      read_binding(json, argument);
    } else if (json.contains("bytes")) {
      check_keys(json, path, {"bytes"});
      argument.value = BytesValue{hex_bytes(text_of(json, path, "bytes"), join(path, "bytes"))};
    } else if (json.contains("values")) {
      check_keys(json, path, {"values"});
      argument.value = BytesValue{packed_values(json["values"], join(path, "values"))};
    } else if (json.contains("threadgroup_bytes")) {
      check_keys(json, path, {"threadgroup_bytes"});
      argument.value = ThreadgroupMemory{
          whole_number(json["threadgroup_bytes"], join(path, "threadgroup_bytes"), 1, kMaxBytes)};
    } else if (json.contains("type")) {
      check_keys(json, path, kArrayKeys);
      argument.value = new_array(json, path);
      read_binding(json, argument);
    } else {
      fail(path,
           "must be a number, an array with 'type' and 'shape', or an object with 'array', "
           "'bytes', 'values' or 'threadgroup_bytes'");
    }
    return argument;
  }

  void read_binding(const Json& json, FileArgument& argument) {
    argument.is_output = flag_of(json, argument.path, "output");
    if (const auto offset = json.find("offset"); offset != json.end()) {
      argument.offset = whole_number(*offset, join(argument.path, "offset"), 0, kMaxBytes);
    }
  }

  NewArray new_array(const Json& json, const std::string& path) {
    NewArray array;
    array.name = text_of(json, path, "as");
    const std::string type = text_of(json, path, "type");
    if (const auto found = find_array_type(type); found && find_number_type(type)) {
      array.type = *found;
    } else {
      fail(join(path, "type"),
           fmt::format("is '{}', which is not a type; there are {}", type, number_type_names()));
    }
    array.shape = shape_of(json, path);
    if (!error_.empty()) return array;
    const auto bytes = base::npy_data_bytes(array.type.storage, array.shape);
    if (!bytes || *bytes > kMaxBytes) {
      fail(join(path, "shape"), "is too large");
      return array;
    }
    if (const auto fill = json.find("fill"); fill != json.end()) {
      array.fill = read_fill(*fill, join(path, "fill"), *bytes / array.type.bytes());
    }
    return array;
  }

  std::vector<uint64_t> shape_of(const Json& json, const std::string& path) {
    const auto shape = json.find("shape");
    std::vector<uint64_t> sizes;
    if (shape == json.end() || !shape->is_array()) {
      fail(join(path, "shape"), "must be a list of numbers");
      return sizes;
    }
    for (const Json& size : *shape) {
      sizes.push_back(whole_number(size, join(path, "shape"), 0, kMaxBytes));
    }
    return sizes;
  }

  Fill read_fill(const Json& json, const std::string& path, uint64_t elements) {
    if (json == "zeros") return {FillKind::kZeros, {}};
    if (json == "ones") return {FillKind::kOnes, {}};
    if (json == "iota") return {FillKind::kIota, {}};
    if (json == "random") return {FillKind::kRandom, {}};
    Fill fill{FillKind::kNumbers, {}};
    if (!json.is_array()) {
      if (json.is_string() && json != "nan" && json != "inf" && json != "-inf") {
        fail(path, fmt::format("is '{}'; there are zeros, ones, iota, random, a number, or a list "
                               "with a number for each element",
                               json.get<std::string>()));
        return fill;
      }
      fill.numbers.push_back(number_text(json, path));
      return fill;
    }
    if (json.size() != elements) {
      fail(path,
           fmt::format("has {} numbers, but the shape has {} elements", json.size(), elements));
      return fill;
    }
    for (const Json& each : json) fill.numbers.push_back(number_text(each, path));
    // A list of one number for one element and a number for all are the same.
    return fill;
  }

  std::vector<std::byte> hex_bytes(const std::string& text, std::string_view path) {
    const Result<LaunchArgument> parsed = parse_launch_argument("bytes:" + text);
    if (parsed) return parsed->bytes;
    fail(path, "must have two hexadecimal digits for each byte, in memory order");
    return {};
  }

  // Every value at a multiple of its size, as in a struct of MSL.
  std::vector<std::byte> packed_values(const Json& list, const std::string& path) {
    std::vector<std::byte> bytes;
    size_t alignment = 1;
    if (!list.is_array() || list.empty()) {
      fail(path, R"(must be a list such as [["uint32", 5], ["float32", 0.5]])");
      return bytes;
    }
    for (size_t i = 0; i < list.size() && error_.empty(); ++i) {
      const Json& entry = list[i];
      const std::string where = fmt::format("{}[{}]", path, i);
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string()) {
        fail(where, R"(must be a type and a value, such as ["uint32", 5])");
        break;
      }
      const auto type = find_number_type(entry[0].get<std::string>());
      if (!type) {
        fail(where, fmt::format("has no type of that name; there are {}", number_type_names()));
        break;
      }
      const Result<std::vector<std::byte>> value =
          parse_value(*type, numbers_text(entry[1], where));
      if (!value) {
        fail(where, fmt::format("is wrong: {}", value.error().message));
        break;
      }
      alignment = std::max<size_t>(alignment, type->bytes());
      bytes.resize((bytes.size() + type->bytes() - 1) / type->bytes() * type->bytes());
      bytes.insert(bytes.end(), value->begin(), value->end());
    }
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
    return bytes;
  }

  std::string error_;
};

// "line 3, column 7".
std::string place_of(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const size_t start = before.rfind('\n');
  const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

}  // namespace

Result<LaunchFile> parse_launch_file(std::string_view text, std::string_view name) {
  Json json;
  try {
    json = Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const Json::parse_error& error) {
    return Error{fmt::format("{}: {} is not JSON", name, place_of(text, error.byte))};
  }
  Reader reader;
  LaunchFile file = reader.read(json);
  if (!reader.error().empty()) return Error{fmt::format("{}: {}", name, reader.error())};
  return file;
}

}  // namespace assay::cli
