// SQLite with RAII, bound values and errors as results. Nothing here knows what a trace is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace assay::trace {

class Statement;

enum class OpenMode : uint8_t { kRead, kWrite };

// Used by one thread at a time.
class Database {
 public:
  // The file must be there; an empty file is an empty database.
  static Result<Database> open(const std::string& path, OpenMode mode);
  // An empty one without a file.
  static Result<Database> open_in_memory();
  // One in memory that begins as a copy of a file's bytes.
  static Result<Database> open_bytes(std::span<const std::byte> bytes);

  // Statements that return nothing, separated by semicolons.
  Result<void> execute(const std::string& sql);
  // Exactly one statement.
  Result<Statement> prepare(std::string_view sql) const;
  // The bytes of a file with this database.
  Result<std::vector<std::byte>> serialise() const;

  // What the last failed call had to say.
  std::string last_error() const;
  // Statements fail once this many seconds have passed since the call; 0: never.
  void set_time_limit(double seconds);

  // From now on statements can only read, and only this database.
  void allow_only_queries();

  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}
  static Result<Database> open_name(const std::string& name, OpenMode mode);

  std::unique_ptr<sqlite3, Close> handle_;
  std::unique_ptr<uint64_t> deadline_ns_;  // at a fixed address for the callback
};

// One prepared statement: bind in order, then run() or step().
class Statement {
 public:
  Statement& bind(int64_t value);
  Statement& bind(uint64_t value) { return bind(static_cast<int64_t>(value)); }
  Statement& bind(int value) { return bind(int64_t{value}); }
  Statement& bind(uint32_t value) { return bind(int64_t{value}); }
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(std::span<const std::byte> bytes);
  Statement& bind_null();
  template <typename T>
  Statement& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }

  // For statements without rows. Ready for the next values afterwards.
  Result<void> run();
  // True when there is a row to read; false behind the last.
  Result<bool> step();
  // Ready for the next values, wherever it was.
  void reset();

  // Columns of the row, from 0. Texts and bytes are valid until the next step.
  bool is_null(int column) const;
  bool is_number(int column) const;
  bool is_integer(int column) const;
  bool is_blob(int column) const;
  int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::span<const std::byte> bytes(int column) const;
  std::optional<int64_t> optional_integer(int column) const;
  int column_count() const;
  std::string column_name(int column) const;
  bool is_read_only() const;

 private:
  friend class Database;
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}
  void check(int code);

  std::unique_ptr<sqlite3_stmt, Finalise> handle_;
  int next_ = 1;
  int bind_error_ = 0;
};

}  // namespace assay::trace
