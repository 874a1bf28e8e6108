// A report with one finding of each shape, for the tests of all forms.
#pragma once

#include "sanitizer/report/check_report.h"

namespace assay::sanitizer::testing {

inline Finding sample_race() {
  return {.rule = "race-threadgroup",
          .severity = Severity::kError,
          .kernel = "blur",
          .label = "blur rows",
          .message = "reads 'tile' while another thread of the threadgroup writes it",
          .place = {"kernels/blur.metal", 14, 16, "  float left = tile[lid - 1];"},
          .related = {{.message = "written here without a barrier in between",
                       .place = {"kernels/blur.metal", 12, 3, "  tile[lid] = input[gid];"},
                       .thread = ThreadPlace{{2, 0, 0}, {31, 0, 0}, {159, 0, 0}}}},
          .thread = ThreadPlace{{2, 0, 0}, {32, 0, 0}, {160, 0, 0}},
          .memory = MemoryPlace{.space = "threadgroup",
                                .name = "tile",
                                .array = "",
                                .type = "float32",
                                .element_bytes = 4,
                                .offset = 124,
                                .bytes = 4,
                                .object_bytes = 256,
                                .shape = {},
                                .strides = {}},
          .call_site = "blur.py:12 in main",
          .fix = "put threadgroup_barrier(mem_flags::mem_threadgroup) between lines 12 and 14",
          .occurrences = 4096,
          .command = 3};
}

inline Finding sample_bounds() {
  return {.rule = "bounds-read",
          .severity = Severity::kError,
          .kernel = "row_sum",
          .label = "",
          .message = "reads 4 bytes behind the end of 'input'",
          .place = {"/work/other/sums é.h", 7, 21, "\ttotal += \"é\"[0] + input[row * n + i];"},
          .related = {{.message = "called from here",
                       .place = {"kernels/row_sum.metal", 21, 0, "  out[row] = sum_row(input);"}}},
          .thread = ThreadPlace{{9, 0, 0}, {0, 0, 0}, {9, 0, 0}},
          .memory = MemoryPlace{.space = "device",
                                .name = "input",
                                .array = "weights",
                                .type = "float32",
                                .element_bytes = 4,
                                .offset = 4000,
                                .bytes = 4,
                                .object_bytes = 4000,
                                .shape = {10, 100},
                                .strides = {100, 1}},
          .call_site = "",
          .fix = "compare the index with the size: if (i < n)",
          .occurrences = 1,
          .command = 1};
}

// Nothing known about places; texts that other forms have to escape.
inline Finding sample_bare() {
  return {.rule = "not-finite",
          .severity = Severity::kWarning,
          .kernel = "scale<float>",
          .label = "",
          .message = "x / y && \"z\" > 0 gives NaN\x1b[31m",
          .place = {},
          .related = {},
          .thread = {},
          .memory = {},
          .call_site = "",
          .fix = "",
          .occurrences = 2,
          .command = 0};
}

inline Finding sample_note() {
  return {.rule = "race-same-value",
          .severity = Severity::kNote,
          .kernel = "flag",
          .label = "",
          .message = "several threads write 1 to 'found'",
          .place = {"source", 5, 1, "found[5] = 1;", ProgramPlace{"search.py", 31, 13}},
          .related = {},
          .thread = ThreadPlace{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
          .memory = MemoryPlace{.space = "device",
                                .name = "found",
                                .array = "",
                                .type = "uint32",
                                .element_bytes = 4,
                                .offset = 20,
                                .bytes = 4,
                                .object_bytes = 48,
                                .shape = {3, 4},
                                .strides = {}},
          .call_site = "",
          .fix = "let one thread write it",
          .occurrences = 1,
          .command = 2};
}

inline CheckReport sample_report() {
  return {
      .findings = {sample_race(), sample_bounds(), sample_bare(), sample_note()},
      .kernels = {{"row_sum", 1}, {"flag", 1}, {"blur", 1}, {"scale<float>", 9}, {"axpy", 1000}},
      .suppressed = 2,
      .left_out = 0,
      .unused_suppressions = {"suppressions.txt:3: race-device:blur"},
      .warnings = {}};
}

}  // namespace assay::sanitizer::testing
