// See own_elements.h.
#include "codegen/checks/own_elements.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace assay::codegen {
namespace {

using llvm::PatternMatch::m_ConstantInt;

// factor * position + first, modulo 2^32.
struct Line {
  uint64_t factor = 0;
  uint64_t first = 0;
};

constexpr uint64_t kMost = uint64_t{1} << 16;  // of either: products stay far from 2^64

// Whether nobody changes a thread's copy of an argument.
bool is_only_read(const llvm::Value& pointer) {
  return llvm::all_of(pointer.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    return llvm::isa<llvm::GEPOperator>(user) && is_only_read(*user);
  });
}

class PositionLines {
 public:
  explicit PositionLines(const KernelBuild& build) : build_(build) {}

  std::optional<Line> find(const llvm::Value* value) const {
    if (is_position(value)) return Line{.factor = 1};
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    uint64_t number = 0;
    if (!operation || !match(operation->getOperand(1), m_ConstantInt(number)) || number > kMost) {
      return std::nullopt;
    }
    std::optional<Line> line = find(operation->getOperand(0));
    if (!line || !apply(*operation, number, *line)) return std::nullopt;
    if (line->factor > kMost || line->first > kMost) return std::nullopt;
    return line;
  }

 private:
  static bool apply(const llvm::BinaryOperator& operation, uint64_t number, Line& line) {
    auto multiply = [&](uint64_t by) { line = {line.factor * by, line.first * by}; };
    switch (operation.getOpcode()) {
      case llvm::Instruction::Mul: multiply(number); return true;
      case llvm::Instruction::Shl: multiply(number < 32 ? uint64_t{1} << number : 0); return true;
      case llvm::Instruction::Add: line.first += number; return true;
      case llvm::Instruction::Or:
        line.first += number;
        return llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint();
      default: return false;
    }
  }

  // Vectors arrive in memory, x first.
  bool is_position(const llvm::Value* value) const {
    if (!value->getType()->isIntegerTy(32)) return false;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    const auto* argument = llvm::dyn_cast<llvm::Argument>(load ? load->getPointerOperand() : value);
    if (!argument) return false;
    const kernel::Argument& info = build_.info.arguments[argument->getArgNo()];
    if (info.kind != kernel::ArgumentKind::kThreadAttribute ||
        info.attribute != kernel::ThreadAttribute::kThreadPositionInGrid ||
        info.component_bytes != sizeof(uint32_t)) {
      return false;
    }
    return !load || (argument->hasByValAttr() && is_only_read(*argument));
  }

  const KernelBuild& build_;
};

// The one number that an address depends on, and how.
struct Offset {
  const llvm::Value* index = nullptr;
  llvm::APInt scale;
  llvm::APInt start = llvm::APInt(64, 0);
};

std::optional<Offset> find_offset(const llvm::DataLayout& layout, const llvm::Value* pointer,
                                  const llvm::Value* base) {
  llvm::MapVector<llvm::Value*, llvm::APInt> variables;
  Offset offset;
  while (pointer != base) {
    const auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (!address || !address->collectOffset(layout, 64, variables, offset.start)) {
      return std::nullopt;
    }
    pointer = address->getPointerOperand();
  }
  if (variables.size() != 1) return std::nullopt;
  offset.index = variables.front().first;
  offset.scale = variables.front().second;
  return offset;
}

}  // namespace

uint64_t find_own_bytes(const KernelBuild& build, const llvm::Value* pointer,
                        const MemoryObject& object, uint64_t bytes) {
  if (object.memory != kernel::SiteMemory::kBuffer || !object.start) return 0;
  const std::optional<Offset> offset =
      find_offset(build.module.getDataLayout(), pointer, object.start);
  if (!offset || offset->scale.ugt(kMost) || offset->start.ugt(kMost)) return 0;
  const llvm::Value* index = offset->index;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(index)) {
    index = llvm::cast<llvm::CastInst>(index)->getOperand(0);
  }
  const std::optional<Line> line = PositionLines(build).find(index);
  if (!line) return 0;
  const uint64_t scale = offset->scale.getZExtValue();
  const uint64_t own_bytes = line->factor * scale;
  const uint64_t begin = line->first * scale + offset->start.getZExtValue();
  return begin + bytes <= own_bytes ? own_bytes : 0;
}

}  // namespace assay::codegen
