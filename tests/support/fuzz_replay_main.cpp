// Runs a fuzz target without libFuzzer, as a test: over every file of a corpus folder and over a
// few hundred damaged copies, the same ones each time.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

constexpr int kDamagedCopiesPerFile = 20;

std::vector<Input> load_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());  // folders list in any order; seeds must not
  std::vector<Input> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

// One random change: a flipped bit, a cut, a removed, repeated or foreign piece.
Input damage(Input input, const std::vector<Input>& corpus, std::mt19937& random) {
  auto below = [&](size_t limit) { return limit == 0 ? 0 : random() % limit; };
  if (input.empty()) return {static_cast<uint8_t>(random())};
  const size_t at = below(input.size());
  const size_t length = 1 + below(std::min<size_t>(input.size() - at, 64));
  const auto begin = input.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = begin + static_cast<std::ptrdiff_t>(length);
  switch (random() % 5) {
    case 0: *begin ^= static_cast<uint8_t>(1u << below(8)); break;
    case 1: input.erase(begin, input.end()); break;
    case 2: input.erase(begin, end); break;
    case 3: {
      const Input piece(begin, end);
      input.insert(begin, piece.begin(), piece.end());
      break;
    }
    default: {
      const Input& other = corpus[below(corpus.size())];
      const auto from = other.begin() + static_cast<std::ptrdiff_t>(below(other.size()));
      input.insert(begin, from, from + std::min<std::ptrdiff_t>(other.end() - from, 64));
      break;
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  std::vector<Input> corpus = load_corpus(argv[1]);
  if (corpus.empty()) corpus.emplace_back();
  std::mt19937 random(1);
  for (const Input& input : corpus) {
    LLVMFuzzerTestOneInput(input.data(), input.size());
    for (int copy = 0; copy < kDamagedCopiesPerFile; ++copy) {
      Input damaged = input;
      for (uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
        damaged = damage(std::move(damaged), corpus, random);
      }
      LLVMFuzzerTestOneInput(damaged.data(), damaged.size());
    }
  }
  return EXIT_SUCCESS;
}
