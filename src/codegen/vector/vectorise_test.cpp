// What becomes of loads, branches, loops and private memory, read off the IR.
#include "codegen/vector/vectorise.h"

#include <gtest/gtest.h>

#include "codegen/testing/build_text.h"
#include "fmt/format.h"

namespace assay::codegen {
namespace {

using kernel::ExecutionForm;
using testing::attribute;
using testing::buffer;
using testing::kernel_info;

BuildOptions vector_options(bool is_checked = false) {
  BuildOptions options = testing::checked_options();
  options.checked = is_checked;
  options.executor = kernel::Executor::kVector;
  options.cpu = "x86-64-v4";
  options.keep_ir = true;
  return options;
}

BuildOutput build_vector(const std::string& body, const std::string& declarations = "",
                         const BuildOptions& options = vector_options()) {
  return testing::build(declarations + "define void @k(ptr %x, ptr %y, i32 %i) {\n" + body + "}",
                        kernel_info({buffer("x", 0), buffer("y", 1),
                                     attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}),
                        options);
}

bool has(const BuildOutput& output, const std::string& text) {
  return output.ir.find(text) != std::string::npos;
}

size_t count(const BuildOutput& output, const std::string& text) {
  size_t count = 0;
  for (size_t at = 0; (at = output.ir.find(text, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(Vectorise, reads_neighbours_with_one_load) {
  BuildOutput output = build_vector(R"(
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %w
  store float %v, ptr %q
  ret void
)");
  EXPECT_EQ(output.image.executor, kernel::Executor::kVector);
  EXPECT_EQ(output.image.form, ExecutionForm::kPlain);
  EXPECT_TRUE(has(output, "load <32 x float>")) << output.ir;
  EXPECT_TRUE(has(output, "store <32 x float>")) << output.ir;
  EXPECT_FALSE(has(output, "gather")) << output.ir;
}

// `length` divisions, which advance `values` numbers in turn.
std::string long_computation(unsigned length, unsigned values) {
  std::string body = R"(
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %first = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %w
)";
  std::vector<std::string> last;
  for (unsigned value = 0; value < values; ++value) {
    last.push_back("%start" + std::to_string(value));
    body += fmt::format("{} = fmul float %first, {}.5\n", last.back(), value + 2);
  }
  for (unsigned step = 0; step < length; ++step) {
    std::string& value = last[step % values];
    body += fmt::format("%step{} = fdiv float {}, %first\n", step, value);
    value = fmt::format("%step{}", step);
  }
  std::string sum = "%first";
  for (unsigned value = 0; value < values; ++value) {
    body += fmt::format("%sum{} = fadd float {}, {}\n", value, sum, last[value]);
    sum = fmt::format("%sum{}", value);
  }
  return body + fmt::format("store float {}, ptr %q\n", sum);
}

// The code of one thread that does `body` if its number is below the first of y.
std::string guarded(const std::string& body) {
  return "%n = load i32, ptr %y\n%is_there = icmp ult i32 %i, %n\n"
         "br i1 %is_there, label %work, label %end\nwork:\n" +
         body + "br label %end\nend:\nret void\n";
}

// What rows keep from one stage to the next.
constexpr char kKept[] = "alloca [32 x { {";

TEST(Vectorise, cuts_long_computations_into_stages) {
  EXPECT_TRUE(has(build_vector(long_computation(50, 2) + "ret void\n"), kKept));
  EXPECT_FALSE(has(build_vector(long_computation(10, 2) + "ret void\n"), kKept)) << "short";
  EXPECT_FALSE(has(build_vector(long_computation(50, 12) + "ret void\n"), kKept)) << "much is kept";
}

TEST(Vectorise, cuts_computations_that_only_some_threads_come_to) {
  EXPECT_TRUE(has(build_vector(guarded(long_computation(50, 2))), kKept));
}

TEST(Vectorise, cuts_nothing_where_rows_may_wait_for_each_other) {
  EXPECT_FALSE(has(build_vector(long_computation(50, 2) +
                                    "call void @assay.barrier.threadgroup(i32 1)\nret void\n",
                                "declare void @assay.barrier.threadgroup(i32)\n"),
                   kKept));
  EXPECT_FALSE(has(build_vector("%old = atomicrmw add ptr %y, i32 1 monotonic\n" +
                                long_computation(50, 2) + "ret void\n"),
                   kKept));
}

TEST(Vectorise, cuts_nothing_within_loops) {
  EXPECT_FALSE(has(build_vector("%n = load i32, ptr %y\nbr label %loop\nloop:\n"
                                "%k = phi i32 [0, %0], [%next, %loop]\n" +
                                long_computation(50, 2) +
                                "%next = add i32 %k, 1\n%more = icmp ult i32 %next, %n\n"
                                "br i1 %more, label %loop, label %end\nend:\nret void\n"),
                   kKept));
}

TEST(Vectorise, needs_no_masks_behind_a_guard_that_a_whole_row_passes) {
  const std::string twice = R"(
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %d = fadd float %v, %v
  store float %d, ptr %p
)";
  EXPECT_TRUE(has(build_vector(guarded(twice)), "load <32 x float>"));
  // Nothing may be done twice.
  EXPECT_FALSE(
      has(build_vector("store float 0.0, ptr %x\n" + guarded(twice)), "load <32 x float>"));
}

TEST(Vectorise, looks_for_rows_in_checked_code_that_does_not_trust_indices) {
  const std::string body = R"(
  %n = load i32, ptr %y
  %k = add i32 %i, %n
  %w = zext i32 %k to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %u = fadd float %v, 1.0
  store float %u, ptr %p
  ret void
)";
  BuildOutput output = build_vector(body, "", vector_options(/*is_checked=*/true));
  EXPECT_TRUE(has(output, "call <32 x float> @llvm.masked.load")) << output.ir;
  EXPECT_TRUE(has(output, "call <32 x float> @llvm.masked.gather"));
  EXPECT_TRUE(has(output, "call void @llvm.masked.store"));
  EXPECT_TRUE(has(output, "call void @llvm.masked.scatter"));
  EXPECT_FALSE(has(build_vector(body), "masked.gather")) << "trusted, it is a row";
}

TEST(Vectorise, takes_sums_that_start_without_a_value) {
  BuildOutput output = build_vector(R"(
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ undef, %0 ], [ %more, %loop ]
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load volatile float, ptr %p
  %more = fadd float %sum, %v
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr float, ptr %y, i64 %w
  store float %more, ptr %q
  ret void
)",
                                    "", vector_options(/*is_checked=*/true));
  EXPECT_EQ(output.image.executor, kernel::Executor::kVector) << output.image.fallback_reason;
}

TEST(Vectorise, may_write_results_around_the_caches_if_nobody_reads_them) {
  const std::string addresses = R"(
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %w
)";
  EXPECT_TRUE(has(build_vector(addresses + "store float %v, ptr %q\nret void\n"), "!nontemporal"));
  EXPECT_FALSE(has(build_vector(addresses + "%u = fadd float %v, 1.0\n"
                                            "store float %u, ptr %p\nret void\n"),
                   "!nontemporal"));
  // Another threadgroup may wait for the atomic, and then read the result.
  EXPECT_FALSE(has(build_vector(addresses + "store float %v, ptr %q\n"
                                            "store atomic i32 1, ptr %x monotonic, align 4\n"
                                            "ret void\n"),
                   "!nontemporal"));
}

TEST(Vectorise, reads_ahead_where_groups_sweep_through_a_buffer) {
  const std::string sweep = R"(
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %p2 = getelementptr float, ptr %p, i64 1
  %v2 = load float, ptr %p2
  %sum = fadd float %v, %v2
  %q = getelementptr float, ptr %y, i64 %w
  store float %sum, ptr %q
)";
  // The 128 bytes of a row once, however many loads look at them.
  EXPECT_EQ(count(build_vector(sweep + "ret void\n"), "call void @llvm.prefetch"), 2u);
  // Some processors see that, unless there is much else to do.
  BuildOptions amd = vector_options();
  amd.cpu = "znver4";
  EXPECT_FALSE(has(build_vector(sweep + "ret void\n", "", amd), "prefetch"));
  EXPECT_TRUE(has(build_vector(long_computation(50, 2) + "ret void\n", "", amd), "prefetch"));
  // Behind a barrier the first loads of a group are long over.
  EXPECT_FALSE(has(build_vector(sweep + "call void @assay.barrier.threadgroup(i32 1)\nret void\n",
                                "declare void @assay.barrier.threadgroup(i32)\n"),
                   "prefetch"));
}

TEST(Vectorise, reads_ahead_where_threads_share_a_loop) {
  auto loop = [](const std::string& first, const std::string& step) {
    return build_vector(R"(
  %n = load i32, ptr %y
  br label %loop
loop:
  %at = phi i32 [ )" + first +
                        R"(, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %place = add i32 %at, )" +
                        step + R"(
  %w = zext i32 %place to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %p2 = getelementptr float, ptr %p, i64 1
  %v2 = load float, ptr %p2
  %both = fadd float %v, %v2
  %more = fadd float %sum, %both
  %next = add i32 %at, 1024
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr float, ptr %y, i32 %i
  store float %more, ptr %q
  ret void
)");
  };
  // A row of the first load, for each of the buffer's loads.
  const BuildOutput shared = loop("%i", "5");
  EXPECT_EQ(count(shared, "call void @llvm.prefetch"), 2u);
  EXPECT_TRUE(has(shared, "i64 32768"));
  // Every thread goes through the same rows: the processor sees that.
  EXPECT_FALSE(has(loop("0", "%i"), "prefetch"));
}

TEST(Vectorise, reads_ahead_where_threadgroups_bring_tiles) {
  auto bring = [](const std::string& more) {
    return build_vector(R"(
  %tile = call ptr @assay.threadgroup.memory(i32 0, i64 4096, i64 4)
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %is_inside = icmp ult i32 %i, 1000
  br i1 %is_inside, label %inside, label %ready
inside:
  %v = load float, ptr %p
  br label %ready
ready:
  %value = phi float [ %v, %inside ], [ 0.0, %0 ]
  %t = getelementptr float, ptr %tile, i64 %w
  store float %value, ptr %t
  call void @assay.barrier.threadgroup(i32 2)
  %from = xor i64 %w, 5
  %t2 = getelementptr float, ptr %tile, i64 %from
  %r = load float, ptr %t2
  %q = getelementptr float, ptr %y, i64 %w
  store float )" + more + R"(, ptr %q
  ret void
)",
                        "declare ptr @assay.threadgroup.memory(i32, i64, i64)\n"
                        "declare void @assay.barrier.threadgroup(i32)\n");
  };
  const BuildOutput tile = bring("%r");
  EXPECT_EQ(count(tile, "call void @llvm.prefetch"), 2u);
  EXPECT_TRUE(has(tile, "i64 512"));
  EXPECT_FALSE(has(bring("%value"), "prefetch")) << "not only for the tile";
}

TEST(Vectorise, reads_a_common_address_once) {
  BuildOutput output = build_vector(R"(
  %n = load i32, ptr %x
  %w = zext i32 %i to i64
  %q = getelementptr i32, ptr %y, i64 %w
  store i32 %n, ptr %q
  ret void
)");
  EXPECT_FALSE(has(output, "masked.load")) << output.ir;
  EXPECT_FALSE(has(output, "gather")) << output.ir;
}

TEST(Vectorise, reads_elements_a_constant_distance_apart_without_gathers) {
  for (const char* type : {"[3 x float]", "[33 x float]"}) {
    BuildOutput output = build_vector(std::string(R"(
  %w = zext i32 %i to i64
  %p = getelementptr )") + type + R"(, ptr %x, i64 %w
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %w
  store float %v, ptr %q
  ret void
)");
    // The version for the end of a row has one, as it may lack lanes.
    size_t first = output.ir.find("call <32 x float> @llvm.masked.gather");
    EXPECT_EQ(output.ir.find("call <32 x float> @llvm.masked.gather", first + 1), std::string::npos)
        << output.ir;
  }
}

TEST(Vectorise, uses_no_masks_where_all_lanes_meet_again) {
  BuildOutput output = build_vector(R"(
entry:
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %is_odd = trunc i32 %i to i1
  br i1 %is_odd, label %odd, label %done
odd:
  store volatile float 1.0, ptr %p
  br label %done
done:
  %q = getelementptr [4 x float], ptr %y, i64 %w
  store float %v, ptr %q
  ret void
)");
  // Only the version for the end of a row scatters.
  size_t first = output.ir.find("call void @llvm.masked.scatter");
  EXPECT_EQ(output.ir.find("call void @llvm.masked.scatter", first + 1), std::string::npos)
      << output.ir;
}

TEST(Vectorise, keeps_loops_of_all_lanes_scalar) {
  BuildOutput output = build_vector(R"(
entry:
  %n = load i32, ptr %x
  br label %for.cond
for.cond:
  %j = phi i32 [0, %entry], [%j1, %for.body]
  %more = icmp ult i32 %j, %n
  br i1 %more, label %for.body, label %for.end
for.body:
  %at = add i32 %i, %j
  %w = zext i32 %at to i64
  %q = getelementptr i32, ptr %y, i64 %w
  store volatile i32 %j, ptr %x
  store i32 %j, ptr %q
  %j1 = add i32 %j, 1
  br label %for.cond
for.end:
  ret void
)");
  EXPECT_FALSE(has(output, "phi <32 x")) << output.ir;
}

TEST(Vectorise, interleaves_private_arrays) {
  BuildOutput output = build_vector(R"(
  %a = alloca [8 x float]
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %n = load i64, ptr %y
  %k = and i64 %n, 7
  %e = getelementptr [8 x float], ptr %a, i64 0, i64 %k
  store float %v, ptr %e
  %m = load float, ptr %a
  store float %m, ptr %p
  ret void
)");
  EXPECT_FALSE(has(output, "gather")) << output.ir;
  EXPECT_FALSE(has(output, "scatter")) << output.ir;
}

TEST(Vectorise, shuffles_in_registers_where_lanes_are_known_from_another_block) {
  BuildOutput output = build_vector(R"(
entry:
  %lane = call i32 @assay.lane()
  %other = xor i32 %lane, 4
  %count = load i32, ptr %x
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %m, %loop ]
  %s = phi i32 [ %i, %entry ], [ %t, %loop ]
  %t = call i32 @assay.simd.shuffle.i32(i32 %s, i32 %other)
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, %count
  br i1 %more, label %loop, label %done
done:
  %w = zext i32 %i to i64
  %q = getelementptr i32, ptr %y, i64 %w
  store i32 %t, ptr %q
  ret void
)",
                                    "declare i32 @assay.lane()\n"
                                    "declare i32 @assay.simd.shuffle.i32(i32, i32)\n");
  EXPECT_EQ(output.image.executor, kernel::Executor::kVector);
  EXPECT_FALSE(has(output, "gather")) << output.ir;
}

TEST(Vectorise, suspends_rows_where_simdgroups_play_no_part) {
  const std::string barrier = "declare void @assay.barrier.threadgroup(i32)\n";
  BuildOutput rows = build_vector(R"(
  %w = zext i32 %i to i64
  %p = getelementptr i32, ptr %x, i64 %w
  store i32 1, ptr %p
  call void @assay.barrier.threadgroup(i32 1)
  store i32 2, ptr %p
  ret void
)",
                                  barrier);
  EXPECT_EQ(rows.image.form, ExecutionForm::kResumableRow);
  BuildOutput simdgroups = build_vector(R"(
  %s = call i32 @assay.simd.ballot(i32 %i)
  call void @assay.barrier.threadgroup(i32 1)
  store i32 %s, ptr %x
  ret void
)",
                                        barrier + "declare i32 @assay.simd.ballot(i32)\n");
  EXPECT_EQ(simdgroups.image.form, ExecutionForm::kResumableSimdgroup);
}

TEST(Vectorise, keeps_a_sum_over_a_barrier_and_not_its_terms) {
  auto vectors_written = [](const std::string& terms) {
    BuildOutput output = build_vector(R"(
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %sum0 = load float, ptr %p
)" + terms + R"(
  call void @assay.barrier.threadgroup(i32 1)
  %q = getelementptr float, ptr %y, i64 %w
  store float %sum, ptr %q
  ret void
)",
                                      "declare void @assay.barrier.threadgroup(i32)\n");
    EXPECT_EQ(output.image.form, ExecutionForm::kResumableRow);
    return count(output, "store <32 x float>");
  };
  size_t one_term = vectors_written("%sum = fadd float %sum0, 1.0");
  EXPECT_GT(one_term, 0u);
  EXPECT_EQ(vectors_written(R"(
  %p1 = getelementptr float, ptr %p, i64 1000
  %v1 = load float, ptr %p1
  %sum1 = fadd float %sum0, %v1
  %p2 = getelementptr float, ptr %p, i64 2000
  %v2 = load float, ptr %p2
  %sum = fadd float %sum1, %v2
)"),
            one_term);
}

TEST(Vectorise, leaves_code_to_the_other_executor_that_takes_too_long_to_build) {
  BuildOptions options = vector_options();
  options.vector_instruction_limit = 100;
  BuildOutput output = build_vector(long_computation(200, 1) + "ret void\n", "", options);
  EXPECT_EQ(output.image.executor, kernel::Executor::kReference);
  EXPECT_EQ(output.image.fallback_reason,
            "its code for 32 threads at once has more than 100 instructions");
}

TEST(Vectorise, leaves_code_that_calls_make_too_long_to_the_other_executor) {
  // Each level calls the next one twice: 2^12 additions.
  std::string functions;
  for (int level = 0; level < 12; ++level) {
    functions += fmt::format(
        "define internal i32 @level{0}(i32 %v) noinline {{\n"
        "  %a = call i32 @level{1}(i32 %v)\n  %b = call i32 @level{1}(i32 %a)\n"
        "  ret i32 %b\n}}\n",
        level, level + 1);
  }
  functions +=
      "define internal i32 @level12(i32 %v) noinline {\n"
      "  %s = mul i32 %v, %v\n  %t = xor i32 %s, 77\n  ret i32 %t\n}\n";
  const std::string body = "  %r = call i32 @level0(i32 %i)\n  store i32 %r, ptr %x\n  ret void\n";
  BuildOptions options = vector_options();
  options.vector_instruction_limit = 1000;
  const BuildOutput output = build_vector(body, functions, options);
  EXPECT_EQ(output.image.executor, kernel::Executor::kReference);
  EXPECT_EQ(output.image.fallback_reason,
            "its code for 32 threads at once has more than 1000 instructions");
  options.vector_instruction_limit = 100'000;
  EXPECT_EQ(build_vector(body, functions, options).image.executor, kernel::Executor::kVector);
}

TEST(Vectorise, says_why_it_falls_back) {
  BuildOutput output = build_vector(R"(
  %f = load ptr, ptr %x
  call void %f(i32 %i)
  ret void
)");
  EXPECT_EQ(output.image.executor, kernel::Executor::kReference);
  EXPECT_EQ(output.image.fallback_reason, "it calls a function through a pointer");
}

TEST(Vectorise, takes_expectations_as_weights_of_branches) {
  BuildOutput output = build_vector(R"(
  %w = zext i32 %i to i64
  %p = getelementptr i32, ptr %x, i64 %w
  %v = load i32, ptr %p
  %large = icmp sgt i32 %v, 1000
  %expected = call i1 @llvm.expect.i1(i1 %large, i1 false)
  br i1 %expected, label %rare, label %end
rare:
  %square = sdiv i32 %v, 7
  %cube = mul i32 %square, %v
  br label %end
end:
  %r = phi i32 [ %v, %0 ], [ %cube, %rare ]
  %q = getelementptr i32, ptr %y, i64 %w
  store i32 %r, ptr %q
  ret void
)",
                                    "declare i1 @llvm.expect.i1(i1, i1)\n");
  EXPECT_FALSE(has(output, "llvm.expect")) << output.ir;
  EXPECT_TRUE(has(output, "branch_weights")) << output.ir;
  EXPECT_FALSE(has(output, "llvm.cttz")) << "a loop over lanes: " << output.ir;
}

TEST(Vectorise, divides_nothing_to_find_where_a_thread_is) {
  BuildOutput output = build_vector(R"(
  %w = zext i32 %i to i64
  %q = getelementptr i32, ptr %y, i64 %w
  store i32 %i, ptr %q
  ret void
)");
  EXPECT_FALSE(has(output, "udiv")) << output.ir;
  EXPECT_FALSE(has(output, "urem")) << output.ir;
}

// A tile of 4 rows of 8 elements, a uniform number of elements apart; each lane has one.
const char kTileAddress[] = R"(
  %lane = call i32 @assay.lane()
  %row = lshr i32 %lane, 3
  %column = and i32 %lane, 7
  %r = zext i32 %row to i64
  %c = zext i32 %column to i64
  %stride = load i64, ptr %x
  %start = mul i64 %r, %stride
  %place = add i64 %start, %c
  %p = getelementptr float, ptr %x, i64 %place
  %w = zext i32 %i to i64
  %q = getelementptr float, ptr %y, i64 %w
)";
const char kLane[] = "declare i32 @assay.lane()\n";

TEST(Vectorise, reads_a_tile_row_by_row) {
  BuildOutput output = build_vector(std::string(kTileAddress) + R"(
  %v = load float, ptr %p
  store float %v, ptr %q
  ret void
)",
                                    kLane);
  EXPECT_TRUE(has(output, "load <8 x float>")) << output.ir;
}

TEST(Vectorise, reads_nothing_between_rows_and_behind_them) {
  // Every other element: a row of 15, whose last neighbour may not exist.
  BuildOutput output = build_vector(R"(
  %lane = call i32 @assay.lane()
  %column = and i32 %lane, 7
  %c = zext i32 %column to i64
  %row = lshr i32 %lane, 3
  %r = zext i32 %row to i64
  %stride = load i64, ptr %x
  %start = mul i64 %r, %stride
  %twice = shl i64 %c, 1
  %place = add i64 %start, %twice
  %p = getelementptr float, ptr %x, i64 %place
  %w = zext i32 %i to i64
  %q = getelementptr float, ptr %y, i64 %w
  %v = load float, ptr %p
  store float %v, ptr %q
  ret void
)",
                                    kLane);
  EXPECT_FALSE(has(output, "load <16 x float>")) << output.ir;
  EXPECT_FALSE(has(output, "load <15 x float>")) << output.ir;
  EXPECT_TRUE(has(output, "gather")) << output.ir;
}

TEST(Vectorise, reads_rows_again_behind_a_write) {
  auto loads = [](const std::string& between) {
    BuildOutput output =
        build_vector(std::string(kTileAddress) + "%v = load float, ptr %p\n" + between + R"(
  %p2 = getelementptr float, ptr %p, i64 0
  %v3 = load float, ptr %p2
  %sum = fadd float %v, %v3
  store float %sum, ptr %q
  ret void
)",
                     kLane);
    return count(output, "load <8 x float>");
  };
  EXPECT_EQ(loads("store float 1.0, ptr %q"), 2 * loads(""));
}

}  // namespace
}  // namespace assay::codegen
