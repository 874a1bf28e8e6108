// Loads of rows by VectorEmitter, and the matrix products that live on them.
#include <bit>
#include <numeric>

#include "codegen/vector/cross_lane_emitter.h"
#include "codegen/vector/vector_emitter.h"
#include "kernel/simdgroup_matrix.h"
#include "llvm/IR/DataLayout.h"

namespace assay::codegen {
namespace {

llvm::Value* join(LaneBuilder& builder, std::vector<llvm::Value*> parts) {
  while (parts.size() > 1) {
    auto width = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
    std::vector<int> all(size_t{width} * 2);
    std::iota(all.begin(), all.end(), 0);
    std::vector<llvm::Value*> joined;
    for (size_t i = 0; i < parts.size(); i += 2) {
      joined.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], all));
    }
    parts = joined;
  }
  return parts[0];
}

bool is_identity(const std::vector<int>& places, const llvm::Value* elements) {
  auto width = llvm::cast<llvm::FixedVectorType>(elements->getType())->getNumElements();
  if (places.size() != width) return false;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != static_cast<int>(i)) return false;
  }
  return true;
}

}  // namespace

// Only where all lanes of a simdgroup are there: a row is read as a whole.
void VectorEmitter::find_row_loads() {
  if (!is_all_lanes(start_.mask)) return;
  for (llvm::BasicBlock* block : order_) {
    if (!divergence_.is_met_by_all(block)) continue;
    for (llvm::Instruction& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->isAtomic() || load->isVolatile()) continue;
      llvm::Value* pointer = load->getPointerOperand();
      if (!divergence_.shape_at(pointer, block).is_varying()) continue;
      std::optional<LaneAddress> address =
          find_lane_address(pointer, load->getType(), *block, divergence_);
      if (address) row_addresses_[load] = *address;
    }
  }
}

// Of the lanes' elements in the loaded ones; nothing when some are not among them.
std::optional<std::vector<int>> VectorEmitter::places_in(const RowLoad& rows,
                                                         const LaneAddress& address) const {
  if (!address.has_rows_of(*rows.address)) return {};
  int64_t bytes = layout_.getTypeStoreSize(rows.element).getFixedValue();
  std::vector<int> places;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    int64_t first = rows.address->offsets[rows.rows.first_lane(lane)] + rows.low;
    int64_t distance = address.offsets[lane] - first;
    if (distance < 0 || distance % bytes != 0 || distance / bytes >= rows.width) return {};
    places.push_back(static_cast<int>(rows.rows.row_of[lane] * rows.width + distance / bytes));
  }
  return places;
}

llvm::Value* VectorEmitter::row_start(const RowLoad& rows, unsigned row) {
  unsigned lane = rows.rows.first_lanes[row];
  llvm::Value* bytes =
      builder_.getInt64(static_cast<uint64_t>(rows.address->offsets[lane] + rows.low));
  for (const auto& [factor, steps] : rows.address->terms) {
    llvm::Value* wide =
        builder_.CreateIntCast(scalar(factor.value), builder_.getInt64Ty(), factor.is_signed);
    llvm::Value* step = builder_.getInt64(static_cast<uint64_t>(steps[lane]));
    bytes = builder_.CreateAdd(bytes, builder_.CreateMul(wide, step));
  }
  return builder_.CreateGEP(builder_.getInt8Ty(), scalar(rows.address->base), bytes);
}

// Together with loads that follow and read the same rows, such as that of a lane's other element.
// What no lane reads is not touched: it need not exist.
std::optional<VectorEmitter::RowLoad> VectorEmitter::load_rows(llvm::LoadInst& load,
                                                               const LaneAddress& address) {
  RowLoad rows{.address = &address,
               .rows = find_rows(address),
               .element = load.getType(),
               .low = 0,
               .width = 0,
               .elements = nullptr};
  size_t row_count = rows.rows.first_lanes.size();
  if (!std::has_single_bit(row_count)) return {};
  int64_t bytes = layout_.getTypeStoreSize(rows.element).getFixedValue();
  llvm::Align align = load.getAlign();
  std::vector<std::pair<int64_t, int64_t>> extents(row_count, {INT64_MAX, INT64_MIN});
  for (llvm::Instruction* next = &load; next; next = next->getNextNode()) {
    if (next->mayWriteToMemory()) break;
    auto* other = llvm::dyn_cast<llvm::LoadInst>(next);
    auto found = row_addresses_.find(other);
    if (!other || other->getType() != rows.element || found == row_addresses_.end()) continue;
    if (!found->second.has_rows_of(address)) continue;
    auto extended = extents;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      int64_t place = found->second.offsets[lane] - address.offsets[rows.rows.first_lane(lane)];
      auto& [low, high] = extended[rows.rows.row_of[lane]];
      low = std::min(low, place);
      high = std::max(high, place + bytes);
    }
    bool is_short = llvm::all_of(
        extended, [](const auto& row) { return row.second - row.first <= kMaxRowBytes; });
    if (!is_short) continue;
    extents = extended;
    align = std::min(align, other->getAlign());
  }
  auto [low, high] = extents[0];
  bool is_even = llvm::all_of(extents, [&](const auto& row) { return row == extents[0]; });
  rows.low = low;
  rows.width = static_cast<unsigned>((high - low) / bytes);
  if (!is_even || (high - low) % bytes != 0 || !std::has_single_bit(rows.width)) return {};
  std::vector<llvm::Value*> parts;
  for (unsigned row = 0; row < row_count; ++row) {
    auto* type = llvm::FixedVectorType::get(rows.element, rows.width);
    parts.push_back(builder_.CreateAlignedLoad(type, row_start(rows, row), align));
  }
  rows.elements = join(builder_, parts);
  return rows;
}

// Null when a gather has to do it.
llvm::Value* VectorEmitter::emit_row_load(llvm::LoadInst& load, const LaneAddress& address) {
  std::optional<std::vector<int>> places;
  const RowLoad* source = nullptr;
  for (const RowLoad& rows : row_loads_) {
    if (rows.element != load.getType()) continue;
    places = places_in(rows, address);
    source = &rows;
    if (places) break;
  }
  if (!places) {
    std::optional<RowLoad> loaded = load_rows(load, address);
    if (!loaded) return nullptr;
    row_loads_.push_back(*loaded);
    source = &row_loads_.back();
    places = places_in(*source, address);
    if (!places) return nullptr;
  }
  llvm::Value* lanes = builder_.CreateShuffleVector(source->elements, *places);
  picked_[lanes] = {source->elements, *places};
  return lanes;
}

// Row-major elements of the matrix whose lanes hold `even` and `odd`. Those that come from the rows
// of one load are in order already.
llvm::Value* VectorEmitter::matrix(llvm::Value* even, llvm::Value* odd) {
  using kernel::kMatrixSize;
  auto first = picked_.find(even);
  auto second = picked_.find(odd);
  bool is_one_load = first != picked_.end() && second != picked_.end() &&
                     first->second.elements == second->second.elements;
  if (!is_one_load) return CrossLaneEmitter(builder_, mask_).to_matrix(even, odd);
  std::vector<int> places(size_t{kMatrixSize} * kMatrixSize);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned place = kernel::matrix_row(lane) * kMatrixSize + kernel::matrix_column(lane);
    places[place] = first->second.places[lane];
    places[place + 1] = second->second.places[lane];
  }
  llvm::Value* elements = first->second.elements;
  if (is_identity(places, elements)) return elements;
  return builder_.CreateShuffleVector(elements, places);
}

void VectorEmitter::emit_matrix_product(llvm::CallInst& call) {
  std::array<llvm::Value*, 3> matrices;
  for (unsigned i = 0; i < matrices.size(); ++i) {
    matrices[i] = matrix(vector(call.getArgOperand(2 * i)), vector(call.getArgOperand(2 * i + 1)));
  }
  std::array<llvm::Value*, 2> product =
      CrossLaneEmitter(builder_, mask_).multiply_accumulate(matrices);
  llvm::Value* pair = llvm::PoisonValue::get(builder_.lane_type(call.getType()));
  for (unsigned i = 0; i < 2; ++i) pair = builder_.CreateInsertValue(pair, product[i], i);
  define(call, pair);
}

}  // namespace assay::codegen
