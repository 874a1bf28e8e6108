// See writer.h.
#include "trace/writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "trace/document_file.h"
#include "trace/row_writer.h"
#include "trace/timeline_ring.h"

namespace assay::trace {
namespace {

// How long a record waits for others before it is put into the file.
constexpr std::chrono::milliseconds kBatchTime{50};
// Enough to begin at once: what is written soon leaves memory that is still in the caches.
constexpr uint64_t kBatchBytes = uint64_t{1} << 20;

uint64_t size_of(const Record& record) {
  uint64_t bytes = sizeof(Record);
  if (const auto* content = std::get_if<ContentRecord>(&record)) bytes += content->bytes.size();
  if (const auto* command = std::get_if<CommandRecord>(&record)) {
    bytes += command->bindings.size() * sizeof(BindingRecord);
  }
  if (const auto* text = std::get_if<TextRecord>(&record)) bytes += text->text.size();
  if (const auto* kernel = std::get_if<KernelRecord>(&record)) {
    bytes += kernel->options.size() + kernel->reflection.size();
  }
  return bytes;
}

// Safe against the death of this process, whenever it comes; not against that of the machine, which
// would cost a wait for the disk at every commit.
Result<void> set_up(Database& database) {
  // Readers wait until the file is complete: one that takes its time would stop the capture.
  return database.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF; "
      "PRAGMA temp_store=MEMORY; BEGIN EXCLUSIVE; COMMIT;");
}

}  // namespace

class Writer::Core {
 public:
  Core(std::unique_ptr<Database> database, RowWriter rows, WriterOptions options)
      : database_(std::move(database)), rows_(std::move(rows)), options_(options) {
    thread_ = std::thread([this] { run(); });
  }

  void add(std::vector<Record> records) {
    uint64_t bytes = 0;
    for (const Record& record : records) bytes += size_of(record);
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] {
      return error_ || is_finished_ || pending_bytes_ == 0 ||
             pending_bytes_ + bytes <= options_.max_pending_bytes;
    });
    if (error_ || is_finished_) return;
    const bool was_idle = pending_.empty();
    pending_.push_back(std::move(records));
    pending_bytes_ += bytes;
    const bool is_urgent = is_batch();
    lock.unlock();
    if (was_idle || is_urgent) work_.notify_one();
  }

  std::vector<Record> take_spare() {
    const std::lock_guard lock(mutex_);
    if (spares_.empty()) return {};
    std::vector<Record> spare = std::move(spares_.back());
    spares_.pop_back();
    return spare;
  }

  Result<void> finish() {
    {
      const std::lock_guard lock(mutex_);
      is_finished_ = true;
    }
    work_.notify_one();
    room_.notify_all();
    if (thread_.joinable()) thread_.join();
    close();
    if (error_) return *error_;
    return {};
  }

 private:
  // As they were added: whoever adds pays for one pointer, not for moving every record.
  using Batches = std::vector<std::vector<Record>>;

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      work_.wait(lock, [&] { return is_finished_ || !pending_.empty(); });
      if (pending_.empty()) return;
      if (!is_finished_) {
        work_.wait_for(lock, kBatchTime, [&] { return is_finished_ || is_batch(); });
      }
      Batches batches = std::exchange(pending_, {});
      const uint64_t batch_bytes = pending_bytes_;
      lock.unlock();
      const Result<void> written = write(batches);
      for (std::vector<Record>& batch : batches) batch.clear();
      lock.lock();
      keep_spares(std::move(batches));
      // Only now: what is being written is still in memory.
      pending_bytes_ -= batch_bytes;
      room_.notify_all();
      if (written || error_) continue;
      error_ = written.error();
      pending_.clear();
      pending_bytes_ = 0;
      room_.notify_all();
    }
  }

  Result<void> write(const Batches& batches) {
    {
      const std::lock_guard lock(mutex_);
      if (error_) return {};
    }
    Result<void> result = database_->execute("BEGIN");
    for (const std::vector<Record>& batch : batches) {
      for (size_t i = 0; i < batch.size() && result; ++i) result = rows_.write(batch[i]);
      if (options_.keep_ns > 0) ring_.note(batch);
    }
    if (result && options_.keep_ns > 0) result = ring_.cut(*database_, options_.keep_ns);
    if (result) result = database_->execute("COMMIT");
    if (result) return {};
    // The failure is what counts, not that of the way back.
    (void)database_->execute("ROLLBACK");
    return result;
  }

  bool is_batch() const {
    return pending_bytes_ > std::min(kBatchBytes, options_.max_pending_bytes / 4);
  }

  // Memory that the system gives anew costs a fault for each page: more than all else about a
  // record. With the lock held.
  void keep_spares(Batches batches) {
    constexpr size_t kMaxSpares = 512;  // a tenth of a second of small commands
    constexpr size_t kWorthKeeping = 64;
    for (std::vector<Record>& batch : batches) {
      if (spares_.size() == kMaxSpares) return;
      if (batch.capacity() >= kWorthKeeping) spares_.push_back(std::move(batch));
    }
  }

  // Takes the journal away: the document is one file.
  void close() {
    if (!database_) return;
    if (options_.keep_ns > 0 && !error_) {
      if (const Result<void> cut = ring_.cut_now(*database_, options_.keep_ns); !cut) {
        error_ = cut.error();
      }
    }
    rows_ = RowWriter();
    if (const Result<void> done = database_->execute("PRAGMA journal_mode=DELETE");
        !done && !error_) {
      error_ = done.error();
    }
    database_.reset();
  }

  std::unique_ptr<Database> database_;  // at a fixed address for the statements
  RowWriter rows_;
  TimelineRing ring_;  // used by whoever writes
  const WriterOptions options_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable work_;
  std::condition_variable room_;
  Batches pending_;
  Batches spares_;  // empty, with memory
  uint64_t pending_bytes_ = 0;
  bool is_finished_ = false;
  std::optional<Error> error_;

  std::thread thread_;
};

Writer::Writer(std::string path, std::unique_ptr<Core> core)
    : path_(std::move(path)), core_(std::move(core)) {}

Writer::~Writer() { (void)finish(); }

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path, WriterOptions options) {
  if (Result<void> created = create_document_file(path); !created) return created.error();
  auto fail = [&](const Error& error) {
    ::unlink(path.c_str());
    return Error{fmt::format("'{}' cannot be written: {}", path, error.message)};
  };
  Result<Database> opened = Database::open(path, OpenMode::kWrite);
  if (!opened) return fail(opened.error());
  auto database = std::make_unique<Database>(std::move(*opened));
  if (Result<void> ready = set_up(*database); !ready) return fail(ready.error());
  Result<RowWriter> rows = RowWriter::create(*database, options.max_row_bytes);
  if (!rows) return fail(rows.error());
  auto core = std::make_unique<Core>(std::move(database), std::move(*rows), options);
  return std::unique_ptr<Writer>(new Writer(path, std::move(core)));
}

void Writer::add(Record record) {
  std::vector<Record> records;
  records.push_back(std::move(record));
  core_->add(std::move(records));
}

void Writer::add(std::vector<Record> records) { core_->add(std::move(records)); }

std::vector<Record> Writer::exchange(std::vector<Record> records) {
  core_->add(std::move(records));
  return core_->take_spare();
}

Result<void> Writer::finish() {
  const Result<void> done = core_->finish();
  if (done) return {};
  return Error{fmt::format("'{}' is incomplete: {}; it holds what was written before", path_,
                           done.error().message)};
}

}  // namespace assay::trace
