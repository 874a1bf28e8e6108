// Writes a document in the background: records go in from any thread, a thread of its own puts them
// into the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/records.h"

namespace assay::trace {

struct WriterOptions {
  // Bytes of records that may wait for the file; whoever adds more has to wait.
  uint64_t max_pending_bytes = uint64_t{256} << 20;
  // Of one row with contents; SQLite takes up to 10⁹.
  uint64_t max_row_bytes = uint64_t{256} << 20;
  // Rows of the timeline that are older than this, as seen from the newest one, are removed now and
  // then, so that the file does not grow; 0 keeps all.
  int64_t keep_ns = 0;
};

// Thread-safe. A process that dies loses what was added in the last tenth of a second; the document
// opens all the same.
class Writer {
 public:
  // Creates the file. What is already there is never overwritten: that is an error, like a folder
  // that is missing or may not be written.
  static Result<std::unique_ptr<Writer>> create(const std::string& path,
                                                WriterOptions options = {});
  // Like finish(), without its error.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Once writing has failed (a full disk), records are dropped: the program goes on.
  void add(Record record);
  void add(std::vector<Record> records);
  // Adds many at once. Gives back an empty vector to fill next, with memory that is warm.
  [[nodiscard]] std::vector<Record> exchange(std::vector<Record> records);

  // Writes everything and closes the file. The error is the first one of all; the document then
  // holds what was written before.
  Result<void> finish();

  const std::string& path() const { return path_; }

 private:
  class Core;
  Writer(std::string path, std::unique_ptr<Core> core);

  const std::string path_;
  const std::unique_ptr<Core> core_;
};

}  // namespace assay::trace
