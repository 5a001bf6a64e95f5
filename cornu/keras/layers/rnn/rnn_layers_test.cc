#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras::layers {
namespace {

Tensor rnn_filled(const Dims& shape, std::uint64_t seed = 5) { return random::normal(shape, {.seed = seed}); }

std::string rnn_error(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RecurrentLayerTest, ErrorsNameTheLayerAndWhatItGot) {
  const testing::OnReferenceBackend on_reference;
  EXPECT_EQ(rnn_error([] { LSTM({.units = 0, .name = "l"}); }),
            "[lstm] units must be positive; got units = 0; in layer \"l\"");
  EXPECT_EQ(rnn_error([] { GRU({.units = 2, .recurrent_activation = "sigmiod"}); }),
            "[gru] unknown recurrent_activation; got recurrent_activation = \"sigmiod\"; did you mean "
            "\"sigmoid\"?");
  EXPECT_EQ(rnn_error([] { SimpleRNNCell({.units = -1, .name = "c"}); }),
            "[simple_rnn_cell] units must be positive; got units = -1; in layer \"c\"");
  const LSTM lstm({.units = 3, .name = "l"});
  EXPECT_EQ(rnn_error([&] { lstm(Tensor::zeros({2, 3})); }),
            "[lstm] expected the input to have the dimensions batch, time and features; got an input of "
            "shape (None, 3); in layer \"l\"");
  EXPECT_EQ(
      rnn_error([&] { lstm(Tensor::zeros({2, 0, 3})); }),
      "[lstm] the sequence must have at least one step; got an input of shape (None, 0, 3); in layer \"l\"");
  EXPECT_EQ(
      rnn_error([&] { lstm(Input({.shape = {0, 3}})); }),
      "[lstm] the sequence must have at least one step; got an input of shape (None, 0, 3); in layer \"l\"");
  (void)lstm(Tensor::zeros({2, 4, 5}));
  EXPECT_EQ(rnn_error([&] { lstm(Tensor::zeros({2, 4, 6})); }),
            "[lstm] expected the input to have 5 features; got an input of shape (2, 4, 6); in layer \"l\"");
  EXPECT_EQ(
      rnn_error([&] { lstm({Tensor::zeros({2, 4, 5}), Tensor::zeros({2, 3})}); }),
      "[lstm] expected the sequence, or the sequence and 2 initial states; got 2 inputs; in layer \"l\"");
  EXPECT_EQ(
      rnn_error([&] { lstm({Tensor::zeros({2, 4, 5}), Tensor::zeros({2, 3}), Tensor::zeros({2, 2})}); }),
      "[lstm] initial state 1 must have the shape (2, 3); got (2, 2); in layer \"l\"");
  EXPECT_EQ(rnn_error([&] { lstm(Tensor::zeros({2, 4, 5}), {.mask = Tensor::zeros({2, 3}, DType::kI1)}); }),
            "[lstm] the mask must have the shape (2, 4); got (2, 3); in layer \"l\"");
}

TEST(RecurrentLayerTest, UnrollNeedsAKnownNumberOfSteps) {
  const GRU gru({.units = 2, .unroll = true, .name = "g"});
  EXPECT_EQ(
      rnn_error([&] { gru(Input({.shape = {kUnknown, 3}})); }),
      "[gru] unroll needs a known number of steps; got an input of shape (None, None, 3); in layer \"g\"");
}

TEST(RecurrentLayerTest, OpenLengthsServeAnyLength) {
  const testing::OnReferenceBackend on_reference;
  const SimpleRNN layer({.units = 2, .return_sequences = true});
  EXPECT_EQ(layer(Input({.shape = {kUnknown, 3}})).shape(), (Dims{kUnknown, kUnknown, 2}));
  EXPECT_EQ(layer(rnn_filled({2, 4, 3})).shape(), (Dims{2, 4, 2}));
  EXPECT_EQ(layer(rnn_filled({1, 1, 3})).shape(), (Dims{1, 1, 2}));
}

TEST(RecurrentLayerTest, OldOptionsAreUnderstood) {
  const testing::OnReferenceBackend on_reference;
  const LSTM plain({.units = 2, .kernel_initializer = "ones", .recurrent_initializer = "ones"});
  const LSTM old({.units = 2,
                  .kernel_initializer = "ones",
                  .recurrent_initializer = "ones",
                  .use_cudnn = "auto",
                  .implementation = 1});
  const Tensor x = rnn_filled({2, 3, 2});
  EXPECT_EQ(plain(x).literal(), old(x).literal());
  EXPECT_EQ(rnn_error([] { LSTM({.units = 2, .use_cudnn = "never"}); }),
            "[use_cudnn] expected \"auto\", true or false; got \"never\"");
}

TEST(RecurrentLayerTest, TheForgetGateBeginsWithOnes) {
  const LSTM layer({.units = 2});
  layer->build_once({kUnknown, 3, 4});
  EXPECT_EQ(Tensor(layer->weights()[2].read()).to_vector<float>(),
            (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0}));
}

TEST(RecurrentLayerTest, AFunctionAsActivationGivesWhatItsNameGives) {
  const testing::OnReferenceBackend on_reference;
  const GRU by_name({.units = 3, .return_sequences = true});
  const GRU by_function(
      {.units = 3, .activation = [](const Tensor& x) { return ops::tanh(x); }, .return_sequences = true});
  const Tensor x = rnn_filled({2, 5, 4});
  (void)by_name(x);
  (void)by_function(x);
  by_function->set_weights(by_name->get_weights());
  testing::expect_close(by_function(x), by_name(x), 1e-6, "the general loop");
}

TEST(StatefulLayerTest, KeepsItsStatesUntilTheyAreReset) {
  const testing::OnReferenceBackend on_reference;
  const LSTM stateful({.units = 2, .stateful = true, .name = "s"});
  const Tensor x = rnn_filled({3, 4, 2});
  const Tensor first = stateful(x);
  EXPECT_EQ(stateful.states().size(), 2U);
  EXPECT_FALSE(stateful(x).literal() == first.literal());
  stateful.reset_states();
  EXPECT_EQ(stateful(x).literal(), first.literal());
  EXPECT_EQ(rnn_error([&] { stateful(rnn_filled({2, 4, 2})); }),
            "[lstm] a stateful layer needs batches of one size: its states have 3 rows; got a batch of 2; in "
            "layer \"s\"");
}

TEST(StatefulLayerTest, StatesAreNoWeightsAndLastBetweenBatchesOfAModel) {
  const testing::OnReferenceBackend on_reference;
  const GRU gru({.units = 2, .stateful = true});
  Sequential model({Input({.shape = {4, 2}}), gru});
  EXPECT_EQ(model.weights().size(), 3U);
  const Tensor x = rnn_filled({3, 4, 2});
  const Tensor first = model.predict_on_batch(x);
  EXPECT_FALSE(model.predict_on_batch(x).literal() == first.literal());
  gru.reset_state();
  testing::expect_close(model.predict_on_batch(x), first, 1e-6, "after a reset");
}

TEST(StatefulLayerTest, TrainsByBatchesOfOneSize) {
  const testing::OnReferenceBackend on_reference;
  const GRU gru({.units = 2, .stateful = true, .name = "s"});
  Sequential model({Input({.shape = {4, 2}}), gru});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  model.fit(rnn_filled({8, 4, 2}), ops::zeros({8, 2}), {.batch_size = 4, .epochs = 2, .verbose = 0});
  EXPECT_EQ(gru.states()[0].shape(), (Dims{4, 2}));
  EXPECT_NE(ops::sum(ops::abs(gru.states()[0].value())).item<float>(), 0.0F);
  EXPECT_NE(rnn_error([&] {
              (void)model.predict(rnn_filled({3, 4, 2}), {.verbose = 0});
            }).find("a stateful layer needs batches of one size"),
            std::string::npos);
}

/// A model whose GRU "s" keeps states between batches of rows like those of `x`.
Sequential stateful_model(const GRU& gru) {
  Sequential model({Input({.shape = {4, 2}}), gru});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  return model;
}

TEST(StatefulLayerTest, TrainsInAModelOfAFixedBatch) {
  const Input x({.shape = {4, 2}, .batch_size = 3});
  const GRU gru({.units = 2, .stateful = true, .name = "s"});
  Model model({.inputs = x, .outputs = Dense({.units = 1})(gru(x))});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor y = ops::ones({6, 1});
  const auto history =
      model.fit(rnn_filled({6, 4, 2}), y, {.batch_size = 3, .epochs = 3, .verbose = 0, .shuffle = false});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
  EXPECT_EQ(model.predict(rnn_filled({6, 4, 2}), {.batch_size = 3, .verbose = 0}).shape(), (Dims{6, 1}));
  const auto fit_error = [&](std::int64_t rows, std::int64_t batch_size) {
    return rnn_error([&] {
      model.fit(rnn_filled({rows, 4, 2}), Tensor::zeros({rows, 1}), {.batch_size = batch_size, .verbose = 0});
    });
  };
  EXPECT_NE(fit_error(6, 2).find("its states have 3 rows; got a batch of 2"), std::string::npos);
  EXPECT_NE(fit_error(7, 3).find("7 rows with batch_size = 3, so a last batch of 1"), std::string::npos);
}

TEST(StatefulLayerTest, WorksOnFewerRowsThanABatchHas) {
  const Tensor x = rnn_filled({8, 4, 2}), y = ops::zeros({8, 2}), four = x.rows(0, 4);
  const GRU first({.units = 2, .stateful = true}), fresh({.units = 2, .stateful = true});
  Sequential model = stateful_model(first);
  model.fit(x, y, {.batch_size = 4, .verbose = 0});
  first.reset_state();
  const Tensor wanted = model(four);
  const Tensor states = first.states()[0].value();
  first.reset_state();
  testing::expect_close(model.predict(four, {.verbose = 0}), wanted, 1e-5, "predict");
  testing::expect_close(first.states()[0].value(), states, 1e-5, "states");
  first.reset_state();
  EXPECT_NEAR(model.evaluate(four, y.rows(0, 4), {.verbose = 0})["loss"],
              ops::mean(wanted * wanted).item<float>(), 1e-5);
  Sequential other = stateful_model(fresh);
  other.fit(x, y, {.verbose = 0});
  EXPECT_EQ(fresh.states()[0].shape(), (Dims{8, 2}));
}

TEST(StatefulLayerTest, RefusesBatchesOfAnotherSizeAndKeepsItsStates) {
  const Tensor x = rnn_filled({10, 4, 2}), y = ops::zeros({10, 2});
  const GRU gru({.units = 2, .stateful = true});
  Sequential model = stateful_model(gru);
  const auto is_refused = [](const std::function<void()>& f) {
    return rnn_error(f).find("needs batches of one size") != std::string::npos;
  };
  EXPECT_TRUE(is_refused([&] { model.fit(x, y, {.batch_size = 4, .verbose = 0}); }));
  model.train_on_batch(x.rows(0, 4), y.rows(0, 4));
  const ir::Literal states = gru.states()[0].read();
  EXPECT_TRUE(is_refused([&] { model.train_on_batch(x.rows(0, 3), y.rows(0, 3)); }));
  EXPECT_TRUE(is_refused([&] { model.test_on_batch(x.rows(0, 3), y.rows(0, 3)); }));
  EXPECT_TRUE(is_refused([&] { (void)model.predict_on_batch(x.rows(0, 3)); }));
  EXPECT_TRUE(is_refused([&] { (void)model.predict(x.rows(0, 4), {.batch_size = 3, .verbose = 0}); }));
  EXPECT_TRUE(is_refused([&] { (void)model.predict(x.rows(0, 6), {.batch_size = 4, .verbose = 0}); }));
  EXPECT_EQ(gru.states()[0].read(), states);
}

TEST(StatefulLayerTest, RefusesALastBatchThatIsNotFullBeforeARunBegins) {
  const Tensor x = rnn_filled({10, 4, 2}), y = ops::zeros({10, 2}), eight = x.rows(0, 8),
               y_eight = y.rows(0, 8);
  const GRU gru({.units = 2, .stateful = true, .name = "s"});
  Sequential model = stateful_model(gru);
  model.build({kUnknown, 4, 2});
  const std::vector<Tensor> before = model.get_weights();
  const auto says = [](const std::function<void()>& f, const std::string& part) {
    const std::string error = rnn_error(f);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  const std::string sizes =
      "needs batches of one size; got 10 rows with batch_size = 4, so a last batch of 2";
  says([&] { model.fit(x, y, {.batch_size = 4, .verbose = 0}); }, "has a stateful layer, which " + sizes);
  says([&] { model.fit(x, y, {.batch_size = 4, .epochs = 3, .verbose = 0, .steps_per_epoch = 1}); }, "[fit]");
  says([&] { model.evaluate(x, y, {.batch_size = 4, .verbose = 0}); },
       "has a stateful layer, which " + sizes);
  says([&] { model.fit(eight, y_eight, {.batch_size = 4, .verbose = 0, .validation_data = {x, y}}); },
       "[fit, validation_data]");
  const auto six = [](std::int64_t) { return std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}; };
  says([&] { model.fit(eight, y_eight, {.batch_size = 4, .verbose = 0, .row_order = six}); },
       "[fit, row_order]");
  EXPECT_EQ(model.num_compiles(), 1) << "of the run whose row_order is asked for";
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].literal(), model.weights()[i].read());
  // A run that does not reach the partial batch is accepted.
  EXPECT_EQ(model.fit(x, y, {.batch_size = 4, .epochs = 2, .verbose = 0, .steps_per_epoch = 1}).num_steps, 2);
  EXPECT_NO_THROW(model.evaluate(x, y, {.batch_size = 4, .verbose = 0, .steps = 2}));
}

TEST(BidirectionalTest, CopiesWhatIsNotTrainableAsSuch) {
  const testing::OnReferenceBackend on_reference;
  const std::vector<Recurrent> all = {LSTM({.units = 2}), GRU({.units = 2}), SimpleRNN({.units = 2}),
                                      RNN(LSTMCell({.units = 2})),
                                      RNN({LSTMCell({.units = 2}), GRUCell({.units = 2})})};
  for (const Recurrent& layer : all) {
    layer->set_trainable(false);
    const Bidirectional both(layer);
    both(rnn_filled({1, 2, 3}));
    EXPECT_TRUE(both->trainable_weights().empty()) << layer->name();
    EXPECT_FALSE(both->non_trainable_weights().empty()) << layer->name();
  }
}

void expect_policy(const Layer& layer, const DTypePolicy& policy) {
  EXPECT_EQ(layer.dtype_policy().name(), policy.name()) << layer.name();
  for (const std::shared_ptr<Layer>& inside : layer.sublayers()) expect_policy(*inside, policy);
}

TEST(BidirectionalTest, CopiesKeepTheirPolicies) {
  const DTypePolicy mixed("mixed_bfloat16");
  const auto all = [&] {
    const DTypePolicyScope scope(mixed);
    return std::vector<Recurrent>{LSTM({.units = 2}), GRU({.units = 2}), SimpleRNN({.units = 2}),
                                  RNN(LSTMCell({.units = 2})),
                                  RNN({LSTMCell({.units = 2}), GRUCell({.units = 2})})};
  }();
  for (const Recurrent& layer : all) {
    const Bidirectional both(layer);
    expect_policy(*both.forward_layer(), mixed);
    expect_policy(*both.backward_layer(), mixed);
  }
}

TEST(RecurrentDropoutTest, ActsInTrainingOnlyAndOnTheSameFeaturesInEachStep) {
  const testing::OnReferenceBackend on_reference;
  const SimpleRNN layer({.units = 64,
                         .activation = "linear",
                         .kernel_initializer = initializers::Identity(),
                         .recurrent_initializer = "zeros",
                         .dropout = 0.5,
                         .seed = 3,
                         .return_sequences = true});
  const Tensor ones = ops::ones({2, 3, 64});
  testing::expect_close(layer(ones), ones, 0, "inference");
  const Tensor y = layer(ones, {.training = true});
  std::set<float> values;
  for (const float value : y.to_vector<float>()) values.insert(value);
  EXPECT_EQ(values, (std::set<float>{0, 2}));
  for (std::int64_t row = 0; row < 2; ++row)
    for (std::int64_t t = 1; t < 3; ++t) EXPECT_EQ(y[row][t].literal(), y[row][0].literal());
  EXPECT_FALSE(layer(ones, {.training = true}).literal() == y.literal());
}

TEST(RecurrentDropoutTest, DropsStates) {
  const testing::OnReferenceBackend on_reference;
  const Tensor ones = ops::ones({4, 3, 2});
  for (const double rate : {0.4, 1.0}) {
    const LSTM layer({.units = 8, .recurrent_dropout = rate, .seed = 3});
    const Tensor inference = layer(ones);
    // At rate 1 Keras drops nothing.
    EXPECT_EQ(layer(ones, {.training = true}).literal() == inference.literal(), rate == 1.0);
  }
}

TEST(RecurrentDropoutTest, MoreRowsDoNotShiftTheRowsBefore) {
  const testing::OnReferenceBackend on_reference;
  const GRU layer({.units = 4, .dropout = 0.5, .recurrent_dropout = 0.5, .seed = 9});
  const Tensor counter = Tensor::of<std::uint32_t>({}, {7});
  const Tensor few = layer(ops::ones({2, 3, 4}), {.training = true, .random_counter = counter});
  const Tensor many = layer(ops::ones({5, 3, 4}), {.training = true, .random_counter = counter});
  EXPECT_EQ(many.rows(0, 2).literal(), few.literal());
}

TEST(RecurrentDropoutTest, AStepOfACellThatFailsLeavesNoMasksBehind) {
  const testing::OnReferenceBackend on_reference;
  const LSTMCell cell({.units = 2, .dropout = 0.9, .seed = 1});
  const Tensor x = rnn_filled({2, 8}), h = Tensor::zeros({2, 2}), c = Tensor::zeros({2, 2});
  const std::vector<Tensor> inputs = {x, h, c}, wrong = {rnn_filled({2, 5}), h, c};
  const Tensor inference = cell.call_many(inputs)[0];
  EXPECT_NE(rnn_error([&] { (void)cell.call_many(wrong); }).find("to have 8 features"), std::string::npos);
  EXPECT_FALSE(cell.call_many(inputs, {.training = true})[0].literal() == inference.literal());
}

TEST(RnnTest, ACellOfAnotherDtypeTakesStatesInItsOwnAndTheLayerGivesItsOwn) {
  const testing::OnReferenceBackend on_reference;
  const LSTMCell cell({.units = 2, .dtype = "bfloat16"});
  const Tensor x = rnn_filled({2, 3, 4}), h = rnn_filled({2, 2}, 1), c = rnn_filled({2, 2}, 2);
  const Tensor mask = Tensor::of<bool>({2, 3}, {true, false, true, true, true, false});
  for (const bool has_states : {false, true}) {
    const std::vector<Tensor> inputs = has_states ? std::vector<Tensor>{x, h, c} : std::vector<Tensor>{x};
    const RNN other(cell, {.return_sequences = true, .return_state = true});
    const RNN same(cell, {.return_sequences = true, .return_state = true, .dtype = "bfloat16"});
    const std::vector<Tensor> got = other.call_many(inputs, {.mask = mask}),
                              wanted = same.call_many(inputs, {.mask = mask});
    ASSERT_EQ(got.size(), 3U);
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].dtype(), DType::kF32);
      EXPECT_EQ(wanted[i].dtype(), DType::kBF16);
      testing::expect_close(got[i], ops::cast(wanted[i], DType::kF32), 1e-6, "output " + std::to_string(i));
    }
  }
}

TEST(RnnTest, GivenStatesTakeTheDtypeOfTheirCellInAStack) {
  const testing::OnReferenceBackend on_reference;
  const RNN layer(StackedRNNCells({LSTMCell({.units = 2}), LSTMCell({.units = 2, .dtype = "bfloat16"})}),
                  {.return_state = true});
  const Tensor x = rnn_filled({2, 3, 4}), zeros = Tensor::zeros({2, 2});
  const std::vector<Tensor> without = layer.call_many(std::vector<Tensor>{x});
  const std::vector<Tensor> given = layer.call_many(std::vector<Tensor>{x, zeros, zeros, zeros, zeros});
  ASSERT_EQ(given.size(), 5U);
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_TRUE(given[i].literal() == without[i].literal()) << i;
}

TEST(BidirectionalTest, GivesItsOwnDtypeWhateverTheLayersComputeIn) {
  const testing::OnReferenceBackend on_reference;
  const LSTM inside({.units = 2, .dtype = "bfloat16"});
  const Bidirectional other(inside), same(inside, {.dtype = "bfloat16"});
  EXPECT_EQ(other(Input({.shape = {3, 4}})).dtype(), DType::kF32);
  const Tensor x = rnn_filled({2, 3, 4}), y = other(x);
  EXPECT_EQ(y.dtype(), DType::kF32);
  (void)same(x);
  same->set_weights(other->get_weights());
  testing::expect_close(y, ops::cast(same(x), DType::kF32), 1e-6, "both directions");
}

TEST(RnnTest, CellsAreLayersOfOneStep) {
  const testing::OnReferenceBackend on_reference;
  const LSTMCell cell({.units = 3});
  const Tensor x = rnn_filled({2, 4}), h = Tensor::zeros({2, 3}), c = Tensor::zeros({2, 3});
  const std::vector<Tensor> step = cell.call_many(std::vector<Tensor>{x, h, c});
  ASSERT_EQ(step.size(), 3U);
  const RNN rnn(cell);
  testing::expect_close(rnn(ops::expand_dims(x, 1)), step[0], 1e-6, "one step");
  EXPECT_EQ(rnn_error([&] { (void)cell.call_many(std::vector<Tensor>{x, h}); }),
            "[lstm_cell] expected the input of a step and 2 states; got 2 inputs; in layer \"" +
                cell->name() + "\"");
}

/// A cell that counts its steps and cannot be copied.
class CountingCell : public RecurrentCell {
 public:
  CountingCell() : RecurrentCell({.class_name = "Counting", .name = "counting"}) {}
  std::vector<std::int64_t> state_sizes() const override { return {1}; }

 protected:
  CellStep step(const Tensor&, std::span<const Tensor> states, const CallContext&) override {
    const Tensor next = states[0] + 1.0;
    return {next, {next}};
  }
};

TEST(RnnTest, AUsersCellCountsTheStepsThatAreNotMasked) {
  const testing::OnReferenceBackend on_reference;
  const RNN rnn(std::make_shared<CountingCell>(), {.return_sequences = true});
  const Tensor mask = Tensor::of<bool>({2, 4}, {true, false, true, true, false, false, false, true});
  const Tensor y = rnn(ops::zeros({2, 4, 3}), {.mask = mask});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1, 1, 2, 3, 0, 0, 0, 1}));
  EXPECT_EQ(rnn_error([&] { Bidirectional b(rnn, {.name = "b"}); }),
            "[bidirectional] the cell must override copy(), or backward_layer must be given; in layer "
            "\"counting\"");
}

TEST(RecurrentMaskTest, AnEmbeddingsPaddingChangesNothing) {
  const testing::OnReferenceBackend on_reference;
  Sequential model({Input({.shape = {kUnknown}, .dtype = DType::kI32}),
                    Embedding({.input_dim = 9, .output_dim = 4, .mask_zero = true}),
                    Bidirectional(GRU({.units = 3, .return_sequences = true})), LSTM({.units = 2})});
  const Tensor padded = model.predict_on_batch(Tensor::of<std::int32_t>({1, 6}, {0, 3, 5, 7, 0, 0}));
  testing::expect_close(padded, model.predict_on_batch(Tensor::of<std::int32_t>({1, 3}, {3, 5, 7})), 1e-6,
                        "without padding");
}

TEST(RecurrentMaskTest, AMaskThatAnInputCarriesDoesNotReachACallWithInitialStates) {
  const testing::OnReferenceBackend on_reference;
  const Tensor mask = Tensor::of<bool>({2, 3}, {true, false, true, true, true, false});
  const Tensor x = rnn_filled({2, 3, 4}), h = rnn_filled({2, 2}, 1);
  const LayerHandle forward = GRU({.units = 2, .return_sequences = true}),
                    both = Bidirectional(GRU({.units = 2, .return_sequences = true}));
  for (const auto& [layer, states] : {std::pair{forward, std::vector{h}}, {both, {h, h}}}) {
    SCOPED_TRACE(layer->class_name());
    std::vector<Tensor> inputs = {x};
    inputs.insert(inputs.end(), states.begin(), states.end());
    const std::vector<Tensor> unmasked = layer->call_many(inputs);
    inputs[0] = x.with_mask(mask);
    const std::vector<Tensor> carried = layer->call_many(inputs);
    testing::expect_close(carried[0], unmasked[0], 0, "as Keras computes it");
    EXPECT_NE(carried[0].mask(), nullptr) << "layers after it see the mask";
    const std::vector<Tensor> given = layer->call_many(inputs, {.mask = mask});
    EXPECT_NE(given[0].to_vector<float>(), unmasked[0].to_vector<float>());
  }
}

TEST(BidirectionalTest, RefusesLayersThatDoNotFit) {
  EXPECT_EQ(rnn_error([] { Bidirectional(LSTM({.units = 2}), {.merge_mode = "max", .name = "b"}); }),
            "[bidirectional] merge_mode must be \"sum\", \"mul\", \"concat\", \"ave\" or none; got "
            "merge_mode = \"max\"; in layer \"b\"");
  EXPECT_EQ(
      rnn_error(
          [] { Bidirectional(LSTM({.units = 2}), {.backward_layer = LSTM({.units = 2}), .name = "b"}); }),
      "[bidirectional] the layers must go different ways; got go_backwards = false for both; in layer \"b\"");
  EXPECT_EQ(rnn_error([] {
              Bidirectional(LSTM({.units = 2, .return_sequences = true}),
                            {.backward_layer = LSTM({.units = 2, .go_backwards = true}), .name = "b"});
            }),
            "[bidirectional] both layers must have the same return_sequences; got true forward and false "
            "backward; in layer \"b\"");
}

TEST(BidirectionalTest, TrainsInAModel) {
  const testing::OnReferenceBackend on_reference;
  Sequential model({Input({.shape = {6, 3}}), Bidirectional(LSTM({.units = 4})),
                    Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}), .loss = "binary_crossentropy"});
  const Tensor x = rnn_filled({32, 6, 3});
  const Tensor y = ops::cast(ops::greater(ops::sum(x, {.axis = ops::Axes({1, 2})}), 0), DType::kF32);
  const double before = model.evaluate(x, y, {.verbose = 0})["loss"];
  model.fit(x, y, {.batch_size = 8, .epochs = 15, .verbose = 0});
  EXPECT_LT(static_cast<double>(model.evaluate(x, y, {.verbose = 0})["loss"]), 0.7 * before);
}

TEST(TimeDistributedTest, ChecksItsInput) {
  const testing::OnReferenceBackend on_reference;
  const TimeDistributed layer(Dense({.units = 2}), {.name = "t"});
  EXPECT_EQ(rnn_error([&] { layer(Tensor::zeros({2, 3})); }),
            "[time_distributed] expected the input to have at least 3 dimensions; got an input of shape "
            "(None, 3); in layer \"t\"");
  EXPECT_EQ(rnn_error([&] { layer(Tensor::zeros({2, 3, 4}), {.mask = Tensor::zeros({2, 2}, DType::kI1)}); }),
            "[time_distributed] the mask must begin with the batch and time of the input (2, 3, 4); got (2, "
            "2); in layer \"t\"");
}

TEST(TimeDistributedTest, RefusesASequenceWithoutSteps) {
  const testing::OnReferenceBackend on_reference;
  const TimeDistributed layer(Dense({.units = 2}), {.name = "t"});
  EXPECT_EQ(rnn_error([&] { layer(Tensor::zeros({2, 0, 4})); }),
            "[time_distributed] the sequence must have at least one step; got an input of shape (None, 0, "
            "4); in layer \"t\"");
}

TEST(TimeDistributedTest, DropoutOfAShapeThatSaysTheBatchIsDrawnForEachStep) {
  const testing::OnReferenceBackend on_reference;
  const TimeDistributed layer(Dropout({.rate = 0.5, .noise_shape = Dims{4, 1}, .seed = 3}));
  const auto draw = [&](const CallArguments& arguments) { return layer(ops::ones({4, 16, 5}), arguments); };
  for (const bool has_counter : {false, true}) {
    CallArguments arguments{.training = true};
    if (has_counter) arguments.random_counter = Tensor::of<std::uint32_t>({}, {7});
    const Tensor y = draw(arguments);
    // Whole rows of a step fall out, and not the same ones in each step.
    std::int64_t num_other = 0;
    for (std::int64_t row = 0; row < 4; ++row) {
      for (std::int64_t t = 0; t < 16; ++t) {
        for (std::int64_t i = 1; i < 5; ++i)
          EXPECT_EQ(y[row][t][i].item<float>(), y[row][t][0].item<float>());
        if (y[row][t][0].item<float>() != y[row][0][0].item<float>()) ++num_other;
      }
    }
    EXPECT_GT(num_other, 10);
  }
  EXPECT_EQ(layer(ops::ones({4, 16, 5})).at(0), 1);
}

TEST(RecurrentLayerTest, ErrorsOfTheCellInsideNameTheLayerThatTheUserMade) {
  const testing::OnReferenceBackend on_reference;
  EXPECT_EQ(rnn_error([&] { GRU({.units = 2, .name = "g"})(Tensor::zeros({1, 2, 3, 4})); }),
            "[gru] the input of a step must have the dimensions batch and features; got shape (None, 3, 4); "
            "in layer \"g\"");
}

TEST(TimeDistributedTest, ALayerWithAStateSeesOneStepAfterTheOther) {
  const testing::OnReferenceBackend on_reference;
  const BatchNormalization inside({.momentum = 0.5}), alone({.momentum = 0.5});
  const TimeDistributed layer(inside);
  const Tensor x = rnn_filled({6, 3, 2});
  const Tensor y = layer(x, {.training = true});
  for (std::int64_t t = 0; t < 3; ++t) {
    const Tensor step = ops::squeeze(x.slice({{}, {t, t + 1}}), 1);
    testing::expect_close(ops::squeeze(y.slice({{}, {t, t + 1}}), 1), alone(step, {.training = true}), 1e-6,
                          "a step");
  }
  for (std::size_t i = 0; i < 4; ++i)
    testing::expect_close(inside->get_weights()[i], alone->get_weights()[i], 1e-6, "a weight");
  EXPECT_EQ(layer(x).shape(), x.shape());
}

Tensor step_at(const Tensor& x, std::int64_t t) { return ops::squeeze(x.slice({{}, {t, t + 1}}), 1); }

TEST(TimeDistributedTest, AModelInsideGetsTheMaskOfEachStep) {
  const testing::OnReferenceBackend on_reference;
  Sequential inside({LSTM({.units = 2})});
  const TimeDistributed layer(inside);
  const Tensor x = rnn_filled({1, 2, 3, 2});
  const Tensor mask = Tensor::of<bool>({1, 2, 3}, {true, false, true, true, true, false});
  const Tensor y = layer(x, {.mask = mask});
  for (std::int64_t t = 0; t < 2; ++t)
    testing::expect_close(step_at(y, t), inside(step_at(x, t).with_mask(step_at(mask, t))), 1e-6, "a step");
}

TEST(TimeDistributedTest, WhatTakesTheRowsOfABatchTogetherSeesThoseOfOneStep) {
  const testing::OnReferenceBackend on_reference;
  const Tensor shares = TimeDistributed(Softmax({.axis = 0}))(ops::zeros({2, 3, 1}));
  EXPECT_EQ(shares.to_vector<float>(), std::vector<float>(6, 0.5F));
  const Tensor x = rnn_filled({4, 3, 2});
  const auto expect_steps = [&](const LambdaFunction& function, const Tensor& wanted, const char* what) {
    testing::expect_close(TimeDistributed(Lambda({.function = function}))(x), wanted, 1e-6, what);
  };
  expect_steps(
      [](const Tensor& rows) { return rows / ops::sum(ops::ones_like(rows), {.axis = 0, .keepdims = true}); },
      x / 4.0F, "the number of rows");
  expect_steps([](const Tensor& rows) { return rows - ops::mean(rows, {.axis = 0, .keepdims = true}); },
               x - ops::mean(x, {.axis = 0, .keepdims = true}), "a mean over rows");
  expect_steps([](const Tensor& rows) { return rows * static_cast<double>(rows.shape()[0]); }, x * 4.0,
               "the number of rows");
  const auto numbers = [](std::int64_t count) { return ops::cast(ops::arange(count), DType::kF32); };
  expect_steps([&](const Tensor& rows) { return rows + ops::reshape(numbers(rows.shape()[0]), {-1, 1}); },
               x + ops::reshape(numbers(4), {4, 1, 1}), "numbers of rows");
  const Tensor wide = rnn_filled({4, 3, 9});
  const TimeDistributed rolled(
      Lambda({.function = [](const Tensor& rows) { return ops::roll(rows, rows.shape()[0], {.axis = 1}); }}));
  testing::expect_close(rolled(wide), ops::roll(wide, 4, {.axis = 2}), 1e-6, "a place by the number of rows");
}

/// Divides by the number of data rows.
class DividesByRows : public Layer {
 public:
  DividesByRows() : Layer("DividesByRows", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext& context) override {
    return context.rows.defined() ? x / context.rows.num_valid : x;
  }
};

TEST(TimeDistributedTest, ALayerThatUsesTheNumberOfRowsThatCountSeesThatOfAStep) {
  const testing::OnReferenceBackend on_reference;
  const TimeDistributed layer(LayerOf<DividesByRows>{});
  const Tensor x = rnn_filled({4, 3, 2});
  testing::expect_close(layer(x, {.rows = RowMask::first_rows(2, 4)}), x / 2.0, 1e-6, "each step");
}

TEST(TimeDistributedTest, APlaceThatIsDrawnForABatchIsDrawnForEachStep) {
  const testing::OnReferenceBackend on_reference;
  const TimeDistributed layer(RandomCrop({.height = 1, .width = 1, .seed = 3}));
  const Tensor image = ops::reshape(ops::cast(ops::arange(16), DType::kF32), {1, 1, 4, 4, 1});
  const Tensor y = layer(ops::repeat(image, 16, {.axis = 1}), {.training = true});
  std::set<float> places;
  for (const float place : y.to_vector<float>()) places.insert(place);
  EXPECT_GT(places.size(), 1U);
}

/// Records the number of rows of its calls.
class RowsSeen : public Layer {
 public:
  explicit RowsSeen(const LayerHandle& inside) : Layer("RowsSeen", ""), inside_(track(inside)) {}
  std::int64_t num_rows = 0;  // in the last call

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    num_rows = x.shape()[0];
    return inside_(x);
  }

 private:
  LayerHandle inside_;
};

TEST(TimeDistributedTest, LayersThatKeepRowsApartAreCalledOnceForAllSteps) {
  const testing::OnReferenceBackend on_reference;
  const auto rows_seen = [](const LayerHandle& inside, const Dims& shape, bool training = false) {
    const LayerOf<RowsSeen> seen(inside);
    const TimeDistributed layer(seen);
    for (int i = 0; i < 2; ++i) {
      seen->num_rows = 0;
      EXPECT_EQ(layer(rnn_filled(shape), {.training = training}).shape()[1], 3);
    }
    return seen->num_rows;
  };
  EXPECT_EQ(rows_seen(Dense({.units = 2, .activation = "relu"}), {5, 3, 4}), 15);
  EXPECT_EQ(rows_seen(Dense({.units = 2}), {5, 3, 4}, true), 15);
  EXPECT_EQ(rows_seen(Conv2D({.filters = 2, .kernel_size = 2, .padding = "same"}), {5, 3, 4, 4, 1}), 15);
  EXPECT_EQ(rows_seen(LSTM({.units = 2}), {5, 3, 4, 2}), 15);
  EXPECT_EQ(rows_seen(LayerNormalization(), {5, 3, 4}), 15);
  EXPECT_EQ(rows_seen(Softmax(), {5, 3, 4}), 15);
  EXPECT_EQ(rows_seen(Dropout({.rate = 0.5}), {5, 3, 4}, true), 15);
  EXPECT_EQ(rows_seen(BatchNormalization(), {5, 3, 4}), 15);
  EXPECT_EQ(rows_seen(BatchNormalization(), {5, 3, 4}, true), 5);
}

}  // namespace
}  // namespace cornu::inline v0::keras::layers
