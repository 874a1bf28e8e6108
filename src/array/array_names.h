// Names that users give to arrays. Few arrays have one, so that they are kept beside the nodes.
#pragma once

#include <memory>
#include <string>

namespace assay {

struct Node;
using ArrayName = std::shared_ptr<const std::string>;

// Under the evaluation lock. A null name takes it away.
void name_node(Node& node, ArrayName name);
// Null where there is none.
ArrayName find_name(const Node& node);
// By nodes that have a name, when they go.
void forget_name(const Node& node);

}  // namespace assay
