#include "base/archive.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

enum class Colour : uint8_t { kRed, kBlue };

struct Leaf {
  std::string name;
  Colour colour = Colour::kRed;
  std::optional<double> weight;
  bool operator==(const Leaf&) const = default;
};

struct Tree {
  uint32_t id = 0;
  bool is_tall = false;
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> words;
  std::vector<std::pair<std::string, int64_t>> pairs;
  std::vector<Leaf> leaves;
  std::vector<Tree> children;
  bool operator==(const Tree&) const = default;
};

}  // namespace

template <>
struct Fields<Leaf> {
  static void visit(auto& archive, auto& leaf) {
    auto& [name, colour, weight] = leaf;
    archive(name, colour, weight);
  }
};

template <>
struct Fields<Tree> {
  static void visit(auto& archive, auto& tree) {
    auto& [id, is_tall, bytes, words, pairs, leaves, children] = tree;
    archive(id, is_tall, bytes, words, pairs, leaves, children);
  }
};

namespace {

Tree sample_tree() {
  Tree tree{
      .id = 7,
      .is_tall = true,
      .bytes = {1, 2, 255},
      .words = {0xdeadbeef},
      .pairs = {{"a", -1}, {"", 2}},
      .leaves = {{std::string("x\0y", 3), Colour::kBlue, 0.5}, {"", Colour::kRed, std::nullopt}},
      .children = {}};
  tree.children = {Tree(), tree};
  return tree;
}

std::string written(const Tree& tree) {
  ArchiveWriter writer;
  writer(tree);
  return writer.take();
}

TEST(Archive, gives_back_what_was_written) {
  const std::string bytes = written(sample_tree());
  ArchiveReader reader(bytes);
  Tree copy;
  reader(copy);
  EXPECT_TRUE(reader.is_finished());
  EXPECT_EQ(copy, sample_tree());
}

TEST(Archive, notices_every_truncation_and_bytes_left_over) {
  const std::string bytes = written(sample_tree());
  for (size_t size = 0; size < bytes.size(); ++size) {
    ArchiveReader reader(std::string_view(bytes).substr(0, size));
    Tree copy;
    reader(copy);
    EXPECT_FALSE(reader.is_finished()) << size;
  }
  const std::string longer = bytes + "x";
  ArchiveReader reader(longer);
  Tree copy;
  reader(copy);
  EXPECT_TRUE(reader.is_good());
  EXPECT_FALSE(reader.is_finished());
}

TEST(Archive, survives_a_change_of_any_byte) {
  const std::string bytes = written(sample_tree());
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string damaged = bytes;
      damaged[at] = value;
      ArchiveReader reader(damaged);
      Tree copy;
      reader(copy);  // any outcome but a crash; sanitizer builds watch
    }
  }
}

TEST(Archive, refuses_nesting_that_would_exhaust_the_stack) {
  Tree tree;
  for (int depth = 0; depth < 100; ++depth) {
    Tree parent;
    parent.children.push_back(std::move(tree));
    tree = std::move(parent);
  }
  const std::string bytes = written(tree);
  ArchiveReader reader(bytes);
  Tree copy;
  reader(copy);
  EXPECT_FALSE(reader.is_good());
}

}  // namespace
}  // namespace assay::base
