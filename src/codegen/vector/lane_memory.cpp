// Memory access of LaneBuilder: rows, constant distances, and addresses of any kind.
#include <algorithm>
#include <numeric>

#include "codegen/vector/lane_builder.h"

namespace assay::codegen {
namespace {

// From here on, one load per lane is as fast as loading all that lies between.
constexpr int64_t kMaxInterleave = 4;
constexpr int64_t kLineBytes = 64;

int64_t element_bytes(llvm::Type* element, const llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  return std::max<int64_t>(bytes, 1);  // others divide by it
}

// Lanes whose elements are `step` elements apart, taken from `step` whole rows. The last row ends
// with the last lane's element: memory behind it may not exist.
class InterleavedRows {
 public:
  explicit InterleavedRows(unsigned step) : step_(step) {}

  unsigned count() const { return step_; }
  // Of the row's first element, in elements from lane 0's.
  unsigned start(unsigned row) const {
    return row + 1 < step_ ? row * kLanes : (kLanes - 1) * step_ + 1 - kLanes;
  }
  unsigned row_of(unsigned lane) const { return std::min(lane * step_ / kLanes, step_ - 1); }
  unsigned place_in_row(unsigned lane) const { return lane * step_ - start(row_of(lane)); }

 private:
  const unsigned step_;
};

}  // namespace

llvm::Value* LaneBuilder::gather(llvm::Type* element, llvm::Value* address, llvm::Align align,
                                 llvm::Value* mask) {
  llvm::Type* type = lane_type(element);
  if (target_.isLegalMaskedGather(type, align)) {
    return CreateMaskedGather(type, address, align, mask);
  }
  uint64_t bits = element->getPrimitiveSizeInBits();
  llvm::Type* words = lane_type(getInt32Ty());
  if ((bits == 8 || bits == 16) && align.value() * 8 >= bits &&
      target_.isLegalMaskedGather(words, llvm::Align(4))) {
    return gather_words(element, address, mask);
  }
  llvm::AllocaInst* addresses = lane_array(address);
  llvm::AllocaInst* results = variable(type, "gathered");
  for_each_active(mask, [&](llvm::Value* lane) {
    llvm::Value* source = CreateLoad(getPtrTy(), lane_element(addresses, getPtrTy(), lane));
    llvm::Value* value = CreateAlignedLoad(element, source, align);
    CreateStore(value, lane_element(results, element, lane));
  });
  return CreateLoad(type, results);
}

// Processors gather nothing smaller than 4 bytes. The aligned word around an element lies in the
// same page, so reading it cannot fault where reading the element would not.
llvm::Value* LaneBuilder::gather_words(llvm::Type* element, llvm::Value* address,
                                       llvm::Value* mask) {
  llvm::Type* words = lane_type(getInt32Ty());
  llvm::Value* number = CreatePtrToInt(address, lane_type(getInt64Ty()));
  llvm::Value* distance = CreateAnd(number, splat(getInt64(3)));
  llvm::Value* offset = CreateTrunc(distance, words);
  // Not llvm.ptrmask: LLVM 19 gives vectors of them attributes that only single pointers may have.
  llvm::Value* start = CreateGEP(getInt8Ty(), address, CreateNeg(distance));
  llvm::Value* word = CreateMaskedGather(words, start, llvm::Align(4), mask);
  llvm::Value* shifted = CreateLShr(word, CreateShl(offset, splat(getInt32(3))));
  auto bits = static_cast<unsigned>(element->getPrimitiveSizeInBits());
  return CreateBitCast(CreateTrunc(shifted, lane_type(getIntNTy(bits))), lane_type(element));
}

void LaneBuilder::scatter(llvm::Value* value, llvm::Value* address, llvm::Align align,
                          llvm::Value* mask) {
  if (target_.isLegalMaskedScatter(value->getType(), align)) {
    CreateMaskedScatter(value, address, align, mask);
    return;
  }
  llvm::Type* element = value->getType()->getScalarType();
  llvm::AllocaInst* addresses = lane_array(address);
  llvm::AllocaInst* values = lane_array(value);
  for_each_active(mask, [&](llvm::Value* lane) {
    llvm::Value* target = CreateLoad(getPtrTy(), lane_element(addresses, getPtrTy(), lane));
    CreateAlignedStore(CreateLoad(element, lane_element(values, element, lane)), target, align);
  });
}

llvm::Value* LaneBuilder::load_row(llvm::Type* element, llvm::Value* address, llvm::Align align,
                                   llvm::Value* mask) {
  llvm::Type* type = lane_type(element);
  if (is_all_lanes(mask)) return CreateAlignedLoad(type, address, align);
  if (target_.isLegalMaskedLoad(type, align)) {
    return CreateMaskedLoad(type, address, align, mask);
  }
  llvm::AllocaInst* result = variable(type, "row");
  if_else(
      is_full(mask), [&] { CreateStore(CreateAlignedLoad(type, address, align), result); },
      [&] {
        for_each_active(mask, [&](llvm::Value* lane) {
          llvm::Value* source = CreateGEP(element, address, CreateZExt(lane, getInt64Ty()));
          CreateStore(CreateAlignedLoad(element, source, align),
                      lane_element(result, element, lane));
        });
      });
  return CreateLoad(type, result);
}

void LaneBuilder::store_row(llvm::Value* value, llvm::Value* address, llvm::Align align,
                            llvm::Value* mask) {
  if (is_all_lanes(mask)) {
    CreateAlignedStore(value, address, align);
    return;
  }
  if (target_.isLegalMaskedStore(value->getType(), align)) {
    CreateMaskedStore(value, address, align, mask);
    return;
  }
  llvm::Type* element = value->getType()->getScalarType();
  if_else(
      is_full(mask), [&] { CreateAlignedStore(value, address, align); },
      [&] {
        llvm::AllocaInst* values = lane_array(value);
        for_each_active(mask, [&](llvm::Value* lane) {
          llvm::Value* target = CreateGEP(element, address, CreateZExt(lane, getInt64Ty()));
          CreateAlignedStore(CreateLoad(element, lane_element(values, element, lane)), target,
                             align);
        });
      });
}

// One after the other: processors that must hide what a gather reads from speculation take several
// times as long for it, and wait for all stores before it.
llvm::Value* LaneBuilder::load_each(llvm::Type* element, llvm::Value* address, int64_t stride,
                                    llvm::Align align) {
  llvm::Value* result = llvm::PoisonValue::get(lane_type(element));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    llvm::Value* source = CreateGEP(getInt8Ty(), address, getInt64(lane * stride));
    result = CreateInsertElement(result, CreateAlignedLoad(element, source, align), lane);
  }
  return result;
}

// Lanes' elements may be aligned to more than the distance between rows.
std::pair<llvm::Value*, llvm::Align> LaneBuilder::offset_address(llvm::Value* address,
                                                                 int64_t bytes, llvm::Align align) {
  return {CreateGEP(getInt8Ty(), address, getInt64(static_cast<uint64_t>(bytes))),
          llvm::commonAlignment(align, static_cast<uint64_t>(bytes))};
}

llvm::Value* LaneBuilder::load_interleaved(llvm::Type* element, llvm::Value* address, unsigned step,
                                           llvm::Align align) {
  InterleavedRows rows(step);
  int64_t bytes = element_bytes(element, function_);
  // What lanes a vector holds yet, and in which of its elements.
  struct Part {
    llvm::Value* value;
    std::vector<int> places;
  };
  std::vector<Part> parts;
  for (unsigned row = 0; row < rows.count(); ++row) {
    auto [source, row_align] = offset_address(address, rows.start(row) * bytes, align);
    Part part{CreateAlignedLoad(lane_type(element), source, row_align),
              std::vector<int>(kLanes, -1)};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (rows.row_of(lane) == row) part.places[lane] = static_cast<int>(rows.place_in_row(lane));
    }
    parts.push_back(part);
  }
  while (parts.size() > 1) {
    std::vector<Part> joined;
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
      std::vector<int> sources = parts[i].places;
      std::vector<int> places(kLanes, -1);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        int second = parts[i + 1].places[lane];
        if (second >= 0) sources[lane] = second + static_cast<int>(kLanes);
        if (sources[lane] >= 0) places[lane] = static_cast<int>(lane);
      }
      joined.push_back({CreateShuffleVector(parts[i].value, parts[i + 1].value, sources), places});
    }
    if (parts.size() % 2 == 1) joined.push_back(parts.back());
    parts = joined;
  }
  return parts.front().value;
}

llvm::Value* LaneBuilder::load_all_strided(llvm::Type* element, llvm::Value* address,
                                           int64_t stride, llvm::Align align) {
  int64_t bytes = element_bytes(element, function_);
  int64_t step = stride / bytes;
  if (stride % bytes == 0 && step > 1 && step <= kMaxInterleave) {
    return load_interleaved(element, address, static_cast<unsigned>(step), align);
  }
  if (stride == -bytes) {
    llvm::Value* last = CreateGEP(getInt8Ty(), address, getInt64(stride * (kLanes - 1)));
    return CreateVectorReverse(CreateAlignedLoad(lane_type(element), last, align));
  }
  return load_each(element, address, stride, align);
}

llvm::Value* LaneBuilder::load_strided(llvm::Type* element, llvm::Value* address, int64_t stride,
                                       llvm::Align align, llvm::Value* mask) {
  if (stride == element_bytes(element, function_)) return load_row(element, address, align, mask);
  if (is_all_lanes(mask)) return load_all_strided(element, address, stride, align);
  llvm::AllocaInst* result = variable(lane_type(element), "strided");
  auto keep = [&](llvm::Value* value) { CreateStore(value, result); };
  if_else(
      is_full(mask), [&] { keep(load_all_strided(element, address, stride, align)); },
      [&] { keep(gather(element, lane_addresses(address, stride), align, mask)); });
  return CreateLoad(lane_type(element), result);
}

void LaneBuilder::read_ahead(llvm::Value* address, int64_t stride, const Ahead& ahead) {
  // Where a line holds few elements, the requests would be as many as the loads.
  if (stride <= 0 || stride * 4 > kLineBytes) return;
  constexpr unsigned kRead = 0, kAllCaches = 3, kSecondCache = 2, kData = 1;
  const unsigned caches = ahead.fits_first_cache ? kAllCaches : kSecondCache;
  for (int64_t line = 0; line < stride * int64_t{kLanes}; line += kLineBytes) {
    llvm::Value* place = CreateGEP(getInt8Ty(), address, getInt64(ahead.bytes + line));
    CreateIntrinsic(llvm::Intrinsic::prefetch, {getPtrTy()},
                    {place, getInt32(kRead), getInt32(caches), getInt32(kData)});
  }
}

void LaneBuilder::store_interleaved(llvm::Value* value, llvm::Value* address, unsigned step,
                                    llvm::Align align) {
  InterleavedRows rows(step);
  int64_t bytes = element_bytes(value->getType()->getScalarType(), function_);
  for (unsigned row = 0; row < rows.count(); ++row) {
    std::vector<int> sources(kLanes, -1);
    std::vector<llvm::Constant*> is_written(kLanes, getFalse());
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (rows.row_of(lane) != row) continue;
      sources[rows.place_in_row(lane)] = static_cast<int>(lane);
      is_written[rows.place_in_row(lane)] = getTrue();
    }
    auto [target, row_align] = offset_address(address, rows.start(row) * bytes, align);
    CreateMaskedStore(CreateShuffleVector(value, sources), target, row_align,
                      llvm::ConstantVector::get(is_written));
  }
}

void LaneBuilder::store_all_strided(llvm::Value* value, llvm::Value* address, int64_t stride,
                                    llvm::Align align) {
  int64_t bytes = element_bytes(value->getType()->getScalarType(), function_);
  int64_t step = stride / bytes;
  bool is_interleaved = stride % bytes == 0 && step > 1 && step <= kMaxInterleave;
  if (is_interleaved && target_.isLegalMaskedStore(value->getType(), align)) {
    store_interleaved(value, address, static_cast<unsigned>(step), align);
  } else if (stride == -bytes) {
    llvm::Value* last = CreateGEP(getInt8Ty(), address, getInt64(stride * (kLanes - 1)));
    CreateAlignedStore(CreateVectorReverse(value), last, align);
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      llvm::Value* target = CreateGEP(getInt8Ty(), address, getInt64(lane * stride));
      CreateAlignedStore(CreateExtractElement(value, lane), target, align);
    }
  }
}

void LaneBuilder::store_strided(llvm::Value* value, llvm::Value* address, int64_t stride,
                                llvm::Align align, llvm::Value* mask) {
  llvm::Type* element = value->getType()->getScalarType();
  if (stride == element_bytes(element, function_)) return store_row(value, address, align, mask);
  if (is_all_lanes(mask)) return store_all_strided(value, address, stride, align);
  if_else(
      is_full(mask), [&] { store_all_strided(value, address, stride, align); },
      [&] { scatter(value, lane_addresses(address, stride), align, mask); });
}

// In parts: LLVM would join a store that is like the ordinary one with it.
void LaneBuilder::stream_row(llvm::Value* value, llvm::Value* address) {
  int64_t bytes = element_bytes(value->getType()->getScalarType(), function_);
  int64_t part_bytes = std::min(kLineBytes, bytes * kLanes / 2);
  auto per_part = static_cast<unsigned>(part_bytes / bytes);
  llvm::MDNode* around_caches =
      llvm::MDNode::get(getContext(), llvm::ConstantAsMetadata::get(getInt32(1)));
  for (unsigned first = 0; first < kLanes; first += per_part) {
    std::vector<int> lanes(per_part);
    std::iota(lanes.begin(), lanes.end(), static_cast<int>(first));
    llvm::Value* target = CreateGEP(getInt8Ty(), address, getInt64(first * bytes));
    llvm::StoreInst* part = CreateAlignedStore(CreateShuffleVector(value, lanes), target,
                                               llvm::Align(static_cast<uint64_t>(part_bytes)));
    part->setMetadata(llvm::LLVMContext::MD_nontemporal, around_caches);
  }
}

void LaneBuilder::stream_strided(llvm::Value* value, llvm::Value* address, int64_t stride,
                                 llvm::Align align, const StreamCondition& condition) {
  int64_t bytes = element_bytes(value->getType()->getScalarType(), function_);
  bool fills_lines = stride == bytes && bytes * kLanes >= kLineBytes;
  if (!fills_lines) return store_strided(value, address, stride, align, condition.mask);
  llvm::Value* number = CreatePtrToInt(address, getInt64Ty());
  llvm::Value* is_line = CreateIsNull(CreateAnd(number, getInt64(kLineBytes - 1)));
  llvm::Value* streams = CreateAnd(condition.streams, is_line);
  if (!is_all_lanes(condition.mask)) {
    streams = CreateAnd(streams, is_full(condition.mask));
  }
  if_else(
      streams, [&] { stream_row(value, address); },
      [&] { store_row(value, address, align, condition.mask); });
}

}  // namespace assay::codegen
