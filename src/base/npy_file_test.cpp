#include "base/npy_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace assay::base {
namespace {

// An .npy file put together by hand, so that the writer's mistakes cannot hide the reader's.
std::vector<std::byte> make_file(std::string_view dict, std::string_view data, int version = 1) {
  std::string text("\x93NUMPY");
  text += static_cast<char>(version);
  text += '\0';
  const size_t length = dict.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    text += static_cast<char>((length >> (8 * i)) & 0xff);
  }
  text += dict;
  text += data;
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string error_of(const std::vector<std::byte>& file) {
  const Result<NpyArray> array = parse_npy(file, "x.npy");
  return array ? "no error" : array.error().message;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(NpyFile, reads_versions_one_to_three) {
  for (int version = 1; version <= 3; ++version) {
    const auto array =
        parse_npy(make_file("{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }  \n",
                            "abcdef", version),
                  "x.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, NpyType::kInt16);
    EXPECT_EQ(array->shape, std::vector<uint64_t>{3});
    EXPECT_EQ(array->data, bytes_of("abcdef"));
  }
  EXPECT_EQ(error_of(make_file("{}", "", 4)).find("[npy] x.npy: version 4 of the file format"), 0u);
}

TEST(NpyFile, reads_keys_in_any_order_and_both_quotes) {
  const auto array = parse_npy(
      make_file("{\"shape\":(2,3),'fortran_order':False,\"descr\":\"|u1\"}", "abcdef"), "");
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->type, NpyType::kUint8);
  EXPECT_EQ(array->shape, (std::vector<uint64_t>{2, 3}));
}

TEST(NpyFile, reads_single_values_and_empty_arrays) {
  const auto single =
      parse_npy(make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "abcd"), "");
  ASSERT_TRUE(single);
  EXPECT_TRUE(single->shape.empty());
  EXPECT_EQ(single->data.size(), 4u);

  const auto empty = parse_npy(
      make_file(
          "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999, 99999999999), }", ""),
      "");
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_TRUE(empty->data.empty());
}

TEST(NpyFile, says_how_to_convert_what_it_does_not_read) {
  const auto dict = [](std::string_view code, std::string_view order, std::string_view shape) {
    return make_file("{'descr': " + std::string(code) + ", 'fortran_order': " + std::string(order) +
                         ", 'shape': " + std::string(shape) + ", }",
                     std::string(64, 'x'));
  };
  EXPECT_EQ(error_of(dict("'>f4'", "False", "(2,)")),
            "[npy] x.npy: the data is big-endian ('>f4'); save it with x.astype('<f4')");
  EXPECT_EQ(error_of(dict("'<f4'", "True", "(2, 3)")),
            "[npy] x.npy: the data is in Fortran order; save it with numpy.ascontiguousarray(x)");
  EXPECT_EQ(error_of(dict("'<f4'", "True", "(2,)")), "no error") << "one axis has only one order";
  EXPECT_EQ(error_of(dict("'<c16'", "False", "(2,)")),
            "[npy] x.npy: dtype '<c16' is not supported; convert the array with x.astype(…) to one "
            "of: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, "
            "float64, complex64");
  EXPECT_NE(error_of(dict("[('a', '<f4'), ('b', '<i4')]", "False", "(2,)"))
                .find("dtype '[('a', '<f4'), ('b', '<i4')]' is not supported"),
            std::string::npos);
}

TEST(NpyFile, reports_files_that_end_too_early) {
  const auto whole = make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
                               std::string(24, 'x'));
  EXPECT_EQ(error_of(whole), "no error");
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(error_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}),
              "no error")
        << length;
  }
  auto one_less = whole;
  one_less.pop_back();
  EXPECT_EQ(
      error_of(one_less),
      "[npy] x.npy: the file is truncated: shape (2, 3) of float32 needs 24 bytes, but 23 are "
      "there; save the array again");
}

TEST(NpyFile, refuses_damaged_headers) {
  for (const char* dict :
       {"", "{", "{}", "[]", "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': '1'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}"}) {
    EXPECT_EQ(error_of(make_file(dict, "xxxxxxxx")),
              "[npy] x.npy: the header is damaged; save the array again with numpy.save")
        << dict;
  }
  EXPECT_NE(error_of(make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, "
                               "4294967296, 4294967296)}",
                               "x"))
                .find("needs more than 2^63 bytes"),
            std::string::npos);
  EXPECT_NE(error_of(make_file(std::string(1 << 21, ' '), "", 2)).find("the header claims 2097152"),
            std::string::npos);
}

TEST(NpyFile, writes_every_type_so_that_it_reads_back) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "npy_file_test_round_trip.npy";
  for (const NpyTypeInfo& info : npy_types()) {
    for (const std::vector<uint64_t>& shape :
         {std::vector<uint64_t>{}, {7}, {3, 5}, {2, 0, 4}, {1, 1, 1, 1, 3}}) {
      std::vector<std::byte> data(*npy_data_bytes(info.type, shape));
      for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 37 + 11);
      ASSERT_TRUE(save_npy(path, info.type, shape, data));
      const Result<NpyArray> array = load_npy(path);
      ASSERT_TRUE(array) << array.error().message;
      EXPECT_EQ(array->type, info.type);
      EXPECT_EQ(array->shape, shape);
      EXPECT_EQ(array->data, data);
    }
  }
  std::filesystem::remove(path);
}

TEST(NpyFile, reads_and_writes_bfloat16_as_pieces_of_two_bytes) {
  for (const char* code : {"|V2", "<V2"}) {
    const auto array = parse_npy(
        make_file("{'descr': '" + std::string(code) + "', 'fortran_order': False, 'shape': (2,), }",
                  "abcd"),
        "x.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type, NpyType::kBfloat16);
    EXPECT_EQ(array->data, bytes_of("abcd"));
  }
  EXPECT_NE(error_of(make_file("{'descr': '|V4', 'fortran_order': False, 'shape': (1,), }", "abcd"))
                .find("dtype '|V4' is not supported"),
            std::string::npos);
  const std::string header = npy_header(NpyType::kBfloat16, std::vector<uint64_t>{2});
  EXPECT_NE(header.find("'descr': '<V2'"), std::string::npos);
}

TEST(NpyFile, writes_the_header_numpy_writes) {
  const std::string header = npy_header(NpyType::kFloat32, std::vector<uint64_t>{5});
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_EQ(header.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(header.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }  ");
  EXPECT_EQ(header.back(), '\n');
}

TEST(NpyFile, reports_files_that_cannot_be_opened_or_written) {
  EXPECT_EQ(load_npy("/nowhere/x.npy").error().message,
            "[npy] /nowhere/x.npy: cannot open the file: No such file or directory");
  EXPECT_EQ(load_npy("/").error().message, "[npy] /: this is a folder; give an .npy file");
  EXPECT_EQ(
      save_npy("/nowhere/x.npy", NpyType::kInt8, {}, std::vector<std::byte>(1)).error().message,
      "[npy] /nowhere/x.npy: cannot write the file: No such file or directory");
}

}  // namespace
}  // namespace assay::base
