// One piece of a page's data: tables as JSON and long columns as numbers that a browser reads in
// place, which viewer/src/data/section.ts does.
#pragma once

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::analysis {

// 8 bytes "assaypg1", uint32 size of the JSON, uint32 0, the columns, the JSON. Everything is
// little-endian; columns begin at multiples of 8, at the offsets that the JSON says.
class SectionWriter {
 public:
  // Tables and facts; written beside the list of columns.
  nlohmann::json tables = nlohmann::json::object();

  SectionWriter();
  // Room for so many bytes of columns.
  void reserve(size_t bytes) { piece_.reserve(piece_.size() + bytes); }

  void add_column(const std::string& name, std::span<const uint8_t> values) {
    add(name, "u8", values);
  }
  void add_column(const std::string& name, std::span<const uint16_t> values) {
    add(name, "u16", values);
  }
  void add_column(const std::string& name, std::span<const uint32_t> values) {
    add(name, "u32", values);
  }
  void add_column(const std::string& name, std::span<const double> values) {
    add(name, "f64", values);
  }

  // The whole piece; the writer is spent.
  std::string finish();

 private:
  static_assert(std::endian::native == std::endian::little);

  template <typename T>
  void add(const std::string& name, const char* type, std::span<const T> values) {
    columns_[name] = {{"type", type}, {"offset", piece_.size()}, {"count", values.size()}};
    piece_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    piece_.resize((piece_.size() + 7) / 8 * 8, '\0');
  }

  nlohmann::json columns_ = nlohmann::json::object();
  std::string piece_;
};

// Numbers of a page are doubles, exact up to 2⁵³ (104 days in nanoseconds); others are cut.
double page_number(int64_t value);

}  // namespace assay::analysis
