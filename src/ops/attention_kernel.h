// Attention in one kernel, without a matrix of scores in memory.
#pragma once

#include "array/primitive.h"

namespace assay::fast {

enum class AttentionMask : uint8_t { kNone, kCausal, kPicks, kAdds };
// A thread for each query of each head, or a simdgroup.
enum class AttentionForm : uint8_t { kByQuery, kByKey };

// Inputs: queries, keys, values (rank 4, checked), then the mask and the sinks if there are any. A
// mask has the shape (batch, heads, queries, keys).
class FusedAttention final : public Primitive {
 public:
  struct Options {
    float scale;
    AttentionMask mask;
    bool has_sinks;
    AttentionForm form;
    bool operator==(const Options&) const = default;
  };
  explicit FusedAttention(const Options& options) : options_(options) {}

  std::string_view name() const override { return "scaled_dot_product_attention"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const FusedAttention*>(&other);
    return same && same->options_ == options_;
  }

 private:
  bool has_mask() const {
    return options_.mask == AttentionMask::kPicks || options_.mask == AttentionMask::kAdds;
  }

  const Options options_;
};

}  // namespace assay::fast
