// See debug_source.h.
#include "pipeline/debug_source.h"

#include <filesystem>
#include <span>
#include <sstream>

#include "base/file_bytes.h"
#include "base/hash.h"

namespace assay::pipeline {
namespace {

namespace fs = std::filesystem;

// Empty lines take their place: the others keep their numbers.
std::string drop_line_directives(const std::string& text) {
  std::string plain;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#line")) plain += line;
    plain += '\n';
  }
  return plain;
}

bool write(const fs::path& path, const std::string& text) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(text))};
  return static_cast<bool>(base::write_file(path, parts));
}

}  // namespace

msl::Source make_debug_source(msl::Source source, const std::string& cache_folder) {
  std::error_code problem;
  if (cache_folder.empty() || fs::is_regular_file(source.name, problem)) return source;
  std::string file = fs::path(source.name).filename();
  if (!file.ends_with(".metal")) file += ".metal";
  source.text = drop_line_directives(source.text);
  // One folder for each text: kernels of one name may have many.
  const std::string hash = base::Hasher().add(source.text).finish().hex();
  const fs::path path = fs::path(cache_folder) / kDebugSourceFolder / hash / file;
  if (fs::exists(path, problem) || write(path, source.text)) source.name = path;
  return source;
}

}  // namespace assay::pipeline
