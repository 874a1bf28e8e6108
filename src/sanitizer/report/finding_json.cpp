// See finding_json.h.
#include "sanitizer/report/finding_json.h"

#include <fmt/format.h>

#include <limits>

#include "sanitizer/report/finding_fields.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {
namespace {

constexpr size_t kMaxLineBytes = size_t{1} << 20;
constexpr size_t kMaxEntries = 256;  // of a list

// Reads the fields of one object. The first thing that is wrong stays in `error`, and what is read
// after it has its default value.
class FieldReader {
 public:
  FieldReader(const Json& object, std::string path, std::string& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object.is_object()) fail("", "is not an object");
  }

  std::string text(const char* name) {
    const Json* field = find(name);
    if (field == nullptr) return {};
    if (!field->is_string()) return fail(name, "is not a text"), std::string();
    return field->get<std::string>();
  }

  template <typename Number>
  Number number(const char* name) {
    const Json* field = find(name);
    return field == nullptr ? Number{} : number_of<Number>(*field, name);
  }

  std::vector<int64_t> numbers(const char* name) {
    std::vector<int64_t> result;
    for (const Json& each : list(name)) result.push_back(number_of<int64_t>(each, name));
    return result;
  }

  void position(const char* name, uint32_t (&result)[3]) {
    const Json& entries = list(name);
    if (!error_.empty()) return;
    if (entries.size() != 3) return fail(name, "does not have 3 numbers");
    for (size_t i = 0; i < 3; ++i) result[i] = number_of<uint32_t>(entries[i], name);
  }

  const Json& list(const char* name) {
    static const Json empty = Json::array();
    const Json* field = find(name);
    if (field == nullptr) return empty;
    if (!field->is_array()) return fail(name, "is not a list"), empty;
    if (field->size() > kMaxEntries) return fail(name, "has too many entries"), empty;
    return *field;
  }

  // Null when the field is null, or on an error.
  const Json* object(const char* name) {
    const Json* field = find(name);
    return field == nullptr || field->is_null() ? nullptr : field;
  }

  void fail(std::string_view name, std::string_view what) {
    if (!error_.empty()) return;
    const bool is_inner = !path_.empty() && !name.empty();
    error_ = fmt::format("'{}{}{}' {}", path_, is_inner ? "." : "", name, what);
  }

  FieldReader inner(const Json& object, std::string_view name) {
    return {object, path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name), error_};
  }

 private:
  const Json* find(const char* name) {
    if (!error_.empty()) return nullptr;
    const auto found = object_.find(name);
    if (found != object_.end()) return &*found;
    fail(name, "is missing");
    return nullptr;
  }

  template <typename Number>
  Number number_of(const Json& field, const char* name) {
    using Limits = std::numeric_limits<Number>;
    if (field.is_number_unsigned()) {
      const auto value = field.get<uint64_t>();
      if (value <= static_cast<uint64_t>(Limits::max())) return static_cast<Number>(value);
    } else if (field.is_number_integer() && Limits::is_signed) {
      const auto value = field.get<int64_t>();
      if (value >= static_cast<int64_t>(Limits::min())) return static_cast<Number>(value);
    }
    fail(name, fmt::format("is not a whole number from {} to {}", Limits::min(), Limits::max()));
    return {};
  }

  const Json& object_;
  const std::string path_;
  std::string& error_;
};

std::optional<ProgramPlace> read_written(FieldReader& reader) {
  const Json* object = reader.object("written");
  if (object == nullptr) return std::nullopt;
  FieldReader fields = reader.inner(*object, "written");
  return ProgramPlace{fields.text("file"), fields.number<uint32_t>("line"),
                      fields.number<uint32_t>("column")};
}

SourcePlace read_place(FieldReader& reader) {
  const Json* object = reader.object("place");
  if (object == nullptr) {
    reader.fail("place", "is missing");
    return {};
  }
  FieldReader fields = reader.inner(*object, "place");
  return {fields.text("file"), fields.number<uint32_t>("line"), fields.number<uint32_t>("column"),
          fields.text("text"), read_written(fields)};
}

std::optional<ThreadPlace> read_thread(FieldReader& reader) {
  const Json* object = reader.object("thread");
  if (object == nullptr) return std::nullopt;
  FieldReader fields = reader.inner(*object, "thread");
  ThreadPlace thread;
  fields.position("threadgroup", thread.threadgroup);
  fields.position("thread", thread.thread);
  fields.position("grid", thread.grid);
  return thread;
}

std::optional<MemoryPlace> read_memory(FieldReader& reader) {
  const Json* object = reader.object("memory");
  if (object == nullptr) return std::nullopt;
  FieldReader fields = reader.inner(*object, "memory");
  return MemoryPlace{.space = fields.text("space"),
                     .name = fields.text("name"),
                     .array = fields.text("array"),
                     .type = fields.text("type"),
                     .element_bytes = fields.number<uint64_t>("element_bytes"),
                     .offset = fields.number<int64_t>("offset"),
                     .bytes = fields.number<uint64_t>("bytes"),
                     .object_bytes = fields.number<uint64_t>("object_bytes"),
                     .shape = fields.numbers("shape"),
                     .strides = fields.numbers("strides")};
}

std::vector<RelatedPlace> read_related(FieldReader& reader) {
  std::vector<RelatedPlace> result;
  for (const Json& each : reader.list("related")) {
    FieldReader fields = reader.inner(each, fmt::format("related[{}]", result.size()));
    result.push_back({fields.text("message"), read_place(fields), read_thread(fields)});
  }
  return result;
}

Severity read_severity(FieldReader& reader) {
  const std::optional<Severity> severity = find_severity(reader.text("severity"));
  if (!severity) reader.fail("severity", "is not error, warning or note");
  return severity.value_or(Severity::kError);
}

Finding read_finding(FieldReader& reader) {
  Finding finding;
  finding.rule = reader.text("rule");
  if (find_rule(finding.rule) == nullptr) reader.fail("rule", "is not a rule of assay check");
  finding.severity = read_severity(reader);
  finding.kernel = reader.text("kernel");
  finding.label = reader.text("label");
  finding.message = reader.text("message");
  finding.place = read_place(reader);
  finding.related = read_related(reader);
  finding.thread = read_thread(reader);
  finding.memory = read_memory(reader);
  finding.call_site = reader.text("call_site");
  finding.fix = reader.text("fix");
  finding.occurrences = reader.number<uint64_t>("occurrences");
  if (finding.occurrences == 0) reader.fail("occurrences", "is 0");
  finding.command = reader.number<uint64_t>("command");
  return finding;
}

}  // namespace

std::string finding_line(const Finding& finding) { return json_text(finding_fields(finding)); }

std::string kernel_line(const CheckedKernel& kernel) {
  return json_text({{"checked", kernel.name}, {"dispatches", kernel.dispatches}});
}

Result<ReportLine> parse_report_line(std::string_view line) {
  if (line.size() > kMaxLineBytes) {
    return Error{fmt::format("the line has {} bytes, more than {}", line.size(), kMaxLineBytes)};
  }
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Error{"the line is not JSON"};
  std::string error;
  FieldReader reader(json, "", error);
  ReportLine result;
  if (json.is_object() && json.contains("checked")) {
    result = CheckedKernel{reader.text("checked"), reader.number<uint64_t>("dispatches")};
  } else {
    result = read_finding(reader);
  }
  if (!error.empty()) return Error{std::move(error)};
  return result;
}

}  // namespace assay::sanitizer
