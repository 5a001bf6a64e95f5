#include <gtest/gtest.h>

#include <array>

#include "cornu/base/error.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/variable.h"

namespace cornu::inline v0 {
namespace {

Tensor cube() { return ops::reshape(ops::arange(8, {.dtype = DType::kF32}), {2, 2, 2}); }
std::vector<float> values(const Tensor& x) { return x.to_vector<float>(); }

TEST(OptionalArgumentsTest, AnAxisIsAnOptionOfEveryOperation) {
  const Tensor x = cube();
  EXPECT_EQ(ops::concatenate({x, x}, {.axis = 2}).shape(), (Dims{2, 2, 4}));
  EXPECT_EQ(ops::stack({x, x}, {.axis = -1}).shape(), (Dims{2, 2, 2, 2}));
  EXPECT_EQ(ops::unstack(x, {.axis = 1}).size(), 2U);
  EXPECT_EQ(ops::split(x, 2, {.axis = 1})[0].shape(), (Dims{2, 1, 2}));
  EXPECT_EQ(values(ops::flip(x, {.axis = {0, 2}})), (std::vector<float>{5, 4, 7, 6, 1, 0, 3, 2}));
  EXPECT_EQ(ops::squeeze(ops::zeros({1, 3, 1}), {.axis = {0, 2}}).shape(), Dims{3});
  EXPECT_EQ(ops::transpose(ops::zeros({1, 2, 3}), {.axes = {2, 0, 1}}).shape(), (Dims{3, 1, 2}));
  EXPECT_EQ(values(ops::sort(x, {.axis = 0})), values(x));
  EXPECT_EQ(ops::sort(x, {.axis = std::nullopt}).shape(), Dims{8});
  EXPECT_EQ(values(ops::argsort(-x, {.axis = std::nullopt})), (std::vector<float>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_NEAR(ops::sum(ops::softmax(x, {.axis = {}})).item<float>(), 1, 1e-6);
  EXPECT_EQ(values(ops::count_nonzero(x, {.axis = {1, 2}})), (std::vector<float>{3, 4}));
  EXPECT_NEAR(ops::sum(ops::softmax(x, {.axis = {1, 2}})).item<float>(), 2, 1e-6);
  EXPECT_NEAR(ops::sum(ops::softmax(x, {.axis = 0})).item<float>(), 4, 1e-6);
}

TEST(OptionalArgumentsTest, OtherDefaultsAreOptionsToo) {
  const Tensor x = Tensor::of<float>({3}, {-1.25F, 0, 1.25F});
  EXPECT_EQ(ops::zeros({2}, {.dtype = DType::kI32}).dtype(), DType::kI32);
  EXPECT_EQ(ops::full({2}, 7, {.dtype = DType::kI64}).dtype(), DType::kI64);
  EXPECT_EQ(ops::ones_like(x, {.dtype = DType::kI8}).dtype(), DType::kI8);
  EXPECT_EQ(values(ops::round(x, {.decimals = 1})), (std::vector<float>{-1.2F, 0, 1.2F}));
  EXPECT_EQ(values(ops::leaky_relu(x, {.negative_slope = 0.5})), (std::vector<float>{-0.625F, 0, 1.25F}));
  EXPECT_EQ(values(ops::tril(ops::ones({2, 2}), {.k = -1})), (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(values(ops::select({ops::less(x, 0)}, {x}, {.fallback = 9})), (std::vector<float>{-1.25F, 9, 9}));
  EXPECT_EQ(ops::tensordot(cube(), cube(), {.axes = {{1, 2}, {0, 1}}}).shape(), (Dims{2, 2}));
  EXPECT_EQ(ops::tensordot(cube(), cube(), {.axes = 1}).shape(), (Dims{2, 2, 2, 2}));
  EXPECT_EQ(values(ops::searchsorted(x, x, {.side = "right"})), (std::vector<float>{1, 2, 3}));
}

TEST(OptionalArgumentsTest, TheOldFormByPositionGivesTheSame) {
  const Tensor x = cube();
  EXPECT_EQ(values(ops::concatenate({x, x}, 2)), values(ops::concatenate({x, x}, {.axis = 2})));
  EXPECT_EQ(values(ops::flip(x, {0, 2})), values(ops::flip(x, {.axis = {0, 2}})));
  EXPECT_EQ(values(ops::flip(x, {})), values(ops::flip(x)));
  EXPECT_EQ(values(ops::softmax(x, 0)), values(ops::softmax(x, {.axis = 0})));
  EXPECT_EQ(values(ops::softmax(x, {1, 2})), values(ops::softmax(x, {.axis = {1, 2}})));
  EXPECT_EQ(values(ops::transpose(x, {2, 0, 1})), values(ops::transpose(x, {.axes = {2, 0, 1}})));
  EXPECT_EQ(ops::zeros({2}, DType::kI32).dtype(), DType::kI32);
  EXPECT_EQ(values(ops::arange(1, 7, 2)), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(ops::arange(std::int64_t{0}, 7).dtype(), DType::kI32);
  EXPECT_EQ(values(ops::arange(0, 1.0, 0.5)), (std::vector<float>{0, 0.5}));
  EXPECT_EQ(ops::arange(0.0, 3.0).dtype(), DType::kF32);
  EXPECT_EQ(values(ops::tensordot(x, x, {1, 2}, {0, 1})),
            values(ops::tensordot(x, x, {.axes = {{1, 2}, {0, 1}}})));
}

TEST(TensorListTest, TakesBracesVectorsArraysAndVariables) {
  const Tensor x = Tensor::of<float>({1}, {1});
  const Variable v(2.0F);
  const std::vector<Tensor> vector = {x, x};
  const std::array<Tensor, 2> array = {x, x};
  EXPECT_EQ(ops::concatenate({x, x, x}).shape(), Dims{3});
  EXPECT_EQ(ops::concatenate(vector).shape(), Dims{2});
  EXPECT_EQ(ops::concatenate(array).shape(), Dims{2});
  EXPECT_EQ(values(ops::hstack({x, v})), (std::vector<float>{1, 2}));
  EXPECT_EQ(ops::vstack({x, x}).shape(), (Dims{2, 1}));
  EXPECT_EQ(ops::meshgrid({x, x}, {.indexing = "ij"}).size(), 2U);
}

TEST(VariableFromTensorTest, TakesNumbersTensorsAndVectors) {
  EXPECT_EQ(Variable(0.5F).value().item<float>(), 0.5F);
  EXPECT_EQ(Variable(0.5F).type(), (TensorType{DType::kF32, {}}));
  EXPECT_EQ(Variable(3).dtype(), DType::kI32);
  const Variable zeros(ops::zeros({3}), {.name = "sums", .trainable = false});
  EXPECT_EQ(zeros.shape(), Dims{3});
  EXPECT_EQ(zeros.name(), "sums");
  EXPECT_EQ(values(Variable(std::vector<float>{1, 2}).value()), (std::vector<float>{1, 2}));
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): a handle to the same state
  const Variable copy(zeros);
  EXPECT_EQ(copy, zeros);
}

TEST(VariableFromTensorTest, BeginsWithTheTensorsValueAndChangesAlone) {
  const Tensor begin = Tensor::of<float>({2}, {1, 2});
  const Variable variable(begin);
  variable.assign(variable + 1.0F);
  EXPECT_EQ(values(begin), (std::vector<float>{1, 2}));
  EXPECT_EQ(values(variable.value()), (std::vector<float>{2, 3}));
}

TEST(VariableFromTensorTest, RefusesUndefinedAndSymbolicTensors) {
  const auto message_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message_of([] { Variable(Tensor(), {.name = "w"}); }),
            "[variable] the initial value is undefined; in variable \"w\"");
  const auto makes_one = function([](const Tensor& x) { return Variable(x, {.name = "w"}).value(); });
  EXPECT_NE(message_of([&] { makes_one(ops::zeros({2})); }).find("[variable] the initial value is symbolic"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0
