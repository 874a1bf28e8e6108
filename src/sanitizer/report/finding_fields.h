// Findings as JSON values. Only for files that include the JSON library anyway.
#pragma once

#include <nlohmann/json.hpp>

#include "sanitizer/report/check_report.h"

namespace assay::sanitizer {

using Json = nlohmann::ordered_json;

// Every field. What follows from others (index, coordinates) is there for readers.
Json finding_fields(const Finding& finding);

inline std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace assay::sanitizer
