// See parts_folder.h.
#include "cli/record/parts_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "trace/document.h"
#include "trace/merge.h"

namespace assay::cli {

namespace fs = std::filesystem;

Result<PartsFolder> PartsFolder::create(const std::string& output) {
  std::string name = fs::absolute(output).string() + ".parts-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return Error{fmt::format("no folder can be made beside '{}': {}", output,
                             std::generic_category().message(errno))};
  }
  return PartsFolder(name);
}

uint64_t PartsFolder::bytes() const {
  uint64_t sum = 0;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
    const uint64_t size = entry.file_size(failure);
    if (!failure) sum += size;
  }
  return sum;
}

Result<std::vector<std::string>> PartsFolder::parts() const {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
    if (entry.path().extension() != ".part") continue;
    const Result<trace::Document> document = trace::Document::open(entry.path().string());
    if (!document) return document.error();
    Result<trace::Statement> rows = document->prepare("SELECT min(started) FROM processes");
    if (!rows) return rows.error();
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    found.emplace_back(rows->integer(0), entry.path().string());
  }
  std::ranges::sort(found);
  std::vector<std::string> paths;
  for (auto& [started, path] : found) paths.push_back(std::move(path));
  return paths;
}

Result<bool> join_parts(const PartsFolder& folder, const std::string& output) {
  const Result<std::vector<std::string>> parts = folder.parts();
  if (!parts) return parts.error();
  if (parts->empty()) return false;
  // One part becomes the document as it is.
  if (parts->size() == 1 && ::link(parts->front().c_str(), output.c_str()) == 0) return true;
  if (Result<void> merged = trace::merge_timelines(*parts, output); !merged) return merged.error();
  return true;
}

}  // namespace assay::cli
