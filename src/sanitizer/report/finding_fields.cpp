// See finding_fields.h.
#include "sanitizer/report/finding_fields.h"

#include "sanitizer/coordinates.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {
namespace {

Json written_fields(const std::optional<ProgramPlace>& place) {
  if (!place) return nullptr;
  return {{"file", place->file}, {"line", place->line}, {"column", place->column}};
}

Json place_fields(const SourcePlace& place) {
  return {{"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"text", place.text},
          {"written", written_fields(place.written)}};
}

Json thread_fields(const std::optional<ThreadPlace>& thread) {
  if (!thread) return nullptr;
  return {{"threadgroup", thread->threadgroup}, {"thread", thread->thread}, {"grid", thread->grid}};
}

Json memory_fields(const std::optional<MemoryPlace>& memory) {
  if (!memory) return nullptr;
  Json json = {{"space", memory->space},
               {"name", memory->name},
               {"array", memory->array},
               {"type", memory->type},
               {"element_bytes", memory->element_bytes},
               {"offset", memory->offset},
               {"bytes", memory->bytes},
               {"object_bytes", memory->object_bytes},
               {"shape", memory->shape},
               {"strides", memory->strides},
               {"index", memory->index()}};
  const auto coordinates = find_coordinates(*memory);
  json["coordinates"] = coordinates ? Json(*coordinates) : Json(nullptr);
  return json;
}

}  // namespace

Json finding_fields(const Finding& finding) {
  Json related = Json::array();
  for (const RelatedPlace& each : finding.related) {
    related.push_back({{"message", each.message},
                       {"place", place_fields(each.place)},
                       {"thread", thread_fields(each.thread)}});
  }
  return {{"rule", finding.rule},
          {"severity", severity_name(finding.severity)},
          {"kernel", finding.kernel},
          {"label", finding.label},
          {"message", finding.message},
          {"place", place_fields(finding.place)},
          {"related", std::move(related)},
          {"thread", thread_fields(finding.thread)},
          {"memory", memory_fields(finding.memory)},
          {"call_site", finding.call_site},
          {"fix", finding.fix},
          {"occurrences", finding.occurrences},
          {"command", finding.command}};
}

}  // namespace assay::sanitizer
