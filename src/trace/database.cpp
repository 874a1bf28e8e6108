// See database.h.
#include "trace/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace assay::trace {
namespace {

uint64_t steady_ns() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

int is_overdue(void* deadline_ns) {
  const uint64_t deadline = *static_cast<uint64_t*>(deadline_ns);
  return deadline != 0 && steady_ns() > deadline ? 1 : 0;
}

// SQLite's words, where they help.
std::string message_of(int code, sqlite3* database) {
  if (code == SQLITE_INTERRUPT) return "the time limit is over";
  if ((code & 0xff) == SQLITE_BUSY) return "another process is writing it; wait until it is done";
  if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_CANTOPEN_DIRTYWAL) {
    return "its program died while it wrote, and here nothing may be written to repair it; copy it "
           "with its '-journal' file to another folder";
  }
  if ((code & 0xff) == SQLITE_AUTH) return "only statements that read are allowed";
  return sqlite3_errmsg(database);
}

int allow_query(void* /*unused*/, int action, const char* name, const char* /*second*/,
                const char* /*database*/, const char* /*trigger*/) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    // What describes tables reads only.
    case SQLITE_PRAGMA:
      return std::string_view(name).starts_with("table_") ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<Database> Database::open(const std::string& path, OpenMode mode) {
  // SQLite gives names like ":memory:" a meaning of their own; a path is always a file.
  const bool is_plain = path.starts_with('/') || path.starts_with("./");
  return open_name(is_plain ? path : "./" + path, mode);
}

Result<Database> Database::open_in_memory() { return open_name(":memory:", OpenMode::kWrite); }

Result<Database> Database::open_bytes(std::span<const std::byte> bytes) {
  Result<Database> database = open_in_memory();
  if (!database) return database;
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(std::max<size_t>(bytes.size(), 1)));
  if (copy == nullptr) return Error{"no memory"};
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  // SQLite owns the copy from here on, also where it fails.
  const int code =
      sqlite3_deserialize(database->handle(), "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (code != SQLITE_OK) return Error{database->last_error()};
  return database;
}

Result<Database> Database::open_name(const std::string& name, OpenMode mode) {
  sqlite3* handle = nullptr;
  const int flags = (mode == OpenMode::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Database database(handle);
  if (code != SQLITE_OK) {
    return Error{handle ? database.last_error() : "no memory"};
  }
  sqlite3_busy_timeout(handle, 2000);
  // A file from somewhere else must not run code of its own choice.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Error{last_error()};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* handle = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()), 0,
                                      &handle, &rest);
  Statement statement(handle);
  if (code != SQLITE_OK) return Error{last_error()};
  if (handle == nullptr) return Error{"the statement is empty"};
  // What follows may only be spaces and comments, which are no statement.
  while (rest != sql.data() + sql.size()) {
    sqlite3_stmt* next = nullptr;
    const auto left = static_cast<int>(sql.data() + sql.size() - rest);
    const int next_code = sqlite3_prepare_v3(handle_.get(), rest, left, 0, &next, &rest);
    const Statement ignored(next);
    if (next_code != SQLITE_OK || next != nullptr) return Error{"there is more than one statement"};
  }
  return statement;
}

std::string Database::last_error() const {
  const int code = sqlite3_extended_errcode(handle_.get());
  return message_of(code, handle_.get());
}

Result<std::vector<std::byte>> Database::serialise() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> data(
      sqlite3_serialize(handle_.get(), "main", &size, 0), sqlite3_free);
  if (!data) return Error{"no memory"};
  const auto* bytes = reinterpret_cast<const std::byte*>(data.get());
  return std::vector<std::byte>(bytes, bytes + size);
}

void Database::allow_only_queries() { sqlite3_set_authorizer(handle_.get(), allow_query, nullptr); }

void Database::set_time_limit(double seconds) {
  if (!deadline_ns_) deadline_ns_ = std::make_unique<uint64_t>(0);
  *deadline_ns_ = seconds > 0 ? steady_ns() + static_cast<uint64_t>(seconds * 1e9) : 0;
  constexpr int kInstructions = 1000;
  sqlite3_progress_handler(handle_.get(), kInstructions, is_overdue, deadline_ns_.get());
}

void Statement::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int code) {
  if (code != SQLITE_OK && bind_error_ == SQLITE_OK) bind_error_ = code;
  ++next_;
}

Statement& Statement::bind(int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), next_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(handle_.get(), next_, value));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  const char* data = text.empty() ? "" : text.data();
  check(
      sqlite3_bind_text64(handle_.get(), next_, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::span<const std::byte> bytes) {
  const void* data = bytes.empty() ? "" : static_cast<const void*>(bytes.data());
  check(sqlite3_bind_blob64(handle_.get(), next_, data, bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(handle_.get(), next_));
  return *this;
}

Result<bool> Statement::step() {
  sqlite3* database = sqlite3_db_handle(handle_.get());
  if (bind_error_ != SQLITE_OK) return Error{sqlite3_errstr(bind_error_)};
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Error{message_of(code, database)};
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  next_ = 1;
  bind_error_ = SQLITE_OK;
}

Result<void> Statement::run() {
  const Result<bool> done = step();
  reset();
  if (!done) return done.error();
  return {};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}
bool Statement::is_number(int column) const {
  const int type = sqlite3_column_type(handle_.get(), column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}
bool Statement::is_integer(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_INTEGER;
}
bool Statement::is_blob(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_BLOB;
}
int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column));
  return text ? std::string_view(text, size) : std::string_view();
}

std::span<const std::byte> Statement::bytes(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_.get(), column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column));
  return data ? std::span(data, size) : std::span<const std::byte>();
}

std::optional<int64_t> Statement::optional_integer(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

int Statement::column_count() const { return sqlite3_column_count(handle_.get()); }
std::string Statement::column_name(int column) const {
  const char* name = sqlite3_column_name(handle_.get(), column);
  return name ? name : "";
}
bool Statement::is_read_only() const { return sqlite3_stmt_readonly(handle_.get()) != 0; }

}  // namespace assay::trace
