// See ordinary_accesses.h.
#include "sanitizer/checks/ordinary_accesses.h"

#include <algorithm>
#include <bit>
#include <cstring>

// Vectors are only passed between functions that become one: how a call would pass them is of no
// interest.
#pragma GCC diagnostic ignored "-Wpsabi"
#define ASSAY_INLINE [[gnu::always_inline]] inline

namespace assay::sanitizer {
namespace {

// Words that are computed with at once. In a struct, because compilers look closely at the types
// that functions for different processors hand each other.
template <uint32_t count>
struct Words {
  using Vector [[gnu::vector_size(count * sizeof(uint64_t))]] = uint64_t;
  static constexpr uint32_t kCount = count;
  Vector vector;

  ASSAY_INLINE static Words load(const uint64_t* from) {
    Words words;
    std::memcpy(&words.vector, from, sizeof(words.vector));
    return words;
  }
  ASSAY_INLINE void store(uint64_t* to) const { std::memcpy(to, &vector, sizeof(vector)); }
  // The words of threads that are `lanes` apart, from that of `word` on.
  ASSAY_INLINE static Words of_threads(uint64_t word, uint64_t lanes) {
    const uint64_t step = lanes << CellWord::kThreadShift;
    Words words;
    for (uint32_t i = 0; i < count; ++i) words.vector[i] = word + i * step;
    return words;
  }
  // Those of the next threads.
  ASSAY_INLINE Words next(uint64_t lanes) const {
    return *this + (kCount * lanes << CellWord::kThreadShift);
  }
  ASSAY_INLINE uint64_t in_all() const {
    uint64_t all = UINT64_MAX;
    for (uint32_t i = 0; i < count; ++i) all &= vector[i];
    return all;
  }
  // The highest bit of each.
  ASSAY_INLINE uint32_t bits() const {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; ++i) bits |= vector[i] >> 63 << i;
    return static_cast<uint32_t>(bits);
  }

  ASSAY_INLINE Words operator^(const Words& other) const { return {vector ^ other.vector}; }
  ASSAY_INLINE Words operator|(const Words& other) const { return {vector | other.vector}; }
  ASSAY_INLINE Words operator&(const Words& other) const { return {vector & other.vector}; }
  ASSAY_INLINE Words operator|(uint64_t bits) const { return {vector | bits}; }
  ASSAY_INLINE Words operator&(uint64_t bits) const { return {vector & bits}; }
  ASSAY_INLINE Words operator+(uint64_t number) const { return {vector + number}; }
  ASSAY_INLINE Words operator-(uint64_t number) const { return {vector - number}; }
  ASSAY_INLINE Words operator>>(unsigned shift) const { return {vector >> uint64_t{shift}}; }
  ASSAY_INLINE Words operator~() const { return {~vector}; }
  ASSAY_INLINE Words operator-() const { return {-vector}; }
};

// Questions have their answers in the highest bit of a word: they need neither branches nor
// instructions that some processors lack.

// Whether the bits from `shift` on are 0, or are not.
template <typename Word>
ASSAY_INLINE Word is_zero_from(const Word& word, unsigned shift) {
  return (word >> shift) - uint64_t{1};
}
template <typename Word>
ASSAY_INLINE Word is_other_from(const Word& word, unsigned shift) {
  return -(word >> shift);
}
// Whether some of the bits of `mask`, which has not the highest one, are set, or none.
template <typename Word>
ASSAY_INLINE Word has_some(const Word& word, uint64_t mask) {
  return -(word & mask);
}
template <typename Word>
ASSAY_INLINE Word has_none(const Word& word, uint64_t mask) {
  return (word & mask) - uint64_t{1};
}
// All bits of a word, where its highest bit is set.
template <typename Word>
ASSAY_INLINE Word spread(const Word& answer) {
  return -(answer >> 63);
}

// has_no_rival() as an answer.
template <typename Word>
ASSAY_INLINE Word find_no_rival(const Word& write, const Word& as_write) {
  const Word differences = write ^ as_write;
  return is_other_from(differences, CellWord::kLaunchShift) |
         is_zero_from(differences, CellWord::kThreadShift) |
         (is_zero_from(differences, CellWord::kGroupShift) &
          has_some(differences, CellWord::kEpochMask));
}

// Whether pass_write() would pass.
template <typename Word>
ASSAY_INLINE Word may_write(const Word& write, const Word& read, const Word& as_write,
                            const Word& as_read) {
  const Word differences = read ^ as_read;
  const Word is_new = is_other_from(differences, CellWord::kLaunchShift);
  const Word is_mine = is_zero_from(differences, CellWord::kThreadShift) &
                       has_none(read, CellWord::kShared | CellWord::kForeign);
  const Word is_over = is_zero_from(differences, CellWord::kGroupShift) &
                       has_some(differences, CellWord::kEpochMask) &
                       has_none(read, CellWord::kForeign);
  return find_no_rival(write, as_write) & (is_new | is_mine | is_over);
}

// The first read of this launch, or since a barrier; otherwise one behind other reads.
template <typename Word>
ASSAY_INLINE Word is_first_read(const Word& differences) {
  return is_other_from(differences, CellWord::kLaunchShift) |
         (is_zero_from(differences, CellWord::kGroupShift) &
          has_some(differences, CellWord::kEpochMask));
}

// Whether pass_read() would pass.
template <typename Word>
ASSAY_INLINE Word may_read(const Word& write, const Word& read, const Word& as_write,
                           const Word& as_read) {
  const Word differences = read ^ as_read;
  const Word is_again = is_zero_from(differences, CellWord::kGroupShift) &
                        has_none(differences, CellWord::kEpochMask | CellWord::kSubEpochMask);
  return find_no_rival(write, as_write) & (is_first_read(differences) | is_again);
}

// What pass_read() leaves behind, and whether a thread beside the one in `read` did it.
template <typename Word>
struct NotedRead {
  Word read;
  Word is_others;
};
template <typename Word>
ASSAY_INLINE NotedRead<Word> note_read(const Word& read, const Word& as_read) {
  const Word differences = read ^ as_read;
  const Word is_launch = is_zero_from(differences, CellWord::kLaunchShift);
  const Word first = as_read | (spread(is_launch) & read & CellWord::kForeign);
  const Word is_others = is_other_from(differences, CellWord::kThreadShift);
  const Word again =
      (read & (as_read | ~CellWord::kAtomic)) | (spread(is_others) & CellWord::kShared);
  const Word is_first = spread(is_first_read(differences));
  return {(first & is_first) | (again & ~is_first), is_others & ~is_first};
}

// A row of cells and the words of the first lane that uses them.
struct Row {
  RaceCells& races;
  uint64_t begin;
  uint32_t count;
  uint64_t as_write;
  uint64_t as_read;
  uint16_t site;
};

// How many threads further on the one is that uses the next cell of a row.
enum Readers : uint32_t { kOneForAll = 0, kOneEach = 1 };

// Four at a time.
ASSAY_INLINE void fill_sites(uint16_t* sites, uint32_t count, uint16_t site) {
  const uint64_t four = site * uint64_t{0x0001'0001'0001'0001};
  uint32_t at = 0;
  for (; at + 4 <= count; at += 4) std::memcpy(sites + at, &four, sizeof(four));
  for (; at < count; ++at) sites[at] = site;
}

// Sets what belongs to `lanes`, which mostly are few runs.
void fill_lanes(uint16_t* sites, uint32_t lanes, uint16_t site) {
  while (lanes != 0) {
    const auto begin = static_cast<uint32_t>(std::countr_zero(lanes));
    const auto length = static_cast<uint32_t>(std::countr_one(lanes >> begin));
    fill_sites(sites + begin, length, site);
    if (begin + length >= kernel::kSimdgroupWidth) return;
    lanes &= UINT32_MAX << (begin + length);
  }
}

// pass_write() for a row, if it is true for all of it. Otherwise false, and nothing noted. Cells
// that nobody reads have words for it all the same, which stay out of the cache.
template <typename Words, bool has_readers>
ASSAY_INLINE bool write_row(const Row& row) {
  uint64_t* writes = row.races.writes() + row.begin;
  const uint64_t* reads = row.races.reads() + row.begin;
  const Words first = Words::of_threads(row.as_write, 1);
  Words as_write = first;
  Words as_read = Words::of_threads(row.as_read, 1);
  Words answers = Words::of_threads(UINT64_MAX, 0);
  uint32_t at = 0;
  for (; at + Words::kCount <= row.count; at += Words::kCount) {
    const Words write = Words::load(writes + at);
    answers = answers & (has_readers ? may_write(write, Words::load(reads + at), as_write, as_read)
                                     : find_no_rival(write, as_write));
    as_write = as_write.next(1);
    as_read = as_read.next(1);
  }
  uint64_t all = answers.in_all();
  for (; at < row.count; ++at) {
    const uint64_t as_write_at = CellWord::of_thread(row.as_write, at);
    all &= has_readers
               ? may_write(writes[at], reads[at], as_write_at, CellWord::of_thread(row.as_read, at))
               : find_no_rival(writes[at], as_write_at);
  }
  if (all >> 63 == 0) return false;
  as_write = first;
  for (at = 0; at + Words::kCount <= row.count; at += Words::kCount) {
    as_write.store(writes + at);
    as_write = as_write.next(1);
  }
  for (; at < row.count; ++at) writes[at] = CellWord::of_thread(row.as_write, at);
  fill_sites(row.races.write_sites() + row.begin, row.count, row.site);
  return true;
}

// The same for pass_read().
template <typename Words, Readers readers>
ASSAY_INLINE bool read_row(const Row& row) {
  const uint64_t* writes = row.races.writes() + row.begin;
  uint64_t* reads = row.races.reads() + row.begin;
  uint64_t noted_reads[kernel::kSimdgroupWidth];
  Words as_write = Words::of_threads(row.as_write, readers);
  Words as_read = Words::of_threads(row.as_read, readers);
  Words answers = Words::of_threads(UINT64_MAX, 0);
  uint32_t others = 0;
  uint32_t at = 0;
  for (; at + Words::kCount <= row.count; at += Words::kCount) {
    const Words read = Words::load(reads + at);
    answers = answers & may_read(Words::load(writes + at), read, as_write, as_read);
    const auto noted = note_read(read, as_read);
    noted.read.store(noted_reads + at);
    others |= noted.is_others.bits() << at;
    as_write = as_write.next(readers);
    as_read = as_read.next(readers);
  }
  uint64_t all = answers.in_all();
  for (; at < row.count; ++at) {
    const uint64_t as_thread = CellWord::of_thread(row.as_read, at * readers);
    all &=
        may_read(writes[at], reads[at], CellWord::of_thread(row.as_write, at * readers), as_thread);
    const auto noted = note_read(reads[at], as_thread);
    noted_reads[at] = noted.read;
    others |= static_cast<uint32_t>(noted.is_others >> 63) << at;
  }
  if (all >> 63 == 0) return false;
  std::copy_n(noted_reads, row.count, reads);
  const uint32_t lanes = UINT32_MAX >> (kernel::kSimdgroupWidth - row.count);
  fill_lanes(row.races.read_sites() + row.begin, lanes & ~others, row.site);
  fill_lanes(row.races.other_read_sites() + row.begin, others, row.site);
  return true;
}

enum class RowUse { kWrite, kWriteUnread, kRead, kReadByOne };

template <uint32_t at_once>
ASSAY_INLINE bool use_row(const Row& row, RowUse use) {
  switch (use) {
    case RowUse::kWrite: return write_row<Words<at_once>, true>(row);
    case RowUse::kWriteUnread: return write_row<Words<at_once>, false>(row);
    case RowUse::kRead: return read_row<Words<at_once>, kOneEach>(row);
    case RowUse::kReadByOne: return read_row<Words<at_once>, kOneForAll>(row);
  }
  return false;
}

// Once for every processor, and once for each length that vectors have on some.
bool pass_row_anywhere(const Row& row, RowUse use) { return use_row<4>(row, use); }
#if defined(__x86_64__)
[[gnu::target("avx2")]] bool pass_row_avx2(const Row& row, RowUse use) {
  return use_row<4>(row, use);
}
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] bool pass_row_avx512(const Row& row,
                                                                           RowUse use) {
  return use_row<8>(row, use);
}
using PassRow = bool (*)(const Row& row, RowUse use);
PassRow choose_pass_row() {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return pass_row_avx512;
  }
  return __builtin_cpu_supports("avx2") ? pass_row_avx2 : pass_row_anywhere;
}
const PassRow pass_row = choose_pass_row();
#else
bool pass_row(const Row& row, RowUse use) { return pass_row_anywhere(row, use); }
#endif

}  // namespace

uint32_t pass_line(RaceCells& races, const CellAccess& access, uint32_t lanes,
                   const CellLine& line) {
  const auto low = static_cast<uint32_t>(__builtin_ctz(lanes));
  const uint32_t count = count_row(lanes >> low);
  if (line.step == 1 && count != 0) {
    const Row row{.races = races,
                  .begin = line.first + low,
                  .count = count,
                  .as_write = CellWord::of_thread(access.as_write, low),
                  .as_read = CellWord::of_thread(access.as_read, low),
                  .site = access.site};
    const RowUse write = access.has_readers ? RowUse::kWrite : RowUse::kWriteUnread;
    if (pass_row(row, access.writes ? write : RowUse::kRead)) return 0;
  }
  return pass_lanes(races, access, lanes,
                    [&](uint32_t lane) { return line.first + line.step * lane; });
}

bool pass_reads(RaceCells& races, const CellAccess& access, const CellLine& line, uint64_t count) {
  if (line.step != 1) {
    for (uint64_t i = 0; i < count; ++i) {
      const RaceCell cell = races.cell(line.first + line.step * i);
      if (!pass_read(cell, access.as_write, access.as_read, access.site)) return false;
    }
    return true;
  }
  for (uint64_t done = 0; done < count; done += kernel::kSimdgroupWidth) {
    const uint64_t left = std::min<uint64_t>(count - done, kernel::kSimdgroupWidth);
    const Row row{.races = races,
                  .begin = line.first + done,
                  .count = static_cast<uint32_t>(left),
                  .as_write = access.as_write,
                  .as_read = access.as_read,
                  .site = access.site};
    if (!pass_row(row, RowUse::kReadByOne)) return false;
  }
  return true;
}

bool have_several_readers(RaceCells& races, const CellLine& line, uint64_t count) {
  const uint64_t* reads = races.reads();
  uint64_t all = CellWord::kShared;
  for (uint64_t i = 0; i < count; ++i) all &= reads[line.first + line.step * i];
  return all != 0;
}

}  // namespace assay::sanitizer
