#include "cli/bind_arguments.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "device/cpu/cpu_device.h"

namespace assay::cli {
namespace {

using kernel::Access;
using kernel::AddressSpace;
using kernel::Argument;
using kernel::ArgumentKind;

Argument pointer(std::string name, uint32_t slot, std::string type, Access access) {
  Argument argument;
  argument.name = std::move(name);
  argument.slot = slot;
  argument.type = std::move(type);
  argument.access = access;
  argument.element_bytes = 4;
  return argument;
}

Argument reference(std::string name, uint32_t slot, std::string type, uint64_t bytes) {
  Argument argument = pointer(std::move(name), slot, std::move(type), Access::kRead);
  argument.address_space = AddressSpace::kConstant;
  argument.is_reference = true;
  argument.element_bytes = bytes;
  return argument;
}

Argument threadgroup(std::string name, uint32_t slot) {
  Argument argument = pointer(std::move(name), slot, "threadgroup float*", Access::kReadWrite);
  argument.kind = ArgumentKind::kThreadgroupMemory;
  argument.address_space = AddressSpace::kThreadgroup;
  return argument;
}

class BindArguments : public testing::Test {
 protected:
  BindArguments() : device_(*device::cpu::CpuDevice::create()) {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  ~BindArguments() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, base::NpyType type, std::vector<uint64_t> shape) {
    const std::vector<std::byte> data(*base::npy_data_bytes(type, shape), std::byte{1});
    const std::filesystem::path path = folder_ / name;
    EXPECT_TRUE(base::save_npy(path, type, shape, data));
    return path.string();
  }

  Result<BoundArguments> bind(std::vector<Argument> slots, const std::vector<std::string>& texts) {
    kernel::KernelInfo info;
    info.name = "k";
    info.arguments = std::move(slots);
    std::vector<LaunchArgument> given;
    for (const std::string& text : texts) given.push_back(*parse_launch_argument(text));
    return bind_arguments(info, given, *device_);
  }

  std::string error_of(std::vector<Argument> slots, const std::vector<std::string>& texts) {
    const Result<BoundArguments> bound = bind(std::move(slots), texts);
    return bound ? "no error" : bound.error().message;
  }

  std::shared_ptr<device::Device> device_;
  std::filesystem::path folder_;
};

TEST_F(BindArguments, fills_slots_in_their_order_whatever_the_order_of_parameters) {
  const auto bound =
      bind({pointer("y", 5, "device float*", Access::kWrite), threadgroup("tile", 0),
            pointer("x", 2, "const device float*", Access::kRead)},
           {file("x.npy", base::NpyType::kFloat32, {3}), "threadgroup:100", "out:float32[7]"});
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->bindings.find_buffer_or_bytes(2)->bytes, 12u);
  EXPECT_EQ(bound->bindings.find_buffer_or_bytes(5)->bytes, 28u);
  EXPECT_EQ(bound->bindings.find_threadgroup_memory(0)->bytes, 112u);
  ASSERT_EQ(bound->outputs.size(), 1u);
  EXPECT_EQ(bound->outputs[0].name, "y");
  EXPECT_EQ(bound->traffic_bytes, 12u + 28u);
  EXPECT_TRUE(bound->notes.empty());
}

TEST_F(BindArguments, counts_arrays_that_are_read_and_written_twice) {
  const auto bound = bind({pointer("x", 0, "device float*", Access::kReadWrite),
                           pointer("unused", 1, "device float*", Access::kNone)},
                          {"out:float32[10]", "out:float32[10]"});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->traffic_bytes, 80u);
}

TEST_F(BindArguments, lists_the_slots_when_the_count_is_wrong) {
  EXPECT_EQ(error_of({pointer("x", 0, "const device float*", Access::kRead),
                      reference("n", 1, "constant uint&", 4)},
                     {"uint:5"}),
            "kernel 'k' takes 2 buffer arguments, but 1 is given; give, in this order:\n"
            "  FILE.npy    buffer(0) const device float* x\n"
            "  uint:VALUE  buffer(1) constant uint& n");
  EXPECT_EQ(error_of({threadgroup("tile", 0)}, {}),
            "kernel 'k' takes 1 threadgroup argument, but 0 are given; give, in this order:\n"
            "  threadgroup:BYTES  threadgroup(0) threadgroup float* tile");
  EXPECT_EQ(error_of({}, {"uint:5"}),
            "kernel 'k' takes 0 buffer arguments, but 1 is given; remove them");
}

TEST_F(BindArguments, lets_absent_arguments_be_empty_or_left_out) {
  Argument mask = pointer("mask", 1, "const device float*", Access::kRead);
  mask.present_if = "has_mask";
  const std::vector<Argument> slots = {reference("n", 0, "constant uint&", 4), mask,
                                       reference("m", 2, "constant uint&", 4)};
  for (const std::vector<std::string>& texts :
       {std::vector<std::string>{"uint:1", "-", "uint:2"}, {"uint:1", "uint:2"}}) {
    const auto bound = bind(slots, texts);
    ASSERT_TRUE(bound) << bound.error().message;
    EXPECT_EQ(bound->bindings.find_buffer_or_bytes(1), nullptr);
    EXPECT_NE(bound->bindings.find_buffer_or_bytes(2), nullptr);
  }
  EXPECT_EQ(error_of(slots, {"-", "-", "uint:2"}),
            "argument 'n' (buffer(0), constant uint&) cannot be left empty; give uint:VALUE");
}

TEST_F(BindArguments, refuses_elements_of_another_size) {
  const std::string name = file("x.npy", base::NpyType::kFloat64, {3});
  EXPECT_EQ(
      error_of({pointer("x", 0, "const device float*", Access::kRead)}, {name}),
      "'" + name +
          "' holds float64 (8 bytes each), but argument 'x' (buffer(0), const device float*) "
          "has elements of 4 bytes; x.astype('float32') converts the values, x.view('float32') "
          "takes the bytes as they are");
  EXPECT_EQ(error_of({pointer("x", 0, "const device float2*", Access::kRead)},
                     {file("c.npy", base::NpyType::kComplex64, {3})}),
            "no error")
      << "a complex64 is a float2";
}

TEST_F(BindArguments, notes_bits_that_are_taken_as_another_kind) {
  const auto notes = [&](const char* argument_type, base::NpyType type) {
    return bind({pointer("x", 0, argument_type, Access::kRead)}, {file("x.npy", type, {2})})
        ->notes.size();
  };
  EXPECT_EQ(notes("const device float*", base::NpyType::kInt32), 1u);
  EXPECT_EQ(notes("const device int*", base::NpyType::kFloat32), 1u);
  EXPECT_EQ(notes("const device bfloat*", base::NpyType::kFloat16), 1u);
  EXPECT_EQ(notes("const device bfloat*", base::NpyType::kUint16), 0u);
  EXPECT_EQ(notes("const device bfloat*", base::NpyType::kBfloat16), 0u);
  EXPECT_EQ(notes("const device half*", base::NpyType::kBfloat16), 1u);
  EXPECT_EQ(notes("const device half*", base::NpyType::kFloat16), 0u);
  EXPECT_EQ(notes("const device uint*", base::NpyType::kInt32), 0u);
  EXPECT_EQ(notes("const device Body*", base::NpyType::kFloat64), 0u);
}

TEST_F(BindArguments, refuses_values_of_another_type) {
  const std::vector<Argument> count = {reference("n", 0, "constant uint&", 4)};
  EXPECT_EQ(error_of(count, {"uint:5"}), "no error");
  EXPECT_EQ(error_of(count, {"int:5"}), "no error");
  EXPECT_EQ(error_of(count, {"bytes:05000000"}), "no error");
  EXPECT_EQ(error_of(count, {"float:5"}),
            "'float:5' does not fit argument 'n' (buffer(0), constant uint&); write uint:…");
  EXPECT_EQ(error_of(count, {"ulong:5"}),
            "'ulong:5' does not fit argument 'n' (buffer(0), constant uint&); write uint:…");
  EXPECT_EQ(error_of({reference("x", 0, "constant half&", 2)}, {"bfloat:1"}),
            "'bfloat:1' does not fit argument 'x' (buffer(0), constant half&); write half:…");
  EXPECT_EQ(
      error_of({reference("p", 0, "constant Params&", 12)}, {"uint:5"}),
      "'uint:5' has 4 bytes, but argument 'p' (buffer(0), constant Params&) takes 12; give all "
      "of them with bytes:HEX");
}

TEST_F(BindArguments, keeps_inputs_and_outputs_apart) {
  EXPECT_EQ(
      error_of({pointer("x", 0, "const device float*", Access::kRead)}, {"out:float32[3]"}),
      "argument 'x' (buffer(0), const device float*) is only read, so it cannot be an output; "
      "give FILE.npy");
  const std::string name = file("x.npy", base::NpyType::kFloat32, {3});
  const auto dropped = bind({pointer("y", 0, "device float*", Access::kWrite)}, {name});
  ASSERT_TRUE(dropped);
  ASSERT_EQ(dropped->notes.size(), 1u);
  EXPECT_EQ(dropped->notes[0],
            "the kernel writes argument 'y' (buffer(0), device float*), but "
            "nothing keeps it; use inout:" +
                name + "=RESULT.npy to store the result");
}

}  // namespace
}  // namespace assay::cli
