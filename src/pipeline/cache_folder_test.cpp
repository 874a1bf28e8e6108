#include "pipeline/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <thread>

#include "base/file_bytes.h"
#include "base/testing/temporary_folder.h"

namespace assay::pipeline {
namespace {

namespace fs = std::filesystem;
using base::testing::TemporaryFolder;

constexpr uint64_t kMiB = 1 << 20;

EntryId entry_id(uint64_t number) {
  return {EntryKind::kKernel, {.low = number, .high = 32 * number + 1}};
}

std::optional<std::string> load(CacheFolder& folder, const EntryId& id) {
  const std::optional<LoadedEntry> entry = folder.load(id);
  if (!entry) return std::nullopt;
  return std::string(entry->payload());
}

void set_age(const CacheFolder& folder, const EntryId& id, double seconds) {
  const std::string path = folder.path() + "/" + file_name(id);
  fs::last_write_time(path, fs::file_time_type::clock::now() -
                                std::chrono::duration_cast<fs::file_time_type::duration>(
                                    std::chrono::duration<double>(seconds)));
}

// Runs `child` in a process of its own, which must end well.
void expect_in_child(const std::function<bool()>& child) {
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) ::_exit(child() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(CacheFolder, keeps_what_is_stored) {
  const TemporaryFolder place;
  CacheFolder folder(place.file("made/on/demand"), kMiB);
  EXPECT_EQ(load(folder, entry_id(1)), std::nullopt);
  EXPECT_FALSE(fs::exists(folder.path()));
  folder.store(entry_id(1), "one", "first");
  folder.store(entry_id(2), "two", "");
  folder.store(entry_id(1), "one", "first again");
  EXPECT_EQ(load(folder, entry_id(1)), "first again");
  EXPECT_EQ(load(folder, entry_id(2)), "");
  EXPECT_EQ(load(folder, entry_id(3)), std::nullopt);
  EXPECT_EQ(folder.list().size(), 2u);
  EXPECT_EQ(folder.load_title(entry_id(1)), "one");
  EXPECT_EQ(folder.note(), "");
  EXPECT_EQ(folder.find_problem(), "");
  CacheFolder other(folder.path(), kMiB);
  EXPECT_EQ(load(other, entry_id(1)), "first again");
  EXPECT_EQ(fs::status(folder.path()).permissions() & fs::perms::group_all, fs::perms::none);
}

TEST(CacheFolder, takes_damaged_entries_for_missing_and_removes_them) {
  const TemporaryFolder place;
  CacheFolder folder(place.path().string(), kMiB);
  folder.store(entry_id(1), "title", "some machine code");
  const std::string name = file_name(entry_id(1));
  const std::string good = *base::read_file(place.file(name));
  const auto expect_miss = [&](const std::string& bytes, size_t at) {
    std::ofstream(place.file(name), std::ios::binary | std::ios::trunc) << bytes;
    fs::permissions(place.file(name), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(load(folder, entry_id(1)), std::nullopt) << at;
    EXPECT_FALSE(fs::exists(place.file(name))) << at;
  };
  for (size_t at = 0; at < good.size(); ++at) {
    expect_miss(good.substr(0, at), at);
    for (const int mask : {1, 0x80, 0xff}) {
      std::string damaged = good;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      expect_miss(damaged, at);
    }
  }
  folder.store(entry_id(1), "title", "some machine code");
  EXPECT_EQ(load(folder, entry_id(1)), "some machine code");
}

TEST(CacheFolder, ignores_entries_that_others_could_have_written) {
  const TemporaryFolder place;
  CacheFolder folder(place.path().string(), kMiB);
  folder.store(entry_id(1), "title", "code");
  const std::string path = place.file(file_name(entry_id(1)));
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(load(folder, entry_id(1)), std::nullopt);
  fs::permissions(path, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_EQ(load(folder, entry_id(1)), "code");
}

TEST(CacheFolder, clears_its_own_files_only) {
  const TemporaryFolder place;
  CacheFolder folder(place.path().string(), kMiB);
  for (uint64_t i = 0; i < 5; ++i) folder.store(entry_id(i), "title", "code");
  place.write("letter.txt", "mine");
  place.write("data.tmp", "mine");
  place.write(file_name(entry_id(9)) + ".77-0.tmp", "left by a killed writer");
  set_age(folder, entry_id(1), 3600);
  set_age(folder, entry_id(4), 1e6);
  EXPECT_EQ(folder.clear(1800).count, 2u);
  EXPECT_EQ(folder.list().size(), 3u);
  EXPECT_EQ(load(folder, entry_id(1)), std::nullopt);
  EXPECT_EQ(load(folder, entry_id(2)), "code");
  EXPECT_EQ(folder.clear(0).count, 4u);
  EXPECT_EQ(place.count_files(), 2u);
  EXPECT_EQ(folder.clear(0).count, 0u);
}

TEST(CacheFolder, removes_the_least_recently_used_above_its_limit) {
  const TemporaryFolder place;
  CacheFolder roomy(place.path().string(), 100 * kMiB);
  CacheFolder folder(place.path().string(), kMiB);
  const std::string payload(kMiB / 10 - 100, 'x');
  for (uint64_t i = 0; i < 13; ++i) {
    roomy.store(entry_id(i), "title", payload);
    set_age(folder, entry_id(i), 1000.0 * (20 - static_cast<double>(i)));
  }
  place.write("large.txt", std::string(kMiB, 'y'));
  EXPECT_TRUE(load(folder, entry_id(0)));  // used just now, so not the oldest any more
  folder.evict();
  uint64_t total = 0;
  for (const EntryFile& file : folder.list()) total += file.bytes;
  EXPECT_LE(total, kMiB / 4 * 3);
  EXPECT_GT(total, kMiB / 2);
  EXPECT_TRUE(load(folder, entry_id(0)));
  EXPECT_FALSE(load(folder, entry_id(1)));
  EXPECT_FALSE(load(folder, entry_id(2)));
  EXPECT_TRUE(load(folder, entry_id(12)));
  EXPECT_TRUE(fs::exists(place.file("large.txt")));
  EXPECT_EQ(folder.evict().count, 0u);
}

TEST(CacheFolder, stays_near_its_limit_by_itself) {
  const TemporaryFolder place;
  CacheFolder folder(place.path().string(), kMiB);
  const std::string payload(20'000, 'x');
  for (uint64_t i = 0; i < 300; ++i) folder.store(entry_id(i), "title", payload);
  uint64_t total = 0;
  for (const EntryFile& file : folder.list()) total += file.bytes;
  EXPECT_LE(total, kMiB + kMiB / 16);
  EXPECT_GT(total, kMiB / 2);
  folder.store(entry_id(1000), "title", std::string(kMiB, 'x'));
  EXPECT_FALSE(load(folder, entry_id(1000)));  // would push out everything else
}

TEST(CacheFolder, removes_what_killed_writers_left) {
  const TemporaryFolder place;
  const CacheFolder folder(place.path().string(), kMiB);
  const std::string fresh = file_name(entry_id(1)) + ".77-0.tmp";
  const std::string old = file_name(entry_id(2)) + ".78-0.tmp";
  place.write(fresh, "half");
  place.write(old, "half");
  fs::last_write_time(place.file(old), fs::file_time_type::clock::now() - std::chrono::hours(1));
  folder.evict();
  EXPECT_TRUE(fs::exists(place.file(fresh)));
  EXPECT_FALSE(fs::exists(place.file(old)));
}

TEST(CacheFolder, goes_without_a_place) {
  CacheFolder folder("", kMiB);
  folder.store(entry_id(1), "title", "code");
  EXPECT_EQ(load(folder, entry_id(1)), std::nullopt);
  EXPECT_TRUE(folder.list().empty());
}

TEST(CacheFolder, goes_on_where_it_cannot_write) {
  const TemporaryFolder place;
  place.write("file", "no folder");
  CacheFolder blocked(place.file("file"), kMiB);
  CacheFolder below(place.file("file/below"), kMiB);
  CacheFolder nowhere("/proc/no/such/place", kMiB);
  for (CacheFolder* folder : {&blocked, &below, &nowhere}) {
    folder->store(entry_id(1), "title", "code");
    EXPECT_EQ(load(*folder, entry_id(1)), std::nullopt);
    EXPECT_TRUE(folder->note().starts_with("cannot ")) << folder->note();
    EXPECT_EQ(folder->find_problem(), folder->note());
    EXPECT_TRUE(folder->list().empty());
    EXPECT_EQ(folder->clear(0).count, 0u);
  }
  EXPECT_EQ(*base::read_file(place.file("file")), "no folder");
}

TEST(CacheFolder, goes_on_in_a_folder_that_it_may_only_read) {
  const TemporaryFolder place;
  // Root may write everywhere: then somebody else tries.
  constexpr uid_t kNobody = 65534;
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::chown(place.path().c_str(), kNobody, kNobody) == 0);
  expect_in_child([&] {
    if (is_root && ::setuid(kNobody) != 0) return false;
    CacheFolder folder(place.path().string(), kMiB);
    folder.store(entry_id(1), "title", "code");
    fs::permissions(place.path(), fs::perms::owner_read | fs::perms::owner_exec);
    folder.store(entry_id(2), "title", "code");
    const bool is_good = folder.note().find("Permission denied") != std::string::npos &&
                         load(folder, entry_id(1)) == "code" && !load(folder, entry_id(2));
    fs::permissions(place.path(), fs::perms::owner_all);
    return is_good;
  });
}

// A limit on file sizes stops a write in the middle, as a full disk does, and also sends a signal
// that would end the process.
TEST(CacheFolder, leaves_nothing_behind_when_a_write_fails_in_the_middle) {
  const TemporaryFolder place;
  expect_in_child([&] {
    rlimit limit = {};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 1000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    CacheFolder folder(place.path().string(), kMiB);
    folder.store(entry_id(1), "title", std::string(5000, 'x'));
    const bool is_noted = folder.note().find("File too large") != std::string::npos;
    const bool is_clean = place.count_files() == 0 && !load(folder, entry_id(1));
    folder.store(entry_id(2), "title", "small enough");
    return is_noted && is_clean && load(folder, entry_id(2)) && folder.note().empty();
  });
}

TEST(CacheFolder, makes_its_folder_again_when_it_vanishes) {
  const TemporaryFolder place;
  CacheFolder folder(place.file("cache"), kMiB);
  folder.store(entry_id(1), "title", "code");
  fs::remove_all(folder.path());
  EXPECT_EQ(load(folder, entry_id(1)), std::nullopt);
  folder.store(entry_id(1), "title", "code");
  EXPECT_EQ(load(folder, entry_id(1)), "code");
}

TEST(CacheFolder, shows_whole_entries_only_to_many_threads) {
  const TemporaryFolder place;
  CacheFolder folder(place.path().string(), kMiB);
  std::atomic<int> wrong = 0;
  const auto work = [&](unsigned seed) {
    for (unsigned i = 0; i < 300; ++i) {
      const uint64_t number = (seed * 7 + i) % 5;
      const std::string payload(1000 + 5000 * number, static_cast<char>('a' + number));
      if (i % 3 == 0) folder.store(entry_id(number), "title", payload);
      if (i % 50 == 49) folder.clear(0);
      const auto found = load(folder, entry_id(number));
      if (found && *found != payload) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  folder.clear(0);
  EXPECT_EQ(place.count_files(), 0u);
}

TEST(CacheFolder, survives_writers_that_are_killed) {
  const TemporaryFolder place;
  const std::string payload(200'000, 'x');
  for (int round = 0; round < 20; ++round) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      CacheFolder folder(place.path().string(), 64 * kMiB);
      for (uint64_t i = 0;; ++i) folder.store(entry_id(i % 8), "title", payload);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + round));
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
  }
  CacheFolder folder(place.path().string(), 64 * kMiB);
  for (const EntryFile& file : folder.list()) EXPECT_EQ(load(folder, file.id), payload);
}

}  // namespace
}  // namespace assay::pipeline
