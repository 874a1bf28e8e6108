// The document's tables and its version.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::trace {

// "assa" in the header of every document.
constexpr int32_t kApplicationId = 0x61737361;
// Raised with every change of the tables. Readers take their own version only: the tables of an
// older one lack what the questions to them need.
constexpr int32_t kSchemaVersion = 2;

std::string_view schema_sql();

}  // namespace assay::trace
