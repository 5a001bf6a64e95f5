// Rows of arrays in files: what the arrays are, places, damaged files.
#include "cornu/data/arrays.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "cornu/base/error.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/npy.h"
#include "cornu/io/npz.h"

namespace cornu::inline v0::data {
namespace {

template <typename F>
void expect_array_error(ErrorCode code, const std::string& part, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    return;
  }
  ADD_FAILURE() << "no error; wanted one of " << part;
}

class ArraysTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("cornu_arrays_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    x_.resize(kRows * 3);
    std::iota(x_.begin(), x_.end(), 0.0F);
    y_.resize(kRows);
    std::iota(y_.begin(), y_.end(), 100);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  template <typename T>
  static io::ArrayView view(const std::vector<T>& values, const std::vector<std::int64_t>& dims) {
    return {io::element_type_of<T>(), dims, std::as_bytes(std::span(values))};
  }
  /// Each row is 3 i, 3 i + 1, 3 i + 2 and 100 + i.
  static void expect_rows(const Dataset& dataset, std::int64_t first = 0) {
    std::int64_t row = first;
    for (const Element& element : dataset) {
      ASSERT_EQ(element.type_str(), "(float32 (3,), int64 ())");
      ASSERT_EQ(element[0].tensor().at(1), static_cast<double>(3 * row + 1));
      ASSERT_EQ(element[1].item<std::int64_t>(), 100 + row);
      ++row;
    }
    EXPECT_EQ(row, kRows);
  }

  static constexpr std::int64_t kRows = 50000;  // several blocks
  const std::vector<std::int64_t> x_dims_ = {kRows, 3}, y_dims_ = {kRows};
  std::vector<float> x_;
  std::vector<std::int64_t> y_;
  std::filesystem::path folder_;
};

TEST_F(ArraysTest, NpyGivesItsRows) {
  io::write_npy(path("x.npy"), view(x_, x_dims_));
  const NpyDataset rows(path("x.npy"));
  EXPECT_EQ(rows.cardinality(), kRows);
  EXPECT_EQ(rows.element_spec(), "float32 (3,)");
  std::int64_t row = 0;
  for (const Element& element : rows) ASSERT_EQ(element.tensor().at(2), static_cast<double>(3 * row++ + 2));
  EXPECT_EQ(row, kRows);
  const Element batch = *rows.skip(49990).batch(20).begin();
  EXPECT_EQ(batch.tensor().shape(), (Dims{10, 3}));
  EXPECT_EQ(batch.tensor().at(0), 3.0 * 49990);
}

TEST_F(ArraysTest, ArchivesGiveTuples) {
  const std::vector<std::pair<std::string, io::ArrayView>> arrays = {{"x", view(x_, x_dims_)},
                                                                     {"y", view(y_, y_dims_)}};
  for (const bool compressed : {false, true}) {
    io::write_npz(path("xy.npz"), arrays, {.compressed = compressed});
    expect_rows(NpzDataset(path("xy.npz"), {"x", "y"}));
    expect_rows(NpzDataset(path("xy.npz"), {"x", "y"}).skip(40000), 40000);
  }
  expect_array_error(ErrorCode::kNotFound, "z.npy", [&] { NpzDataset(path("xy.npz"), {"x", "z"}); });
  expect_array_error(ErrorCode::kInvalidArgument, "names", [&] { NpzDataset(path("xy.npz"), {}); });
}

TEST_F(ArraysTest, Hdf5GivesTuples) {
  io::Hdf5Content content;
  content.group("train").datasets.emplace("x", std::pair(view(x_, x_dims_), io::Hdf5Attributes()));
  content.group("train").datasets.emplace("y", std::pair(view(y_, y_dims_), io::Hdf5Attributes()));
  const std::vector<std::int64_t> few = {3};
  const std::vector<float> three(3);
  content.group("train").datasets.emplace("few", std::pair(view(three, few), io::Hdf5Attributes()));
  const std::vector<std::int64_t> no_rows = {0, 3};
  const std::vector<float> none;
  content.datasets.emplace("none", std::pair(view(none, no_rows), io::Hdf5Attributes()));
  std::ofstream file(path("xy.h5"), std::ios::binary);
  io::Hdf5Writer(content).write([&](std::span<const std::byte> bytes) {
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  });
  file.close();
  expect_rows(Hdf5Dataset(path("xy.h5"), {"train/x", "train/y"}));
  EXPECT_TRUE(Hdf5Dataset(path("xy.h5"), {"none"}).to_vector().empty());
  expect_array_error(ErrorCode::kNotFound, "test/x", [&] { Hdf5Dataset(path("xy.h5"), {"test/x"}); });
  expect_array_error(ErrorCode::kInvalidArgument, "one number of rows",
                     [&] { Hdf5Dataset(path("xy.h5"), {"train/x", "train/few"}); });
}

TEST_F(ArraysTest, APlaceIsARow) {
  io::write_npy(path("y.npy"), view(y_, y_dims_));
  const NpyDataset rows(path("y.npy"));
  const Dataset shuffled = rows.shuffle(100, {.seed = 4}).batch(7);
  for (const Dataset& dataset : {Dataset(rows), shuffled}) {
    Iterator iterator = dataset.iterator();
    iterator.skip(123);
    const std::vector<std::byte> place = iterator.save();
    const std::string wanted = (*iterator.next()).str();
    Iterator later = dataset.iterator();
    later.restore(place);
    EXPECT_EQ((*later.next()).str(), wanted);
  }
}

TEST_F(ArraysTest, NumpysOwnFilesAreRead) {
  const std::string file = "tests/data/numpy.npz";
  const auto first = [&](const char* name) { return (*NpzDataset(file, {name}).begin()).str(); };
  EXPECT_EQ(first("u1"), "[0 1 2]");
  EXPECT_EQ(first("i2_big"), "[0 1 2]");
  EXPECT_EQ(first("i8"), "[-3 -2 -1]");
  EXPECT_EQ((*NpzDataset(file, {"bool"}).begin()).tensor().to_vector<int>(), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(NpzDataset(file, {"empty"}).cardinality(), 0);
  expect_array_error(ErrorCode::kDataLoss, "Fortran", [&] { NpzDataset(file, {"f4_fortran"}); });
  expect_array_error(ErrorCode::kDataLoss, "without axes", [&] { NpzDataset(file, {"scalar"}); });
}

TEST_F(ArraysTest, ComplexNumbersAreReadUnbatchedSavedAndLoaded) {
  const std::vector<double> parts = {1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> dims = {3};
  io::write_npy(path("z.npy"), {io::ElementType::kC128, dims, std::as_bytes(std::span(parts))});
  const NpyDataset numbers(path("z.npy"));
  EXPECT_EQ(numbers.element_spec(), "complex128 ()");
  const Element all = *numbers.batch(3).begin();
  EXPECT_EQ(all.type_str(), "complex128 (3,)");
  ASSERT_EQ(all.tensor().type().size_bytes(), sizeof(double) * parts.size());
  EXPECT_EQ(std::memcmp(all.tensor().bytes(), parts.data(), sizeof(double) * parts.size()), 0);
  const std::string wanted = all.str();
  EXPECT_EQ((*numbers.batch(2).unbatch().batch(3).begin()).str(), wanted);
  numbers.save(path("saved"));
  EXPECT_EQ((*Dataset::load(path("saved")).batch(3).begin()).str(), wanted);
  expect_array_error(ErrorCode::kInvalidArgument, "complex128 ()",
                     [&] { static_cast<void>((*numbers.begin()).number()); });
}

TEST_F(ArraysTest, DamagedFilesAreErrors) {
  io::write_npy(path("y.npy"), view(y_, y_dims_));
  const NpyDataset rows(path("y.npy"));
  std::filesystem::resize_file(path("y.npy"), std::filesystem::file_size(path("y.npy")) / 2);
  expect_array_error(ErrorCode::kDataLoss, "y.npy", [&] { NpyDataset again(path("y.npy")); });
  expect_array_error(ErrorCode::kDataLoss, "y.npy", [&] {
    for (const Element& element : rows) static_cast<void>(element);
  });
  std::int64_t count = 0;
  for (const Element& element : rows.ignore_errors()) count += element.is_number();
  EXPECT_GT(count, kRows / 2 - 20);  // there is a header, too
  EXPECT_LT(count, kRows / 2);
  std::ofstream(path("text.npy")) << "no array";
  expect_array_error(ErrorCode::kDataLoss, "text.npy", [&] { NpyDataset again(path("text.npy")); });
  expect_array_error(ErrorCode::kNotFound, "missing.npy", [&] { NpyDataset again(path("missing.npy")); });
}

}  // namespace
}  // namespace cornu::inline v0::data
