// Rows that many others point to, each written once: texts, sizes of launches, arrays.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "kernel/description.h"
#include "trace/writer.h"

namespace assay::capture {

// Not thread-safe.
class InternTable {
 public:
  explicit InternTable(trace::Writer& writer) : writer_(writer) {}

  trace::Id text(std::string_view text);
  trace::Id launch(const kernel::LaunchSize& size);
  trace::Id array(const kernel::ArrayDescription& array);

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using TextIds = std::unordered_map<std::string, trace::Id, TextHash, std::equal_to<>>;

  trace::Writer& writer_;
  TextIds texts_;
  // Entries of texts_, by where the text was last: programs give the same ones again and again.
  std::array<const TextIds::value_type*, 16> recent_ = {};
  TextIds arrays_;  // by all their fields
  std::map<std::tuple<bool, std::array<uint32_t, 3>, std::array<uint32_t, 3>>, trace::Id> launches_;
  kernel::LaunchSize last_launch_;
  trace::Id last_launch_id_ = 0;  // 0: none yet
};

}  // namespace assay::capture
