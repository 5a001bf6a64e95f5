// The programs of docs/guide/recurrent_layers.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here.

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

Tensor numbers(const Dims& shape, std::uint64_t seed) {
  return random::uniform(shape, {.minval = -1, .maxval = 1, .seed = seed});
}

bool same(const Tensor& x, const Tensor& y) { return ops::max(ops::abs(x - y)).item<float>() < 1e-5F; }

void trained_both_ways() {
  const Tensor x = numbers({256, 12, 3}, 1);
  const Tensor y = ops::cast(ops::greater(ops::sum(x, {.axis = {1, 2}}), 0.0F), DType::kF32);

  Sequential model({layers::Input({.shape = {kUnknown, 3}}),  // any number of steps
                    layers::Bidirectional(layers::LSTM({.units = 8})),
                    layers::Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.02}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});
  const auto history = model.fit(x, y, {.batch_size = 32, .epochs = 10, .verbose = 0});

  expect(history["accuracy"].back() > 0.85, "a bidirectional LSTM learns");
}

void states() {
  const Tensor x = numbers({2, 6, 3}, 2);
  const layers::LSTM lstm({.units = 4, .return_sequences = true, .return_state = true});
  const std::vector<Tensor> first = lstm.call_many({x.slice({{}, {0, 4}})});  // output, h, c
  const std::vector<Tensor> rest = lstm.call_many({x.slice({{}, {4, 6}}), first[1], first[2]});
  const std::vector<Tensor> whole = lstm.call_many({x});

  expect(same(rest[0], whole[0].slice({{}, {4, 6}})), "a sequence in two parts");
}

void stateful() {
  const Tensor x = numbers({2, 6, 3}, 3);
  const layers::GRU gru({.units = 4, .stateful = true});
  (void)gru(x);
  const Tensor second = gru(x);  // goes on where the first call ended
  gru.reset_state();

  // The truth: a layer without states that last, over both sequences as one.
  const layers::GRU whole({.units = 4});
  whole->build_once({kUnknown, kUnknown, 3});
  whole.set_weights(gru.get_weights());
  expect(same(second, whole(ops::concatenate({x, x}, 1))), "a stateful layer goes on");
  expect(same(gru(x), whole(x)) && !same(whole(x), second), "reset_state begins anew");
}

void masks() {
  const Tensor x = numbers({1, 3, 2}, 4);
  const Tensor mask = Tensor::of<bool>({1, 3}, {true, false, true});
  const layers::GRU gru({.units = 4, .return_sequences = true});
  // y[0][1] repeats y[0][0]: the state stays where the mask is false.
  const Tensor y = gru(x, {.mask = mask});

  expect(same(y[0][1], y[0][0]) && !same(y[0][2], y[0][1]), "a masked step");
}

/// h = decay * h + x . kernel: an average that forgets.
class Fading : public layers::RecurrentCell {
 public:
  explicit Fading(std::int64_t units) : RecurrentCell({.class_name = "Fading"}), units_(units) {}
  std::vector<std::int64_t> state_sizes() const override { return {units_}; }
  std::shared_ptr<RecurrentCell> copy() const override {
    return std::make_shared<Fading>(units_);
  }  // for Bidirectional

 protected:
  void build(const Dims& step) override {
    kernel_ = add_weight({.name = "kernel", .shape = {step.back(), units_}});
    decay_ = add_weight({.name = "decay", .shape = {units_}, .initializer = initializers::Constant(0.9)});
  }
  layers::CellStep step(const Tensor& x, std::span<const Tensor> states, const CallContext&) override {
    const Tensor h = decay_ * states[0] + ops::matmul(x, kernel_);
    return {h, {h}};
  }

 private:
  std::int64_t units_;
  Variable kernel_, decay_;
};

void cells() {
  const Tensor x = numbers({2, 5, 3}, 5);
  const Tensor faded = layers::RNN(std::make_shared<Fading>(4))(x);
  const Tensor stacked = layers::RNN({layers::LSTMCell({.units = 8}), layers::GRUCell({.units = 4})},
                                     {.return_sequences = true})(x);

  expect(faded.shape() == Dims{2, 4} && stacked.shape() == Dims{2, 5, 4}, "cells");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program("recurrent layers", argc, argv,
                                            {trained_both_ways, states, stateful, masks, cells});
}
