// The programs of docs/guide/mixed_precision.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here.

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

Tensor numbers(const Dims& shape, std::uint64_t seed) { return random::normal(shape, {.seed = seed}); }

void a_layer() {
  layers::Dense dense({.units = 8, .dtype = "mixed_bfloat16"});
  const Tensor y = dense(numbers({2, 4}, 1));
  expect(y.dtype() == DType::kBF16 && dense.kernel().dtype() == DType::kF32,
         "computes in bfloat16 on float32");
}

void all_layers() {
  const DTypePolicyScope scope("mixed_float16");
  Sequential model({Input({.shape = {4}}), layers::Dense({.units = 16, .activation = "relu"}),
                    layers::Dense({.units = 1, .dtype = "float32"})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
  expect(model.optimizer()->class_name() == "LossScaleOptimizer", "compile scales the loss");
  const Tensor x = numbers({64, 4}, 2), y = ops::sum(x, {.axis = 1, .keepdims = true});
  const auto history = model.fit(x, y, {.epochs = 20, .verbose = 0});
  expect(history.history["loss"].back() < 0.5 * history.history["loss"].front(), "it learns");
}

void for_all_threads() {
  set_dtype_policy("mixed_bfloat16");
  layers::Dense dense({.units = 8});
  expect(dense.dtype_policy().name() == "mixed_bfloat16", "the policy of new layers");
  set_dtype_policy("float32");
}

void by_hand() {
  layers::Dense dense({.units = 1, .dtype = "mixed_float16"});
  dense->build_once({kUnknown, 4});
  const Tensor x = numbers({16, 4}, 3), y = ops::sum(x, {.axis = 1, .keepdims = true});
  optimizers::LossScaleOptimizer optimizer({.inner_optimizer = optimizers::SGD({.learning_rate = 0.1})});
  auto step = function([&](const Tensor& inputs, const Tensor& labels) {
    GradientTape tape;
    const Tensor loss = ops::mean(ops::square(ops::cast(dense(inputs), DType::kF32) - labels));
    optimizer.apply(tape.gradient(optimizer->scale_loss(loss), dense.trainable_variables()),
                    dense.trainable_variables());
    return loss;
  });
  const double first = step(x, y).item<double>();
  double last = first;
  for (int i = 0; i < 50; ++i) last = step(x, y).item<double>();
  expect(last < 0.1 * first, "a step of one's own learns");
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program("mixed precision", argc, argv,
                                     {a_layer, all_layers, for_all_threads, by_hand});
}
