#include "cornu/tensor/remat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu {
namespace {

Tensor normal(const Dims& shape, std::uint64_t seed) { return random::normal(shape, {.seed = seed}); }

std::vector<float> bits(const std::vector<Tensor>& tensors) {
  std::vector<float> all;
  for (const Tensor& tensor : tensors)
    for (const float x : tensor.to_vector<float>()) all.push_back(x);
  return all;
}

TEST(RematTest, ValuesAndGradientsAreTheSame) {
  const Variable w(normal({8, 8}, 1).literal(), {.name = "w"}), b(normal({8}, 2).literal(), {.name = "b"});
  const auto block = [&](const Tensor& x) { return ops::gelu(ops::matmul(ops::tanh(x), w) + b); };
  const auto step = [&](const auto& f) {
    return function([&](const Tensor& x) {
      GradientTape tape;
      tape.watch(x);
      const Tensor loss = ops::mean(ops::square(f(f(x))));
      std::vector<Tensor> gradients = tape.gradient(loss, std::vector{w, b});
      return std::pair(loss, gradients);
    });
  };
  const Tensor x = normal({16, 8}, 3);
  const auto [loss, gradients] = step(block)(x);
  const auto [again, gradients_again] = step(remat(block))(x);
  EXPECT_EQ(loss.item<float>(), again.item<float>());
  EXPECT_EQ(bits(gradients), bits(gradients_again));
}

TEST(RematTest, RunsOnceAndKeepsWhatHasNoGradient) {
  const Variable count(ir::Literal::scalar(DType::kF32, 0), {.name = "count", .trainable = false});
  const auto block = remat([&](const Tensor& x, const Tensor& scale) {
    count.assign_add(Tensor(1.0F));
    return std::pair(ops::exp(x * scale), ops::argmax(x));
  });
  auto step = function([&](const Tensor& x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    const auto [y, largest] = block(x, Tensor(2.0F));
    return std::pair(tape.gradient(ops::sum(y * y), x), largest);
  });
  const Tensor x = Tensor::of<float>({3}, {0.0F, 1.0F, -1.0F});
  const auto [gradient, largest] = step(x);
  EXPECT_EQ(count.value().item<float>(), 1);
  EXPECT_EQ(largest.item<int>(), 1);
  for (int i = 0; i < 3; ++i) {
    const double y = std::exp(2 * x.at(i));
    EXPECT_NEAR(gradient.at(i), 2 * y * y * 2, 1e-4 * y * y);
  }
}

TEST(RematTest, AnArgumentThatIsReturnedAndASecondGradient) {
  const auto same = remat([](const Tensor& x) { return std::vector<Tensor>{x, x * x * x}; });
  auto step = function([&](const Tensor& x) {
    GradientTape outer;
    outer.watch(x);
    GradientTape inner;
    inner.watch(x);
    const std::vector<Tensor> results = same(x);
    const Tensor first = inner.gradient(ops::sum(results[0] * results[1]), x);  // of x^4
    return std::pair(first, outer.gradient(ops::sum(first), x));
  });
  const auto [first, second] = step(Tensor::of<float>({2}, {2.0F, -1.0F}));
  EXPECT_EQ(first.to_vector<float>(), (std::vector<float>{32, -4}));
  EXPECT_EQ(second.to_vector<float>(), (std::vector<float>{48, 12}));
}

TEST(RematTest, ARegionInsideOfALoopAndInsideOfAnother) {
  const auto inside = remat([](const Tensor& x) { return ops::sin(x) * x; });
  const auto outside = remat([&](const Tensor& x) { return ops::cos(inside(x)) + x; });
  const auto plain = [](const Tensor& x) { return ops::cos(ops::sin(x) * x) + x; };
  const auto gradient = [](const auto& f) {
    return function([&](const Tensor& x) {
      GradientTape tape;
      tape.watch(x);
      const Tensor last = fori_loop(0, 3, [&](const Tensor&, const Tensor& at) { return f(at); }, x);
      return tape.gradient(ops::sum(last), x);
    });
  };
  const Tensor x = normal({5}, 4);
  const Tensor ours = gradient(outside)(x), wanted = gradient(plain)(x);
  for (std::int64_t i = 0; i < 5; ++i) EXPECT_NEAR(ours.at(i), wanted.at(i), 1e-6);  // another order of sums
}

TEST(RematTest, EagerCallsRunAsTheyAre) {
  const auto block = remat([](const Tensor& x) { return x * x; });
  const Tensor x = Tensor::of<float>({}, {3.0F});
  GradientTape tape;
  tape.watch(x);
  EXPECT_EQ(tape.gradient(block(x), x).item<float>(), 6);
  EXPECT_THROW(remat(std::function<Tensor(const Tensor&)>()), Error);
}

}  // namespace
}  // namespace cornu
