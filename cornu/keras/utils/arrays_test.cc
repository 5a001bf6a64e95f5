#include "cornu/keras/utils/arrays.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cornu/base/error.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::utils {
namespace {

/// A folder of this process, removed at its end.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("cornu_arrays_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

TEST(ArraysTest, EveryTypeThatNumpyHasComesBackFromAFile) {
  const Folder folder;
  const Tensor values = ops::reshape(Tensor::of<double>({6}, {0, 1, -2, 3.5, 100, -7}), {2, 3});
  for (const DType dtype : {DType::kI1, DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8,
                            DType::kU16, DType::kU32, DType::kU64, DType::kF16, DType::kF32, DType::kF64}) {
    const Tensor saved = ops::cast(ops::abs(values), dtype);
    save_npy(folder / "x.npy", saved);
    const Tensor loaded = load_npy(folder / "x.npy");
    EXPECT_EQ(loaded.type(), saved.type());
    EXPECT_EQ(loaded.to_vector<double>(), saved.to_vector<double>()) << ir::numpy_name(dtype);
  }
}

TEST(ArraysTest, AScalarAndAnEmptyTensorKeepTheirShapes) {
  const Folder folder;
  for (const Dims& shape : {Dims{}, Dims{0}, Dims{3, 0, 2}, Dims{1}}) {
    save_npy(folder / "x.npy", ops::zeros(shape));
    EXPECT_EQ(load_npy(folder / "x.npy").shape(), shape);
  }
}

TEST(ArraysTest, NamedTensorsComeBackByName) {
  const Folder folder;
  const Tensor x = ops::reshape(ops::arange(6), {3, 2}), y = Tensor::of<double>({3}, {0.5, 1, -1});
  for (const bool compressed : {false, true}) {
    save_npz(folder / "data.npz", {{"x", x}, {"größe", y}}, {.compressed = compressed});
    const Tensors loaded = load_npz(folder / "data.npz");
    EXPECT_EQ(loaded.names(), (std::vector<std::string>{"x", "größe"}));
    EXPECT_EQ(loaded[0].to_vector<int>(), x.to_vector<int>());
    EXPECT_EQ(loaded[1].to_vector<double>(), y.to_vector<double>());
  }
  save_npz(folder / "data.npz", {x, y});
  EXPECT_EQ(load_npz(folder / "data.npz").names(), (std::vector<std::string>{"arr_0", "arr_1"}));
}

TEST(ArraysTest, AnArrayOfAReaderBecomesATensorWithoutACopy) {
  io::Array array{.type = io::ElementType::kI16, .dims = {2}, .data = std::vector<std::byte>(4)};
  const std::byte* const memory = array.data.data();
  const Tensor tensor = to_tensor(std::move(array));
  EXPECT_EQ(tensor.type(), (TensorType{DType::kI16, {2}}));
  EXPECT_EQ(tensor.bytes(), memory);
}

TEST(ArraysTest, Bfloat16IsRefusedWithTheWayOut) {
  try {
    save_npy("/nowhere/x.npy", ops::zeros({1}, {.dtype = DType::kBF16}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(),
                 "[to_array] NumPy has no bfloat16: cast the tensor, e.g. ops::cast(x, DType::kF32)");
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras::utils
