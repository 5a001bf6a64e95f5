#include "cornu/tensor/value/tensor.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <type_traits>

#include "cornu/base/error.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0 {
namespace {

TEST(TensorTest, ConcreteValuesFromScalarsListsAndVectors) {
  EXPECT_EQ(Tensor(2.5).dtype(), DType::kF32);
  EXPECT_EQ(Tensor(3).dtype(), DType::kI32);
  EXPECT_EQ(Tensor(true).dtype(), DType::kI1);
  EXPECT_EQ(Tensor(3).item<int>(), 3);
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(x.num_rows(), 2);
  EXPECT_EQ(x.data<float>()[4], 5);
  EXPECT_FALSE(Tensor().defined());
}

// x[0] = 3 does not compile.
static_assert(!std::is_assignable_v<Tensor, float> && !std::is_assignable_v<Tensor, const Tensor&>);
static_assert(std::is_assignable_v<Tensor&, float> && std::is_nothrow_move_assignable_v<Tensor>);

TEST(TensorTest, IntegersAreHeldExactly) {
  constexpr std::int64_t kLarge = (std::int64_t{1} << 60) + 1;  // no double is this
  EXPECT_EQ(Tensor(std::int64_t{3}).dtype(), DType::kI32);
  EXPECT_EQ(Tensor(std::int64_t{1} << 31).dtype(), DType::kI64);
  EXPECT_EQ(Tensor(std::int64_t{1} << 40).item<std::int64_t>(), std::int64_t{1} << 40);
  EXPECT_EQ(Tensor(-kLarge).data<std::int64_t>()[0], -kLarge);
  EXPECT_EQ(Tensor(kLarge).item<std::int64_t>(), kLarge);
  EXPECT_EQ(Tensor(kLarge).str(), "1152921504606846977");
  EXPECT_EQ(Tensor(0xFFFFFFFFU).item<std::uint32_t>(), 0xFFFFFFFFU);
  EXPECT_EQ(Tensor(std::numeric_limits<std::uint64_t>::max()).dtype(), DType::kU64);
  EXPECT_EQ(Tensor(std::numeric_limits<std::uint64_t>::max()).item<std::uint64_t>(),
            std::numeric_limits<std::uint64_t>::max());
  const Tensor i64 = Tensor::of<std::int64_t>({1}, {1});
  EXPECT_EQ((i64 + kLarge).data<std::int64_t>()[0], kLarge + 1);
  EXPECT_EQ((Tensor::of<float>({1}, {1}) * (std::int64_t{1} << 40)).at(0), 0x1p40);
  EXPECT_THROW((void)(Tensor::of<std::int32_t>({1}, {1}) + kLarge), Error);  // would wrap around
}

TEST(TensorTest, AdoptingAVectorDoesNotCopy) {
  std::vector<float> values(6, 1.0F);
  const float* const data = values.data();
  const Tensor x = Tensor::adopt({2, 3}, std::move(values));
  EXPECT_EQ(x.data<float>().data(), data);
  EXPECT_EQ(x.rows(1, 2).data<float>().data(), data + 3);
  EXPECT_EQ(x.rows(1, 2).shape(), (Dims{1, 3}));
}

TEST(TensorTest, ValuesOfAnyStridesAreCopiedIntoRows) {
  std::vector<float> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const std::span<const float> all(values);
  const Tensor columns = Tensor::from<float>({4, 6}, all, {1, 4});
  const Tensor padded = Tensor::from<float>({3, 2, 2}, all.first(22), {8, 3, 1});
  const Tensor reversed = Tensor::from<float>({2, 3, 4}, all, {1, 2, 6});
  const Tensor repeated = Tensor::from<float>({2, 3}, all, {0, 1});
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 6; ++j) EXPECT_EQ(columns.at(i * 6 + j), static_cast<double>(i + 4 * j));
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 2; ++j)
      for (std::int64_t k = 0; k < 2; ++k)
        EXPECT_EQ(padded.at(i * 4 + j * 2 + k), static_cast<double>(8 * i + 3 * j + k));
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      for (std::int64_t k = 0; k < 4; ++k)
        EXPECT_EQ(reversed.at(i * 12 + j * 4 + k), static_cast<double>(i + 2 * j + 6 * k));
  EXPECT_EQ(repeated.to_vector<float>(), (std::vector<float>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(Tensor::from<float>({}, all, {}).item<float>(), 0.0F);
  EXPECT_EQ(Tensor::from<float>({0, 3}, {}, {3, 1}).num_elements(), 0);
}

TEST(TensorTest, StridedCopiesOfLargeMatricesAreTransposed) {
  constexpr std::int64_t kRows = 67, kColumns = 101;  // not multiples of a tile
  std::vector<std::uint8_t> bytes(kRows * kColumns);
  std::vector<double> doubles(kRows * kColumns);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i * 7);
    doubles[i] = static_cast<double>(i);
  }
  const Tensor a = Tensor::from<std::uint8_t>({kRows, kColumns}, bytes, {1, kRows});
  const Tensor b = Tensor::from<double>({kRows, kColumns}, doubles, {1, kRows});
  for (std::int64_t i = 0; i < kRows; ++i)
    for (std::int64_t j = 0; j < kColumns; ++j) {
      const auto from = static_cast<std::size_t>(i + j * kRows);
      ASSERT_EQ(a.at(i * kColumns + j), bytes[from]);
      ASSERT_EQ(b.at(i * kColumns + j), doubles[from]);
    }
}

TEST(TensorTest, StridesThatLeaveTheValuesAreRefused) {
  const std::vector<float> values(24);
  EXPECT_THROW(Tensor::from<float>({4, 6}, values, {1, 5}), Error);
  EXPECT_THROW(Tensor::from<float>({4, 6}, values, {6}), Error);
  EXPECT_THROW(Tensor::from<float>({4, 6}, values, {-6, 1}), Error);
  EXPECT_THROW(Tensor::from<float>({4, 6}, values, {std::int64_t{1} << 62, 1}), Error);
  EXPECT_THROW(Tensor::from<float>({1}, {}, {1}), Error);
}

TEST(TensorTest, AMaskTravelsWithTheTensorAndOperationsDropIt) {
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  const Tensor mask = Tensor::of<bool>({2}, {true, false});
  EXPECT_EQ(x.mask(), nullptr);
  const Tensor masked = x.with_mask(mask);
  const Tensor copy = masked;  // NOLINT(performance-unnecessary-copy-initialization): what is tested
  ASSERT_NE(copy.mask(), nullptr);
  EXPECT_EQ(copy.mask()->id(), mask.id());
  EXPECT_EQ(copy.data<float>().data(), x.data<float>().data());
  EXPECT_EQ(copy.id(), x.id());  // the same value
  EXPECT_EQ(x.mask(), nullptr);
  EXPECT_EQ((masked + 1).mask(), nullptr);
  EXPECT_EQ(masked.with_mask(Tensor()).mask(), nullptr);
  EXPECT_EQ(masked.with_mask(Tensor::of<bool>({2}, {true, true})).mask()->at(1), 1);
  EXPECT_EQ(Tensor().mask(), nullptr);
  EXPECT_THROW((void)Tensor().with_mask(mask), Error);
}

TEST(TensorTest, ASymbolicTensorCarriesAMaskToo) {
  Trace trace;
  const Trace::Scope scope(trace);
  const Tensor x = trace.add_rows_argument({DType::kF32, {2, 3}});
  const Tensor mask = trace.add_rows_argument({DType::kI1, {2, 3}});
  const Tensor masked = x.with_mask(mask);
  EXPECT_TRUE(masked.is_symbolic());
  EXPECT_EQ(masked.value(), x.value());
  EXPECT_EQ(masked.mask()->value(), mask.value());
  EXPECT_EQ((masked * 2.0).mask(), nullptr);
}

TEST(TensorTest, RowsSlicesAndElements) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(x[1].to_vector<float>(), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(x[-1][0].item<float>(), 4);
  EXPECT_EQ(x.slice({{}, {1}}).to_vector<float>(), (std::vector<float>{2, 3, 5, 6}));
  EXPECT_EQ(x.slice({{0, 1}, {-2, -1}}).to_vector<int>(), (std::vector<int>{2}));
  EXPECT_EQ(x.slice({{}, {{}, {}, -1}}).to_vector<int>(), (std::vector<int>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(x.slice({{}, {2, {}, -2}}).to_vector<int>(), (std::vector<int>{3, 1, 6, 4}));
  EXPECT_EQ(x.slice({{}, {0, 2, -1}}).shape(), (Dims{2, 0}));
  EXPECT_EQ(x.slice({{5, 9}}).shape(), (Dims{0, 3}));
  int sum = 0;
  for (const Tensor& row : x) sum += row[0].item<int>();
  EXPECT_EQ(sum, 5);
  EXPECT_THROW((void)x[2], Error);
  EXPECT_THROW((void)Tensor(1.0)[0], Error);
  EXPECT_THROW((void)x.slice({{}, {}, {}}), Error);
  EXPECT_THROW((void)x.slice({{0, 1, 0}}), Error);
}

TEST(TensorTest, ComparisonsAndCompoundOperators) {
  Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  const Tensor kept = x;
  EXPECT_EQ((x < 2).to_vector<int>(), (std::vector<int>{1, 0, 0}));
  EXPECT_EQ((x >= kept).to_vector<int>(), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ((x == 3).to_vector<int>(), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ((x != 3).dtype(), DType::kI1);
  x += 1;
  x *= x;
  x -= 4;
  x /= 2;
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 2.5, 6}));
  EXPECT_EQ(kept.to_vector<float>(), (std::vector<float>{1, 2, 3}));
}

TEST(TensorTest, HalvesAreReadable) {
  const Tensor x = ops::cast(Tensor::of<float>({2}, {1.5F, -2}), DType::kF16);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(ops::cast(x, DType::kBF16)[1].item<float>(), -2);
}

TEST(TensorTest, MistakesAreErrors) {
  const std::vector<float> three(3);
  EXPECT_THROW(Tensor::adopt({2, 2}, three), Error);
  EXPECT_THROW(Tensor::adopt({-1, 2}, three), Error);
  EXPECT_THROW((void)Tensor(1).data<float>(), Error);
  EXPECT_THROW((void)Tensor().shape(), Error);
  const Tensor x = Tensor::adopt({3}, three);
  EXPECT_THROW((void)x.item<float>(), Error);
  EXPECT_THROW((void)x.rows(2, 4), Error);
  EXPECT_THROW((void)x.at(3), Error);
}

TEST(TensorTest, PrintsAsNumPy) {
  EXPECT_EQ(Tensor::of<float>({2, 2}, {1, 2.5, 3, 4}).str(), "[[1.  2.5]\n [3.  4. ]]");
  EXPECT_EQ(Tensor::of<std::int32_t>({2}, {1, -2}).str(), "[ 1 -2]");
  EXPECT_EQ(Tensor(true).str(), "True");
  std::vector<std::int32_t> many(2000);
  std::iota(many.begin(), many.end(), 0);
  EXPECT_EQ(Tensor::adopt({2000}, many).str(), "[   0    1    2 ... 1997 1998 1999]");
}

TEST(TensorOpsTest, BroadcastAsNumPy) {
  const Tensor x = Tensor::of<float>({2, 1}, {1, 2});
  const Tensor y = Tensor::of<float>({3}, {10, 20, 30});
  EXPECT_TRUE((x + y).literal() == ir::Literal::of<float>({2, 3}, {11, 21, 31, 12, 22, 32}));
  EXPECT_TRUE((x * 2.0).literal() == ir::Literal::of<float>({2, 1}, {2, 4}));
  EXPECT_TRUE((1 - x).literal() == ir::Literal::of<float>({2, 1}, {0, -1}));
  EXPECT_TRUE((-x / 2).literal() == ir::Literal::of<float>({2, 1}, {-0.5, -1}));
  EXPECT_THROW((void)(Tensor::zeros({2}) + Tensor::zeros({3})), Error);
}

TEST(TensorOpsTest, PromotionIsKeras) {
  const Tensor f64 = Tensor::of<double>({1}, {0.5});
  const Tensor i32 = Tensor::of<std::int32_t>({1}, {7});
  const Tensor u8 = Tensor::of<std::uint8_t>({1}, {7});
  const Tensor i8 = Tensor::of<std::int8_t>({1}, {7});
  EXPECT_EQ((f64 * 0.1).at(0), 0.5 * 0.1);  // a weak number keeps its full precision
  EXPECT_EQ(ops::promote(i32, 1), DType::kI32);
  EXPECT_EQ(ops::promote(i32, 1.5), DType::kF32);
  EXPECT_EQ(ops::promote(i32, f64), DType::kF64);
  EXPECT_EQ(ops::promote(u8, i8), DType::kI16);
  EXPECT_EQ(ops::promote(u8, i32), DType::kI32);
  EXPECT_EQ((i32 / 2).at(0), 3.5);
  EXPECT_EQ(ops::promote(Tensor(true), i32), DType::kI32);
}

TEST(TensorOpsTest, Reductions) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 5, 3, 4, 2, 6});
  EXPECT_EQ(ops::sum(x).item<float>(), 21);
  EXPECT_TRUE(ops::sum(x, {.axis = 0}).literal() == ir::Literal::of<float>({3}, {5, 7, 9}));
  EXPECT_TRUE(ops::mean(x, {.axis = -1, .keepdims = true}).literal() ==
              ir::Literal::of<float>({2, 1}, {3, 4}));
  EXPECT_EQ(ops::max(x).item<float>(), 6);
  EXPECT_EQ(ops::min(x, {.axis = {0, 1}}).item<float>(), 1);
  EXPECT_TRUE(ops::argmax(x, -1).literal() == ir::Literal::of<std::int32_t>({2}, {1, 2}));
  EXPECT_TRUE(ops::argmax(x, 0).literal() == ir::Literal::of<std::int32_t>({3}, {1, 0, 1}));
  EXPECT_TRUE(ops::all(ops::greater(x, 0)).item<bool>());
  EXPECT_FALSE(ops::any(ops::greater(x, 6)).item<bool>());
  EXPECT_EQ(ops::sum(ops::greater(x, 2)).item<int>(), 4);
  EXPECT_THROW((void)ops::sum(x, {.axis = 2}), Error);
  EXPECT_THROW((void)ops::sum(x, {.axis = {0, -2}}), Error);
}

TEST(TensorOpsTest, ShapesAndRows) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(ops::reshape(x, {3, -1}).shape(), (Dims{3, 2}));
  EXPECT_THROW((void)ops::reshape(x, {4, -1}), Error);
  EXPECT_TRUE(ops::transpose(x).literal() == ir::Literal::of<float>({3, 2}, {1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(ops::expand_dims(x, -1).shape(), (Dims{2, 3, 1}));
  EXPECT_EQ(ops::squeeze(ops::expand_dims(x, 0), 0).shape(), (Dims{2, 3}));
  EXPECT_TRUE(ops::take_rows(x, std::vector<std::int64_t>{1, 0, 1}).literal() ==
              ir::Literal::of<float>({3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_THROW((void)ops::take_rows(x, std::vector<std::int64_t>{2}), Error);
  EXPECT_TRUE(ops::one_hot(Tensor::of<std::int32_t>({3}, {1, 0, 7}), 2).literal() ==
              ir::Literal::of<float>({3, 2}, {0, 1, 1, 0, 0, 0}));
  EXPECT_TRUE(ops::concatenate(std::vector<Tensor>{x, x}, 1).shape() == (Dims{2, 6}));
  EXPECT_TRUE(ops::matmul(x, ops::transpose(x)).literal() ==
              ir::Literal::of<float>({2, 2}, {14, 32, 32, 77}));
  EXPECT_THROW((void)ops::matmul(x, x), Error);
}

TEST(TensorOpsTest, WhereClipAndDivideNoNaN) {
  const Tensor x = Tensor::of<float>({3}, {-2, 0, 2});
  EXPECT_TRUE(ops::where(ops::greater(x, 0), x, 9).literal() == ir::Literal::of<float>({3}, {9, 9, 2}));
  EXPECT_TRUE(ops::clip(x, -1, 1).literal() == ir::Literal::of<float>({3}, {-1, 0, 1}));
  EXPECT_TRUE(ops::divide_no_nan(Tensor(4.0F), x).literal() == ir::Literal::of<float>({3}, {-2, 0, 2}));
}

TEST(TensorOpsTest, RandomUniformDependsOnKeyCounterAndIndex) {
  const Tensor x = ops::random_uniform(1, 2, 3, {4, 8});
  const Tensor y = ops::random_uniform(1, 2, 3, {2, 8});
  EXPECT_TRUE(x.rows(0, 2).literal() == y.literal());
  EXPECT_FALSE(ops::random_uniform(1, 2, 4, {2, 8}).literal() == y.literal());
  for (const float value : x.data<float>()) EXPECT_TRUE(value >= 0 && value < 1);
}

}  // namespace
}  // namespace cornu::inline v0
