// What the first picture of a page needs: small tables, commands, submissions and memory. See
// page_sections.h.
#include <algorithm>

#include "analysis/page/page_sections.h"
#include "analysis/page/page_tables.h"
#include "analysis/query.h"

namespace assay::analysis {
namespace {

using nlohmann::json;
using trace::CommandKind;
using trace::Statement;

// Texts of errors are rare; a document with more is told by the count.
constexpr size_t kMostErrors = 1000;

// Submissions in the order of their ids, and which queue each went to.
struct Submissions {
  RowIndex index;
  std::vector<uint32_t> queue = {0};  // by index
};

Result<Submissions> add_submissions(const trace::Document& document, const PageIndexes& indexes,
                                    SectionWriter& section) {
  const Result<int64_t> rows = count_page_rows(document, "command_buffers");
  if (!rows) return rows.error();
  Submissions submissions;
  std::vector<uint32_t> label = {0};
  std::vector<double> submitted = {0}, completed = {0};
  const Result<void> read = for_each_row(
      document, "SELECT id, queue, label, submitted, completed FROM command_buffers ORDER BY id",
      [&](const Statement& row) {
        submissions.index.add(row.integer(0));
        submissions.queue.push_back(indexes.queues.find(row.integer(1)));
        label.push_back(indexes.texts.find(row.integer(2)));
        const int64_t begin = row.integer(3);
        submitted.push_back(page_number(begin));
        completed.push_back(page_number(std::max(begin, row.optional_integer(4).value_or(begin))));
      });
  if (!read) return read.error();
  section.add_column("submissions.queue", submissions.queue);
  section.add_column("submissions.label", label);
  section.add_column("submissions.submitted", submitted);
  section.add_column("submissions.completed", completed);
  return submissions;
}

// The columns of commands; row 0 is the command of index 1: pages count commands from 0.
class CommandColumns {
 public:
  CommandColumns(const PageIndexes& indexes, const Submissions& submissions, int64_t rows)
      : indexes_(indexes), submissions_(submissions) {
    const auto count = static_cast<size_t>(std::max<int64_t>(rows, 0));
    for (auto* column : {&id_, &started_, &ended_}) column->reserve(count);
    for (auto* column : {&queue_, &submission_, &label_, &site_, &kernel_, &detail_}) {
      column->reserve(count);
    }
    kind_.reserve(count);
  }

  static constexpr size_t kRowBytes = 3 * sizeof(double) + 6 * sizeof(uint32_t) + 1;
  static constexpr const char* kSql =
      "SELECT id, command_buffer, kind, started, ended, label, site, kernel, launch, value, event, "
      "product, error FROM commands ORDER BY id";

  void add(const Statement& row) {
    const int64_t started = row.integer(3);
    id_.push_back(page_number(row.integer(0)));
    const uint32_t submission = submissions_.index.find(row.integer(1));
    submission_.push_back(submission);
    queue_.push_back(submissions_.queue[submission]);
    const auto kind = static_cast<uint8_t>(std::clamp<int64_t>(row.integer(2), 0, 6));
    kind_.push_back(kind);
    started_.push_back(page_number(started));
    ended_.push_back(page_number(std::max(started, row.integer(4))));
    label_.push_back(indexes_.texts.find(row.integer(5)));
    site_.push_back(indexes_.texts.find(row.integer(6)));
    kernel_.push_back(indexes_.kernels.find(row.integer(7)));
    detail_.push_back(detail_of(row, static_cast<CommandKind>(kind)));
    if (!row.is_null(12)) {
      ++failed_;
      if (errors_.size() < kMostErrors) {
        errors_.push_back({id_.size() - 1, std::string(row.text(12))});
      }
    }
  }

  void send_to(SectionWriter& section) {
    section.add_column("commands.id", id_);
    section.add_column("commands.started", started_);
    section.add_column("commands.ended", ended_);
    section.add_column("commands.queue", queue_);
    section.add_column("commands.submission", submission_);
    section.add_column("commands.kind", kind_);
    section.add_column("commands.label", label_);
    section.add_column("commands.site", site_);
    section.add_column("commands.kernel", kernel_);
    section.add_column("commands.detail", detail_);
    section.tables["errors"] = std::move(errors_);
    section.tables["failed"] = failed_;
  }

 private:
  // A dispatch's launch, a product's text, the byte of a fill, the event of a wait or signal.
  uint32_t detail_of(const Statement& row, CommandKind kind) const {
    auto small = [](int64_t value) {
      return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, UINT32_MAX));
    };
    switch (kind) {
      case CommandKind::kDispatch: return indexes_.launches.find(row.integer(8));
      case CommandKind::kFill: return small(row.integer(9));
      case CommandKind::kMatrixProduct: return indexes_.texts.find(row.integer(11));
      case CommandKind::kWait:
      case CommandKind::kSignal: return small(row.integer(10));
      default: return 0;
    }
  }

  const PageIndexes& indexes_;
  const Submissions& submissions_;
  std::vector<double> id_, started_, ended_;
  std::vector<uint32_t> queue_, submission_, label_, site_, kernel_, detail_;
  std::vector<uint8_t> kind_;
  json errors_ = json::array();
  int64_t failed_ = 0;
};

Result<void> add_memory(const trace::Document& document, SectionWriter& section) {
  if (const Result<int64_t> rows = count_page_rows(document, "memory"); !rows) return rows.error();
  std::vector<double> at, active, cached;
  const Result<void> read = for_each_row(
      document, "SELECT at, active, cached FROM memory ORDER BY id", [&](const Statement& row) {
        at.push_back(page_number(row.integer(0)));
        active.push_back(page_number(row.integer(1)));
        cached.push_back(page_number(row.integer(2)));
      });
  if (!read) return read;
  section.add_column("memory.at", at);
  section.add_column("memory.active", active);
  section.add_column("memory.cached", cached);
  return {};
}

// What host threads did.
Result<void> add_spans(const trace::Document& document, const PageIndexes& indexes,
                       SectionWriter& section) {
  if (const Result<int64_t> rows = count_page_rows(document, "spans"); !rows) return rows.error();
  std::vector<double> started, ended;
  std::vector<uint32_t> thread, label, site;
  std::vector<uint8_t> kind;
  const Result<void> read = for_each_row(
      document, "SELECT thread, kind, started, ended, label, site FROM spans ORDER BY id",
      [&](const Statement& row) {
        thread.push_back(indexes.threads.find(row.integer(0)));
        kind.push_back(static_cast<uint8_t>(std::clamp<int64_t>(row.integer(1), 0, 255)));
        started.push_back(page_number(row.integer(2)));
        ended.push_back(page_number(std::max(row.integer(2), row.integer(3))));
        label.push_back(indexes.texts.find(row.integer(4)));
        site.push_back(indexes.texts.find(row.integer(5)));
      });
  if (!read) return read;
  section.add_column("spans.thread", thread);
  section.add_column("spans.kind", kind);
  section.add_column("spans.started", started);
  section.add_column("spans.ended", ended);
  section.add_column("spans.label", label);
  section.add_column("spans.site", site);
  return {};
}

}  // namespace

Result<std::string> load_core_section(const trace::Document& document) {
  SectionWriter section;
  const Result<int64_t> rows = count_page_rows(document, "commands");
  if (!rows) return rows.error();
  section.reserve(static_cast<size_t>(*rows) * CommandColumns::kRowBytes);
  const Result<PageIndexes> indexes = add_page_tables(document, section);
  if (!indexes) return indexes.error();
  const Result<Submissions> submissions = add_submissions(document, *indexes, section);
  if (!submissions) return submissions.error();
  CommandColumns commands(*indexes, *submissions, *rows);
  const Result<void> read = for_each_row(document, CommandColumns::kSql,
                                         [&](const Statement& row) { commands.add(row); });
  if (!read) return read.error();
  commands.send_to(section);
  if (const Result<void> added = add_memory(document, section); !added) return added.error();
  if (const Result<void> added = add_spans(document, *indexes, section); !added) {
    return added.error();
  }
  return section.finish();
}

}  // namespace assay::analysis
