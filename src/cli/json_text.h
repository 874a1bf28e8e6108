// JSON as commands print it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace assay::cli {

using Json = nlohmann::ordered_json;

// Two spaces of indentation and a line end. File names that are not UTF-8 do not break it.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace assay::cli
