// The programs of docs/guide/programming_model.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here.

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;

void tensors() {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const Tensor y = ops::sum(x * 2.0F, {.axis = 0});  // [8, 12], computed at once
  const float first = y.data<float>()[0];
  expect(first == 8 && y.at(1) == 12, "eager operations");
}

void variables() {
  const Variable w(3.0F, {.name = "w"});
  const Tensor before = w.value();
  w.assign(w + 1.0F);  // before stays 3
  expect(before.item<float>() == 3 && w.value().item<float>() == 4, "variables");
}

void functions() {
  const Variable total(0.0F, {.name = "total"});
  const auto add = function([&](const Tensor& x, float factor) {
    total.assign(total + ops::sum(x) * factor);
    return total.value();
  });
  const Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  add(x, 1.0F);                     // traced, compiled, run
  add(x, 1.0F);                     // run
  const Tensor sum = add(x, 2.0F);  // another number is another program
  expect(sum.item<float>() == 24 && add.trace_count() == 2, "function");
}

void tape() {
  const Variable w(3.0F, {.name = "w"});
  Tensor x = 2.0F;
  GradientTape tape({.persistent = true});
  tape.watch(x);
  const Tensor y = w * x * x;
  const Tensor dw = tape.gradient(y, w);  // x * x = 4; w is trainable, so it is watched when it is read
  const Tensor dx = tape.gradient(y, x);  // 2 * w * x = 12
  expect(dw.item<float>() == 4 && dx.item<float>() == 12, "a tape");
}

void second_derivatives() {
  Tensor x = 2.0F;
  GradientTape outer;
  outer.watch(x);
  GradientTape inner;
  inner.watch(x);
  const Tensor first = inner.gradient(x * x * x, x);  // 3 * x * x = 12
  const Tensor second = outer.gradient(first, x);     // 6 * x = 12
  expect(first.item<float>() == 12 && second.item<float>() == 12, "second derivatives");
}

void own_gradient() {
  const auto log1pexp = custom_gradient([](const Tensor& x) {
    const Tensor e = ops::exp(x);
    return std::pair(ops::log(1.0F + e), [=](const Tensor& dy) { return dy * (1.0F - 1.0F / (1.0F + e)); });
  });
  Tensor x = 100.0F;
  GradientTape tape;
  tape.watch(x);
  const Tensor dx = tape.gradient(log1pexp(x), x);  // 1; differentiated op by op it would be NaN
  expect(dx.item<float>() == 1, "a custom gradient");
}

void loops() {
  const auto power = function([](const Tensor& x, const Tensor& n) {
    return fori_loop(
        0, n, [&](const Tensor&, const Tensor& product) { return product * x; }, Tensor::of<float>({}, {1}));
  });
  const Tensor x = Tensor::of<float>({}, {2});
  const Tensor eighth = power(x, Tensor::of<std::int32_t>({}, {8}));
  const Tensor tenth = power(x, Tensor::of<std::int32_t>({}, {10}));  // the same program
  expect(eighth.item<float>() == 256 && tenth.item<float>() == 1024 && power.trace_count() == 1,
         "a loop with a tensor as bound");
}

void more_control_flow() {
  const Tensor x = Tensor::of<float>({4}, {1, 2, 3, 4});
  const Tensor magnitude = cond(ops::greater(ops::sum(x), 0.0F), [&] { return x; }, [&] { return -x; });
  const auto [n, product] =
      while_loop([](const Tensor& i, const Tensor&) { return ops::less(i, 5); },
                 [](const Tensor& i, const Tensor& p) { return std::tuple(i + 1, p * i); },
                 std::tuple(Tensor(1), Tensor(1)));
  const auto [sum, sums] = scan(
      [](const Tensor& so_far, const Tensor& row) {
        const Tensor next = so_far + row;
        return std::pair(next, next);
      },
      Tensor::of<float>({}, {0}), x);  // sums: 1, 3, 6, 10
  const Tensor squares = map([](const Tensor& row) { return row * row; }, x);
  expect(magnitude.at(3) == 4 && product.item<int>() == 24 && n.item<int>() == 5, "cond and while_loop");
  expect(sum.item<float>() == 10 && sums.at(2) == 6 && squares.at(3) == 16, "scan and map");
}

void training_in_a_loop() {
  const Variable w(0.0F, {.name = "w"});
  const auto train = function([&](const Tensor& steps) {
    fori_loop(0, steps, [&](const Tensor&) {
      GradientTape tape;
      const Tensor loss = ops::square(w - 4.0F);
      w.assign(w - 0.25F * tape.gradient(loss, w));
    });
  });
  train(Tensor::of<std::int32_t>({}, {3}));
  expect(w.value().item<float>() == 3.5F, "training in a loop");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program("programming model", argc, argv,
                                            {tensors, variables, functions, tape, second_derivatives,
                                             own_gradient, loops, more_control_flow, training_in_a_loop});
}
