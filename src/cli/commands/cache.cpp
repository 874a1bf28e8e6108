// See cache.h.
#include "cli/commands/cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/settings.h"
#include "cli/json_text.h"
#include "pipeline/kernel_cache.h"

namespace assay::cli {
namespace {

using pipeline::EntryFile;
using pipeline::EntryKind;

struct Options {
  std::string action = "show";
  double older_than_days = 0;
  bool is_json = false;
};

constexpr size_t kShownEntries = 10;

// What `show` has to tell.
struct Contents {
  const base::Settings& settings;
  pipeline::CacheStatistics statistics;
  std::string problem;  // why nothing is stored; empty when all is well
  size_t entries = 0;
  size_t kernels = 0;
  uint64_t bytes = 0;
  struct Row {
    EntryFile file;
    std::string title;
  };
  std::vector<Row> recent;   // kernels
  std::vector<Row> largest;  // files of any kind
};

std::string_view kind_text(EntryKind kind) {
  switch (kind) {
    case EntryKind::kLibrary: return "source";
    case EntryKind::kBitcode: return "source's IR";
    case EntryKind::kKernel: return "kernel";
  }
  return "";
}

std::vector<Contents::Row> with_titles(std::vector<EntryFile> files,
                                       const pipeline::CacheFolder& folder) {
  files.resize(std::min(files.size(), kShownEntries));
  std::vector<Contents::Row> rows;
  for (const EntryFile& file : files) rows.push_back({file, folder.load_title(file.id)});
  return rows;
}

Contents read_contents(const base::Settings& settings) {
  Contents contents{
      .settings = settings, .statistics = {}, .problem = {}, .recent = {}, .largest = {}};
  if (settings.cache_folder.empty()) {
    contents.problem = "there is no place for it; set ASSAY_CACHE_DIR or HOME";
    return contents;
  }
  pipeline::KernelCache cache(settings.cache_folder, settings.cache_limit_bytes);
  contents.problem =
      settings.is_cache_on ? cache.folder().find_problem() : "ASSAY_CACHE switches it off";
  contents.statistics = cache.load_statistics();
  std::vector<EntryFile> files = cache.folder().list();
  std::vector<EntryFile> kernels;
  for (const EntryFile& file : files) {
    contents.bytes += file.bytes;
    if (file.id.kind == EntryKind::kKernel) kernels.push_back(file);
  }
  contents.entries = files.size();
  contents.kernels = kernels.size();
  contents.recent = with_titles(std::move(kernels), cache.folder());
  std::ranges::sort(files, std::greater<>(),
                    [](const EntryFile& file) { return std::pair(file.bytes, -file.age_s); });
  contents.largest = with_titles(std::move(files), cache.folder());
  return contents;
}

std::string age_text(double seconds) {
  const double age = std::max(seconds, 0.0);
  if (age < 60) return fmt::format("{:.0f} s", age);
  if (age < 3600) return fmt::format("{:.0f} min", age / 60);
  if (age < 48 * 3600) return fmt::format("{:.0f} h", age / 3600);
  return fmt::format("{:.0f} days", age / (24 * 3600));
}

std::string make_table(std::string title, const std::vector<Contents::Row>& rows) {
  if (rows.empty()) return {};
  using base::Align;
  base::Table table(
      {{std::move(title)}, {"is"}, {"last used", Align::kRight}, {"size", Align::kRight}});
  for (const auto& [file, name] : rows) {
    table.add_row({name, std::string(kind_text(file.id.kind)), age_text(file.age_s) + " ago",
                   base::format_bytes(file.bytes)});
  }
  return "\n" + table.text();
}

std::string contents_text(const Contents& contents) {
  const base::Settings& settings = contents.settings;
  std::string text;
  if (!settings.cache_folder.empty()) {
    text = fmt::format(
        "{}\n  {} kernel{} in {} file{}, {} of {}\n"
        "  since it was cleared: {} kernel{} found, {} built\n",
        settings.cache_folder, contents.kernels, contents.kernels == 1 ? "" : "s", contents.entries,
        contents.entries == 1 ? "" : "s", base::format_bytes(contents.bytes),
        base::format_bytes(settings.cache_limit_bytes), contents.statistics.hits,
        contents.statistics.hits == 1 ? "" : "s", contents.statistics.misses);
  }
  if (!contents.problem.empty()) {
    text += fmt::format("The cache keeps nothing now: {}\n", contents.problem);
  }
  return text + make_table("recent", contents.recent) + make_table("largest", contents.largest);
}

Json rows_json(const std::vector<Contents::Row>& rows) {
  Json json = Json::array();
  for (const auto& [file, name] : rows) {
    json.push_back({{"name", name},
                    {"is", kind_text(file.id.kind)},
                    {"age_seconds", file.age_s},
                    {"bytes", file.bytes},
                    {"file", pipeline::file_name(file.id)}});
  }
  return json;
}

Json contents_json(const Contents& contents) {
  return {{"folder", contents.settings.cache_folder},
          {"is_used", contents.problem.empty()},
          {"problem", contents.problem},
          {"kernels", contents.kernels},
          {"files", contents.entries},
          {"bytes", contents.bytes},
          {"limit_bytes", contents.settings.cache_limit_bytes},
          {"hits", contents.statistics.hits},
          {"misses", contents.statistics.misses},
          {"recent", rows_json(contents.recent)},
          {"largest", rows_json(contents.largest)}};
}

Result<int> clear(const Options& options, const base::Settings& settings, const Console& console) {
  pipeline::KernelCache cache(settings.cache_folder, settings.cache_limit_bytes);
  const pipeline::RemovedFiles removed = cache.clear(options.older_than_days * 24 * 3600);
  console.print(options.is_json ? json_text({{"folder", settings.cache_folder},
                                             {"removed_files", removed.count},
                                             {"removed_bytes", removed.bytes}})
                                : fmt::format("{} file{} removed, {}\n", removed.count,
                                              removed.count == 1 ? "" : "s",
                                              base::format_bytes(removed.bytes)));
  return 0;
}

Result<int> run(const Options& options, const Console& console) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  if (options.action == "show") {
    const Contents contents = read_contents(*settings);
    console.print(options.is_json ? json_text(contents_json(contents)) : contents_text(contents));
    return 0;
  }
  if (settings->cache_folder.empty()) {
    return Error{"the kernel cache has no place; set ASSAY_CACHE_DIR or HOME"};
  }
  if (options.action == "clear") return clear(options, *settings, console);
  console.print(options.is_json ? json_text({{"folder", settings->cache_folder}})
                                : settings->cache_folder + "\n");
  return 0;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("ACTION", options.action,
                 "show: what it holds (unless told otherwise);\n"
                 "clear: remove everything, or with --older-than a part;\n"
                 "path: print its folder")
      ->check([](const std::string& text) {
        if (text == "show" || text == "clear" || text == "path") return std::string();
        return fmt::format("'{}' is not an action; use show, clear or path", text);
      });
  CLI::Option* older = app.add_option("--older-than", options.older_than_days,
                                      "With clear: only what was not used for so many days")
                           ->type_name("DAYS")
                           ->check([](const std::string& text) {
                             double days = 0;
                             if (CLI::detail::lexical_cast(text, days) && days >= 0)
                               return std::string();
                             return fmt::format("'{}' is not a number of days", text);
                           });
  app.parse_complete_callback([&options, older] {
    if (older->count() > 0 && options.action != "clear") {
      throw CLI::ValidationError("--older-than",
                                 "goes with clear: assay cache clear --older-than 7");
    }
  });
}

}  // namespace

void add_cache_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(root, invocation,
                       {.name = "cache",
                        .summary = "Show or empty the cache of compiled kernels",
                        .example = "Examples:\n"
                                   "  assay cache\n"
                                   "  assay cache clear --older-than 30\n"
                                   "  du -sh \"$(assay cache path)\""},
                       declare, run);
}

}  // namespace assay::cli
