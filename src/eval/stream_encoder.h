// The Encoder that puts one operation's work on its stream.
#pragma once

#include "eval/engine.h"

namespace assay {

// Used by one thread, with the engine's lock held.
class StreamEncoder final : public Encoder {
 public:
  StreamEncoder(Engine& engine, StreamQueue& stream, const Operation& operation)
      : engine_(engine), stream_(stream), operation_(operation) {}

  void allocate(array& output) override;
  bool allocate_or_reuse(array& output, std::span<const array> inputs) override;
  void share(array& output, const array& source, Strides strides, int64_t offset) override;
  array make_row_contiguous(const array& source) override;
  array make_temporary(Shape shape, Dtype dtype) override;
  void dispatch(const KernelRequest& kernel, const Arguments& arguments,
                const kernel::LaunchSize& size) override;
  void fill_bytes(array& output, uint8_t value) override;
  void matrix_product(kernel::MatrixProduct product, const array& a, const array& b,
                      array& c) override;

 private:
  // An array of a command, by slot.
  struct Slot {
    const Node* node = nullptr;  // null where the slot holds something else
    bool is_output = false;
  };

  // Notes that the stream's commands use the memory.
  void use(Storage& storage);
  // Texts for observers of the command that is added next; notes what it writes. Arrays are part
  // of them if `describes_arrays`.
  device::CommandLabels make_labels(std::span<const Slot> slots, bool describes_arrays) const;
  // Empty when nobody would read them.
  device::CommandLabels labels(std::span<const Slot> slots) const;
  void note_traffic(std::span<const Slot> slots, device::CommandLabels& labels) const;
  kernel::CommandRole role() const;

  Engine& engine_;
  StreamQueue& stream_;
  const Operation& operation_;
  bool is_forced_copy_ = false;  // while an input is made row-contiguous
};

}  // namespace assay
