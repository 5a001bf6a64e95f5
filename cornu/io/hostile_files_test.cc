/// Tests of small files that claim large contents: time and memory must be proportional to the file's size.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/io/csv.h"
#include "cornu/io/file.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/npz.h"
#include "cornu/io/safetensors.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::io {
namespace {

std::string number(std::uint64_t value, std::size_t size = 8) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

/// Parts of HDF5 files. The root's object header is at 96.
namespace h5 {

constexpr std::uint64_t kRoot = 96, kGroupSize = 16 + 8 + 16;

std::string begin() {
  return std::string("\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0\x04\0\x10\0\0\0\0\0", 24) + number(0) +
         number(~std::uint64_t{0}) + number(0) + number(~std::uint64_t{0}) + number(0) + number(kRoot) +
         std::string(24, '\0');
}
std::string message(int type, const std::string& body) {
  return number(static_cast<std::uint64_t>(type), 2) + number(body.size(), 2) + std::string(4, '\0') + body;
}
std::string header(int num_messages, const std::string& messages) {
  return std::string("\1\0", 2) + number(static_cast<std::uint64_t>(num_messages), 2) + number(1, 4) +
         number(messages.size(), 4) + std::string(4, '\0') + messages;
}
std::string group(std::uint64_t tree, std::uint64_t heap) {
  return header(1, message(0x11, number(tree) + number(heap)));
}
std::string heap(std::uint64_t size, std::uint64_t data) {
  return "HEAP" + std::string(4, '\0') + number(size) + number(0) + number(data);
}
std::string symbols(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries) {
  std::string text = std::string("SNOD\1\0", 6) + number(entries.size(), 2);
  for (const auto& [name, object] : entries) text += number(name) + number(object) + std::string(24, '\0');
  return text;
}

/// A root with `count` entries, whose names are suffixes of one long text.
std::string names(std::uint64_t count, std::size_t size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
  for (std::uint64_t i = 1; i <= count; ++i) entries.emplace_back(i, kRoot);
  const std::string table = symbols(entries);
  const std::uint64_t tree = kRoot + kGroupSize, heap_at = tree + table.size();
  return begin() + group(tree, heap_at) + table + heap(size, heap_at + 32) + std::string(size - 1, 'A') +
         std::string(24, '\0');
}

/// Nested groups, whose heaps are nearly the whole file.
std::string heaps_in_heaps(int depth, std::size_t size) {
  const std::uint64_t unit = kGroupSize + 32 + 8 + 40,
                      data = kRoot + unit * static_cast<std::uint64_t>(depth);
  std::string text = begin();
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(depth); ++i) {
    const std::uint64_t at = kRoot + unit * i;
    const bool is_last = i + 1 == static_cast<std::uint64_t>(depth);
    text += group(at + kGroupSize + 32, at + kGroupSize) + heap(size - 2 * i, data + 2 * i);
    text += is_last ? symbols({}) + std::string(40, '\0') : symbols({{0, at + unit}});
  }
  for (std::size_t i = 0; i < size / 2; ++i) text += std::string("a\0", 2);
  return text;
}

/// A root with an attribute of `num_texts` texts, in a heap after `num_others` other texts.
std::string texts(std::uint16_t num_texts, int num_others, bool are_there = true) {
  const auto attribute = [&](const std::string& values) {
    return std::string("\1\0\2\0\x10\0\x10\0", 8) + std::string("a\0\0\0\0\0\0\0", 8) + "\x19\1" +
           std::string(2, '\0') + number(16, 4) + std::string("\x13\0\0\0", 4) + number(1, 4) +
           std::string("\1\1\0\0\0\0\0\0", 8) + number(num_texts) + values;
  };
  const std::string entry(16, '\0');
  std::string values;
  for (int i = 0; i < num_texts; ++i) values += entry;
  const std::uint64_t root_size = 16 + 8 + 16 + 8 + attribute(values).size();
  const std::uint64_t heap_at = kRoot + root_size, tree = heap_at + 32, collection = tree + 8 + 8;
  values.clear();
  for (std::uint64_t i = 0; i < num_texts; ++i)
    values += number(1, 4) + number(collection) + number(are_there ? 2 + i : 1000 + num_texts, 4);
  std::string body;
  for (int i = 0; i < num_others; ++i) body += number(1, 2) + std::string(6, '\0') + number(0);
  for (std::uint64_t i = 0; i < num_texts; ++i)
    body += number(2 + i, 2) + std::string(6, '\0') + number(1) + std::string("t\0\0\0\0\0\0\0", 8);
  return begin() +
         header(2, message(0x11, number(tree) + number(heap_at)) + message(0x0C, attribute(values))) +
         heap(8, tree + 8) + symbols({}) + std::string(8, '\0') + std::string("GCOL\1\0\0\0", 8) +
         number(16 + body.size()) + body;
}

Hdf5File open(const std::string& bytes) {
  return Hdf5File(view_bytes(std::as_bytes(std::span(bytes)), "h5"));
}

}  // namespace h5

TEST(HostileHdf5Test, NamesThatAreEndsOfOneTextAreRefused) {
  expect_error(ErrorCode::kDataLoss, {"h5: ", "more than 4096 bytes"},
               [] { h5::open(h5::names(10, 200'000)); });
  expect_error(ErrorCode::kDataLoss, {"h5: ", "names of objects overlap"},
               [] { h5::open(h5::names(10, 4000)); });
}

TEST(HostileHdf5Test, StructuresThatOverlapAreReadNoMoreThanTwiceTheFile) {
  expect_error(ErrorCode::kDataLoss, {"h5: ", "its structures overlap"},
               [] { h5::open(h5::heaps_in_heaps(60, std::size_t{4} << 20)); });
  EXPECT_NO_THROW(h5::open(h5::heaps_in_heaps(60, 1000))) << "a mebibyte is read of the smallest file";
}

TEST(HostileHdf5Test, ContinuationsThatOverlapAreReadNoMoreThanTwiceTheFile) {
  // Each begins one message after the previous one, and ends with the file.
  constexpr std::uint64_t kCount = 32, kMessage = 65536, kData = h5::kRoot + 16 + kCount * (8 + 16);
  std::string continuations, data;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    continuations += h5::message(0x10, number(kData + kMessage * i) + number(kMessage * (kCount - i)));
    data += h5::message(0, std::string(kMessage - 8, '\0'));
  }
  const std::string file = h5::begin() + h5::header(60'000, continuations) + data;
  expect_error(ErrorCode::kDataLoss, {"h5: ", "its structures overlap"}, [&] { h5::open(file); });
}

TEST(HostileHdf5Test, AHeapThatReachesBeyondTheEndOfTheFileIsSaidToDoSo) {
  const std::string file = h5::texts(2, 1000);
  for (const std::size_t size : {file.size() - 8, file.size() / 2})
    expect_error(ErrorCode::kDataLoss, {"h5: ", "beyond the end of the file: it is cut off or damaged"},
                 [&] { h5::open(file.substr(0, size)); });
}

TEST(HostileHdf5Test, TextsAreFoundInTheirHeapWithoutASearchForEach) {
  const Hdf5File file = h5::open(h5::texts(4000, 200'000));
  EXPECT_EQ(file.root().attributes.at("a").texts, std::vector<std::string>(4000, "t"));
  expect_error(ErrorCode::kDataLoss, {"has no text 1002"}, [] { h5::open(h5::texts(2, 0, false)); });
}

TEST(HostileHdf5Test, ExtentsWithoutASizeAreRefusedAlsoBesideAZero) {
  // Replaces the extents (0, 3) of a data set in the committed file by (0, 2^63 - 1).
  std::vector<std::byte> bytes = read_file("tests/fuzz/corpus/hdf5/types");
  const std::string wanted = number(0) + number(3),
                    largest = number(0) + number((std::uint64_t{1} << 63) - 1);
  const auto is_at = std::search(bytes.begin(), bytes.end(), std::as_bytes(std::span(wanted)).begin(),
                                 std::as_bytes(std::span(wanted)).end());
  ASSERT_NE(is_at, bytes.end());
  std::copy_n(std::as_bytes(std::span(largest)).begin(), largest.size(), is_at);
  expect_error(ErrorCode::kDataLoss, {"h5: ", "0 x 9223372036854775807"},
               [&] { Hdf5File(view_bytes(bytes, "h5")); });
}

/// A temporary file, removed by the destructor.
class TestFile {
 public:
  explicit TestFile(const std::string& name) : path_(std::filesystem::path(testing::TempDir()) / name) {}
  ~TestFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Writes an archive with one deflated member of spaces.
void write_spaces(const std::string& path, std::size_t size) {
  ZipWriter zip(path);
  const std::string spaces(size, ' ');
  zip.add("text", size, true, [&](const ByteSink& sink) { sink(std::as_bytes(std::span(spaces))); });
  zip.commit();
}

/// Replaces the compressed size in the directory and the member.
std::vector<std::byte> with_compressed_size(const std::string& path, std::uint32_t size) {
  std::vector<std::byte> bytes = read_file(path);
  const std::string value = number(size, 4);
  for (const auto& [mark, offset] : {std::pair("PK\x03\x04", 18), std::pair("PK\x01\x02", 20)}) {
    const std::span<const std::byte> wanted = std::as_bytes(std::span(mark, 4));
    const auto at = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
    std::copy_n(std::as_bytes(std::span(value)).begin(), 4, at + offset);
  }
  return bytes;
}

TEST(HostileZipTest, AClaimedSizeBeyondTheArchiveDoesNotHideARatio) {
  const TestFile file("cornu_hostile_claim.zip");
  write_spaces(file.path(), std::size_t{80} << 20);
  const std::vector<std::byte> bytes = with_compressed_size(file.path(), 0xF0000000);
  const ZipFile zip(view_bytes(bytes, "claim.zip"), "a zip", {.max_size_bytes = std::int64_t{1} << 40});
  expect_error(ErrorCode::kDataLoss,
               {"claim.zip", "text should have 4026531840 bytes", "more than the whole"},
               [&] { zip.read("text"); });
  expect_error(ErrorCode::kDataLoss, {"claim.zip"}, [&] { zip.open("text"); });
}

TEST(HostileZipTest, ATextThatUnpacksToMoreThanAHundredTimesItsSizeIsRefused) {
  const TestFile file("cornu_hostile_text.zip");
  write_spaces(file.path(), std::size_t{3} << 20);
  const ZipFile zip(open_random_access(file.path()), "a zip");
  EXPECT_EQ(zip.read("text").size(), std::size_t{3} << 20) << "arrays of zeros are data";
  expect_error(ErrorCode::kResourceExhausted, {file.path(), "text unpacks to more than 100 times"},
               [&] { zip.read_text("text"); });
  write_spaces(file.path(), std::size_t{1} << 20);
  EXPECT_EQ(ZipFile(open_random_access(file.path()), "a zip").read_text("text").size(), std::size_t{1} << 20);
}

TEST(HostileNpzTest, AMemberThatIsNoArrayIsCalledThat) {
  const TestFile file("cornu_hostile_other.npz");
  {
    ZipWriter zip(file.path());
    zip.add("readme.txt", "hello");
    zip.commit();
  }
  const NpzFile npz(file.path());
  expect_error(ErrorCode::kDataLoss, {file.path(), "\"readme.txt\" is not an array", ".npy"},
               [&] { npz.read("readme.txt"); });
  expect_error(ErrorCode::kNotFound, {file.path(), "no array \"x\"; it has: readme.txt"},
               [&] { npz.read("x"); });
}

TEST(HostileNpzTest, ExtentsWithoutASizeAreRefusedAlsoBesideAZero) {
  const TestFile file("cornu_hostile_extents.npz");
  for (const char* shape : {"(0, 9223372036854775807)", "(9223372036854775807, 0)"}) {
    const std::string header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
    {
      ZipWriter zip(file.path());
      zip.add("x.npy", std::string("\x93NUMPY\1\0", 8) + number(header.size(), 2) + header);
      zip.commit();
    }
    expect_error(ErrorCode::kDataLoss, {file.path() + "[x]", "9223372036854775807", "does not fit 63 bits"},
                 [&] { NpzFile(file.path()).read("x"); });
  }
}

void open_safetensors(const std::string& description) {
  const std::string bytes = number(description.size()) + description;
  const SafetensorsFile file(view_bytes(std::as_bytes(std::span(bytes)), "weights"));
}

TEST(HostileSafetensorsTest, NestingIsRefusedWhereItBegins) {
  // The rest is not JSON, and is not read.
  expect_error(ErrorCode::kDataLoss, {"weights: ", "nested too deeply"},
               [] { open_safetensors(R"({"a": {"b": {"c": {"d": {"e": {"f": what)"); });
}

TEST(HostileSafetensorsTest, AKeyStandsOnceAlsoInsideAnEntry) {
  expect_error(ErrorCode::kDataLoss, {"weights: ", "\"shape\" occurs twice"}, [] {
    open_safetensors(R"({"a": {"dtype": "F32", "shape": [], "shape": [0], "data_offsets": [0, 0]}})");
  });
  expect_error(ErrorCode::kDataLoss, {"weights: ", "\"k\" occurs twice"},
               [] { open_safetensors(R"({"__metadata__": {"k": "1", "k": "2"}})"); });
}

TEST(HostileSafetensorsTest, ExtentsWithoutASizeAreRefusedAlsoBesideAZero) {
  const auto with_shape = [](const std::string& shape) {
    open_safetensors(R"({"a": {"dtype": "F32", "shape": [)" + shape + R"(], "data_offsets": [0, 0]}})");
  };
  EXPECT_NO_THROW(with_shape("0, 3"));
  expect_error(ErrorCode::kDataLoss, {"weights: ", "does not fit"},
               [&] { with_shape("0, 9223372036854775807"); });
  std::string many = "0";
  for (int axis = 1; axis < 65; ++axis) many += ", 1";
  expect_error(ErrorCode::kDataLoss, {"weights: ", "more than 64 axes"}, [&] { with_shape(many); });
}

std::size_t num_fields(const std::string& text, std::int64_t max_row_bytes) {
  CsvReader reader(memory_stream(std::as_bytes(std::span(text)), "rows"), {.max_row_bytes = max_row_bytes});
  std::vector<std::string_view> fields;
  reader.next(fields);
  return fields.size();
}

TEST(HostileCsvTest, EmptyFieldsCount) {
  EXPECT_EQ(num_fields(std::string(99, ','), 100), 100U);
  expect_error(ErrorCode::kResourceExhausted, {"rows: ", "more than 100 bytes"},
               [] { num_fields(std::string(100, ','), 100); });
  expect_error(ErrorCode::kResourceExhausted, {"rows: ", "more than 16777216 fields"},
               [] { num_fields(std::string(std::size_t{1} << 24, ','), std::int64_t{1} << 40); });
}

}  // namespace
}  // namespace cornu::inline v0::io
