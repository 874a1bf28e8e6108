// See array_names.h.
#include "array/array_names.h"

#include <mutex>
#include <unordered_map>

#include "array/node.h"

namespace assay {
namespace {

struct Names {
  std::mutex mutex;
  std::unordered_map<const Node*, ArrayName> names;
};

// Never destroyed: arrays may be static objects.
Names& known() {
  static auto* names = new Names;
  return *names;
}

}  // namespace

void name_node(Node& node, ArrayName name) {
  const std::lock_guard lock(known().mutex);
  // Where there are values, views of them come from the storage.
  if (node.storage) node.storage->name = name;
  if (name) {
    known().names.insert_or_assign(&node, std::move(name));
  } else {
    known().names.erase(&node);
  }
  node.is_named = known().names.contains(&node);
}

ArrayName find_name(const Node& node) {
  if (!node.is_named) return nullptr;
  const std::lock_guard lock(known().mutex);
  const auto found = known().names.find(&node);
  return found == known().names.end() ? nullptr : found->second;
}

void forget_name(const Node& node) {
  const std::lock_guard lock(known().mutex);
  known().names.erase(&node);
}

}  // namespace assay
