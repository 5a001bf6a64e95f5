#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/gradient.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/random.h"

/// User-defined layers, metrics and steps that compute over the rows of a batch without regard to padding:
/// partial batches give the results of op-by-op steps, which have no padding. The library's own classes never
/// need a second program.
namespace cornu::inline v0::keras {
namespace {

class RowProofTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(RowProofTest);

/// Distances from the mean row of the batch.
class Centred : public Layer {
 public:
  Centred() : Layer("Centred", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    return x - ops::mean(x, {.axis = 0, .keepdims = true});
  }
};

/// The square of the sum of all predictions of each batch, added up.
class SquaredSums : public Metric {
 public:
  SquaredSums() : Metric("squared_sums") { total_ = add_variable("total"); }
  void update_state(const Tensor&, const Tensor& y_pred, const SampleWeights&) override {
    total_.assign(total_.value() + ops::square(ops::sum(y_pred)));
  }
  Tensor result() const override { return total_.value(); }

 private:
  Variable total_;
};

/// Counts rows and averages their first values, as is usual in Keras.
class CountedMean : public Metric {
 public:
  CountedMean() : Metric("counted_mean") {
    total_ = add_variable("total");
    count_ = add_variable("count");
  }
  void update_state(const Tensor&, const Tensor& y_pred, const SampleWeights& weights) override {
    const Tensor first = y_pred.slice({{}, {.end = 1}});
    total_.assign(total_.value() + ops::sum(weights.rows.zero_padding(first)));
    count_.assign(count_.value() + static_cast<float>(y_pred.num_rows()));
  }
  Tensor result() const override { return total_.value() / count_.value(); }

 private:
  Variable total_, count_;
};

/// Adds up the results of `f` on each batch's predictions, whose shape `f` reads.
class SumOf : public Metric {
 public:
  using Function = std::function<Tensor(const Tensor& y_pred, const RowMask& rows)>;
  explicit SumOf(Function function) : Metric("sum_of"), function_(std::move(function)) {
    total_ = add_variable("total");
  }
  void update_state(const Tensor&, const Tensor& y_pred, const SampleWeights& weights) override {
    total_.assign(total_.value() + function_(y_pred, weights.rows));
  }
  Tensor result() const override { return total_.value(); }

 private:
  Function function_;
  Variable total_;
};

/// A step whose loss is a mean over all rows of the batch.
class PlainStep : public Network {
 public:
  PlainStep() : Network("PlainStep", "") {}

  StepLogs train_step(StepTools& tools, const StepData& data) override {
    GradientTape tape;
    const Tensor loss = losses::MeanSquaredError()(data.y[0], hidden_(data.x[0]));
    tools.apply(tape.gradient(loss, hidden_->trainable_weights()), hidden_->trainable_weights());
    return {{"loss", loss}};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return hidden_(x); }

 private:
  LayerHandle hidden_ = track(layers::Dense(
      {.units = 3, .activation = "tanh", .kernel_initializer = initializers::GlorotUniform({.seed = 5})}));
};

Sequential centred_model() {
  return Sequential(
      {layers::Input({.shape = {4}}),
       layers::Dense({.units = 8,
                      .activation = "relu",
                      .kernel_initializer = initializers::GlorotUniform({.seed = 1})}),
       LayerHandle(std::make_shared<Centred>()),
       layers::Dense({.units = 3, .kernel_initializer = initializers::GlorotUniform({.seed = 2})})});
}

void expect_same_training(const callbacks::History& made, const callbacks::History& wanted) {
  ASSERT_EQ(made.history.keys(), wanted.history.keys());
  for (const auto& [name, values] : wanted.history)
    for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
      EXPECT_NEAR(made[name][epoch], values[epoch], 3e-5 * std::max(1.0, std::abs(values[epoch])))
          << name << " of epoch " << epoch;
}

/// Trains the model of `make`, op by op and compiled, on 27 rows in batches of 8, and compares.
template <typename Make>
void expect_trains_as_op_by_op(Make&& make, CompileOptions options) {
  const Flowers data(27), held_out(13, 9);
  const FitOptions fit{.batch_size = 8,
                       .epochs = 2,
                       .verbose = 0,
                       .validation_data = {held_out.x, held_out.one_hot},
                       .shuffle = false};
  options.run_eagerly = true;
  auto eager = make();
  eager.compile(options);
  const callbacks::History wanted = eager.fit(data.x, data.one_hot, fit);
  options.run_eagerly = false;
  for (const int steps : {1, 2, 50}) {
    options.steps_per_execution = steps;
    auto model = make();
    model.compile(options);
    expect_same_training(model.fit(data.x, data.one_hot, fit), wanted);
    EXPECT_LT(largest_difference(model.weights(), eager.weights()), 3e-5);
    EXPECT_NE(model.train_program(data.x, data.one_hot, fit)
                  .explain.find("partial batches: a program for each size"),
              std::string::npos);
  }
}

TEST_P(RowProofTest, ALayerThatTakesRowsTogetherIsExactInPartialBatches) {
  expect_trains_as_op_by_op(centred_model,
                            {.optimizer = "sgd", .loss = "mse", .metrics = {"mae"}, .seed = 1});
}

TEST_P(RowProofTest, AMetricOfTheUsersThatKnowsNothingOfRowsIsExactInPartialBatches) {
  const auto make = [] { return small_model(); };
  expect_trains_as_op_by_op(make, {.optimizer = "sgd",
                                   .loss = "mse",
                                   .metrics = {MetricHandle(std::make_shared<SquaredSums>())},
                                   .seed = 1});
}

TEST_P(RowProofTest, AMetricThatCountsRowsCountsNoPadding) {
  const auto make = [] { return small_model(); };
  expect_trains_as_op_by_op(make, {.optimizer = "sgd",
                                   .loss = "mse",
                                   .metrics = {MetricHandle(std::make_shared<CountedMean>())},
                                   .seed = 1});
}

TEST_P(RowProofTest, WhatIsMadeOfTheShapeOfABatchCountsNoPadding) {
  const Flowers data(11);
  const auto metric = [&](const SumOf::Function& f, std::int64_t batch_size) {
    Sequential model = small_model();
    model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {MetricHandle(std::make_shared<SumOf>(f))}});
    return model.evaluate(data.x, data.one_hot, {.batch_size = batch_size, .verbose = 0})["sum_of"];
  };
  const auto expect_rows = [&](const char* what, const SumOf::Function& f) {
    EXPECT_NEAR(metric(f, 4), 11 * 3, 1e-4) << what;
    EXPECT_NEAR(metric(f, 11), 11 * 3, 1e-4) << what;
  };
  expect_rows("ones_like", [](const Tensor& y, const RowMask&) { return ops::sum(ops::ones_like(y)); });
  expect_rows("full_like", [](const Tensor& y, const RowMask&) { return ops::sum(ops::full_like(y, 1.0)); });
  expect_rows("full_like of a row", [](const Tensor& y, const RowMask&) {
    return ops::sum(ops::full_like(y, Tensor::of<float>({3}, {1, 1, 1})));
  });
  expect_rows("zeros_like",
              [](const Tensor& y, const RowMask&) { return ops::sum(ops::zeros_like(y) + 1.0); });
  expect_rows("count_nonzero", [](const Tensor& y, const RowMask&) {
    return ops::cast(ops::count_nonzero(ops::ones_like(y)), DType::kF32);
  });
  expect_rows("cumsum", [](const Tensor& y, const RowMask&) {
    return ops::max(ops::cumsum(ops::ones_like(y), {.axis = 0})) * 3.0;
  });
  expect_rows("size",
              [](const Tensor& y, const RowMask&) { return Tensor(static_cast<float>(ops::size(y))); });
  const auto pairs = [](const Tensor& y, const RowMask&) {
    return Tensor(static_cast<float>(ops::size(ops::matmul(y, ops::transpose(y)))));
  };
  EXPECT_NEAR(metric(pairs, 4), 4 * 4 + 4 * 4 + 3 * 3, 1e-4) << "the size of what takes rows together";
  const auto mean = [](const Tensor& y, const RowMask& rows) {
    const Tensor ones = y * 0.0 + 1.0;
    return ops::mean(rows.defined() ? rows.zero_padding(ones) : ones);
  };
  EXPECT_NEAR(metric(mean, 4), 3, 1e-5) << "batches of 4, 4 and 3";
}

/// Checks the sum of the results of `f` for batches of 4, 4 and 3 rows of 3 columns.
void expect_counts_rows(const char* what, const SumOf::Function& f, double expected = 11 * 3) {
  const Flowers data(11);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {MetricHandle(std::make_shared<SumOf>(f))}});
  const auto logs = model.evaluate(data.x, data.one_hot, {.batch_size = 4, .verbose = 0});
  EXPECT_NEAR(logs["sum_of"], expected, 1e-4) << what;
}

TEST_P(RowProofTest, WhatTheLibraryCountsOfABatchCountsNoPadding) {
  const Tensor zero = Tensor::of<float>({}, {0});
  expect_counts_rows("scan", [&](const Tensor& y, const RowMask&) {
    return scan([](const Tensor& count, const Tensor& row) { return std::pair(count + 3.0F, row); }, zero, y)
        .first;
  });
  expect_counts_rows("map", [](const Tensor& y, const RowMask&) {
    return ops::sum(map([](const Tensor&) { return Tensor(3.0F); }, y));
  });
  expect_counts_rows("unstack", [](const Tensor& y, const RowMask&) {
    return Tensor(3.0F * static_cast<float>(ops::unstack(y).size()));
  });
  const auto is_small = [](const Tensor& y, const RowMask& rows) {
    return ops::less(ops::sum(rows.defined() ? rows.zero_padding(y * 0.0F) : y * 0.0F), 1.0F);
  };
  const Tensor none = Tensor(0.0F) + 0.0F;
  expect_counts_rows("ones_like in a branch", [&](const Tensor& y, const RowMask& rows) {
    return cond(is_small(y, rows), [&] { return ops::sum(ops::ones_like(y)); }, [&] { return none; });
  });
  expect_counts_rows("num_rows of what a branch makes", [&](const Tensor& y, const RowMask& rows) {
    return cond(
        is_small(y, rows), [&] { return none + 3.0F * static_cast<float>((y * 2.0F).num_rows()); },
        [&] { return none; });
  });
  expect_counts_rows("ones_like in a loop", [&](const Tensor& y, const RowMask&) {
    return fori_loop(
        0, 1, [&](const Tensor&, const Tensor& sum) { return sum + ops::sum(ops::ones_like(y)); }, none);
  });
  const auto loss = [](const Tensor& y, const RowMask& rows) {
    const Tensor ones = y * 0.0F + 1.0F;
    return losses::MeanSquaredError()(y * 0.0F, rows.defined() ? rows.zero_padding(ones) : ones);
  };
  expect_counts_rows("the mean of a loss, in batches of 4, 4 and 3", loss, 3);
}

TEST_P(RowProofTest, GradientsOfABatchCountNoPadding) {
  const Tensor zero = Tensor::of<float>({}, {0});
  expect_counts_rows("jacobian", [&](const Tensor& y, const RowMask&) {
    GradientTape tape;
    tape.watch(zero);
    return ops::sum(tape.jacobian(y + zero, zero));
  });
  expect_counts_rows("batch_jacobian", [](const Tensor& y, const RowMask&) {
    GradientTape tape;
    tape.watch(y);
    return ops::sum(tape.batch_jacobian(y * 1.0F, y));
  });
  expect_counts_rows("gradient", [](const Tensor& y, const RowMask&) {
    GradientTape tape;
    tape.watch(y);
    return ops::sum(tape.gradient(y * 1.0F, y));
  });
  expect_counts_rows("a tape's own ones", [&](const Tensor& y, const RowMask&) {
    GradientTape tape;
    tape.watch(zero);
    return tape.gradient(y + zero, zero);
  });
  expect_counts_rows("the gradient of a sum", [&](const Tensor& y, const RowMask&) {
    GradientTape tape;
    tape.watch(zero);
    return tape.gradient(ops::sum(y + zero), zero);
  });
  expect_counts_rows("two sources of one gradient", [](const Tensor& y, const RowMask&) {
    const Tensor noise = ops::zeros(y.shape()) + random::normal({3}, {.seed = 1});
    GradientTape tape;
    tape.watch(y);
    tape.watch(noise);
    return ops::sum(tape.gradient(y + noise, std::vector<Tensor>{y, noise})[0]);
  });
  expect_counts_rows(
      "gradient without a tape",
      [](const Tensor& y, const RowMask&) {
        return ops::sum(gradient(ops::sum(y * 2.0F), std::vector<Tensor>{y})[0]);
      },
      2 * 11 * 3);
}

TEST_P(RowProofTest, AMetricOfOneValueABatchCountsBatches) {
  const Flowers data(11);
  const Tensor y = ops::reshape(ops::cast(ops::arange(33), DType::kF32), {11, 3});
  Sequential model = small_model();
  const auto largest = [](const Tensor& y_true, const Tensor&) {
    return ops::reshape(ops::max(y_true), {1});
  };
  model.compile({.optimizer = "sgd",
                 .loss = "mse",
                 .metrics = {metrics::MeanMetricWrapper({.fn = largest, .name = "largest"})}});
  const auto logs = model.evaluate(data.x, y, {.batch_size = 4, .verbose = 0});
  EXPECT_NEAR(logs["largest"], (11 + 23 + 32) / 3.0, 1e-4);
}

TEST_P(RowProofTest, AStepOfTheUsersThatKnowsNothingOfRowsIsExactInPartialBatches) {
  const auto make = [] { return Model(std::make_shared<PlainStep>()); };
  expect_trains_as_op_by_op(make, {.optimizer = "sgd", .loss = "mse", .seed = 1});
}

TEST_P(RowProofTest, ExplainNamesTheOpAndWhatItReaches) {
  const Flowers data(27);
  Sequential model = centred_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const std::string explain = model.train_program(data.x, data.one_hot, {.batch_size = 8}).explain;
  EXPECT_NE(explain.find("because \"reduce\" of layer \"centred\" may take rows together in what becomes \""),
            std::string::npos)
      << explain;
}

TEST_P(RowProofTest, PredictionsOfSuchAModelSeeNoPadding) {
  const Flowers data(37);
  Sequential model = centred_model(), eager = centred_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  eager.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = true});
  eager.set_weights(model.get_weights());
  const auto expect_same = [&](const Tensor& x, std::int64_t batch_size) {
    const PredictOptions options{.batch_size = batch_size, .verbose = 0};
    const Tensor made = model.predict(x, options), wanted = eager.predict(x, options);
    EXPECT_LT(ops::max(ops::abs(made - wanted)).item<float>(), 1e-5F)
        << x.num_rows() << " rows by " << batch_size;
  };
  expect_same(data.x, 8);
  expect_same(data.x.rows(0, 5), 32);
  expect_same(data.x.rows(0, 1), 32);
  expect_same(data.x, 512);
  for (const std::int64_t rows : {3, 7, 6})
    EXPECT_LT(ops::max(ops::abs(model.predict_on_batch(data.x.rows(0, rows)) - model(data.x.rows(0, rows))))
                  .item<float>(),
              1e-5F);
}

TEST_P(RowProofTest, ThreadsMayFindOutTogetherThatPredictionsNeedNoPadding) {
  const Flowers data(37);
  Sequential model = centred_model();
  model.build({kUnknown, 4});
  const Tensor wanted = model(data.x.rows(0, 5));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k)
        if (ops::max(ops::abs(Tensor(model.predict(data.x.rows(0, 5), {.verbose = 0})) - wanted))
                .item<float>() > 1e-5F)
          ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(RowProofTest, ProgramsOfPartialBatchesAreMadeBeforeTheFirstStep) {
  class Witness : public callbacks::Callback {
   public:
    explicit Witness(const Sequential& watched) : model_(watched) {}
    std::vector<int> compiles;
    void on_train_batch_begin(const callbacks::BatchRange&) override {
      compiles.push_back(model_.num_compiles());
    }
    void on_test_batch_begin(const callbacks::BatchRange&) override {
      compiles.push_back(model_.num_compiles());
    }

   private:
    const Sequential& model_;
  };
  const Flowers data(22);
  Sequential model = centred_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 2});
  Witness witness(model);
  const FitOptions fit{.batch_size = 8, .epochs = 2, .verbose = 0, .callbacks = {&witness}};
  const callbacks::History history = model.fit(data.x, data.one_hot, fit);
  EXPECT_EQ(witness.compiles, (std::vector<int>{2, 2, 2, 2})) << "batches of 8 and of 6";
  EXPECT_EQ(history.num_compiles, 2);
  EXPECT_GT(history.compile_seconds, 0);
  witness.compiles.clear();
  model.evaluate(data.x, data.one_hot, {.batch_size = 8, .verbose = 0, .callbacks = {&witness}});
  EXPECT_EQ(witness.compiles, (std::vector<int>{4, 4}));
}

/// The library's own classes are proven independent of padding: one program serves partial batches too. The
/// proof is made before any backend gets the step.
class RowProofOfOursTest : public ::testing::Test {
 protected:
  void SetUp() override { set_default_client(runtime::make_client("reference")); }
  void TearDown() override { set_default_client(nullptr); }

  static void expect_proven(Sequential model, const Tensor& x, const Tensor& y, const CompileOptions& options,
                            const std::string& what) {
    model.compile(options);
    const std::string explain = model.train_program(x, y, {.batch_size = 4}).explain;
    const std::size_t note = explain.find("partial batches");
    EXPECT_EQ(note, std::string::npos) << what << ": " << explain.substr(std::min(note, explain.size()));
  }
};

TEST_F(RowProofOfOursTest, LossesMetricsAndOptimizers) {
  const Flowers data(10);
  const auto model = [] { return small_model(1, 0.2); };
  for (const char* loss : {"mse", "mae", "mape", "msle", "huber", "log_cosh", "kl_divergence", "poisson",
                           "cosine_similarity", "hinge", "squared_hinge", "categorical_hinge",
                           "binary_crossentropy", "categorical_crossentropy", "binary_focal_crossentropy"})
    expect_proven(model(), data.x, data.one_hot, {.optimizer = "sgd", .loss = loss}, loss);
  for (const char* metric :
       {"accuracy", "binary_accuracy", "categorical_accuracy", "top_k_categorical_accuracy", "mse",
        "root_mean_squared_error", "mae", "cosine_similarity", "auc", "precision", "recall", "f1_score",
        "r2_score", "hinge"})
    expect_proven(model(), data.x, data.one_hot, {.optimizer = "sgd", .loss = "mse", .metrics = {metric}},
                  metric);
  for (const char* metric : {"sparse_categorical_accuracy", "sparse_top_k_categorical_accuracy",
                             "sparse_categorical_crossentropy"})
    expect_proven(model(), data.x, data.class_id,
                  {.optimizer = "sgd", .loss = "sparse_categorical_crossentropy", .metrics = {metric}},
                  metric);
  for (const char* optimizer :
       {"sgd", "adam", "adamw", "rmsprop", "adagrad", "adadelta", "adamax", "nadam", "ftrl", "lion", "lamb"})
    expect_proven(model(), data.x, data.one_hot, {.optimizer = optimizer, .loss = "mse"}, optimizer);
  const optimizers::Adam clipped({.global_clipnorm = 1, .use_ema = true, .gradient_accumulation_steps = 2});
  expect_proven(model(), data.x, data.one_hot, {.optimizer = clipped, .loss = "mse", .stop_on_nan = true},
                "an optimizer's settings");
}

TEST_F(RowProofOfOursTest, ZerosOfTheShapeOfABatch) {
  class Zeros : public Layer {
   public:
    Zeros() : Layer("Zeros", "") {}

   protected:
    Tensor call(const Tensor& x, const CallContext&) override {
      return ops::maximum(x, ops::zeros_like(x)) + x * ops::ones_like(x);
    }
  };
  const Flowers data(10);
  const Sequential model(
      {layers::Input({.shape = {4}}), LayerHandle(std::make_shared<Zeros>()), layers::Dense({.units = 3})});
  expect_proven(model, data.x, data.one_hot, {.optimizer = "sgd", .loss = "mse"}, "zeros_like");
}

TEST_F(RowProofOfOursTest, LayersOfImages) {
  const Tensor x = Tensor::zeros({10, 8, 8, 3}), y = Tensor::zeros({10, 2});
  const Sequential model(
      {layers::Input({.shape = {8, 8, 3}}), layers::Rescaling({.scale = 0.5}),
       layers::Conv2D({.filters = 4, .kernel_size = 3, .padding = "same", .use_bias = false}),
       layers::BatchNormalization(), layers::ReLU(), layers::MaxPooling2D(),
       layers::SeparableConv2D({.filters = 4, .kernel_size = 3}), layers::GroupNormalization({.groups = 2}),
       layers::DepthwiseConv2D({.kernel_size = 2, .padding = "same"}),
       layers::AveragePooling2D({.pool_size = 2}), layers::UpSampling2D(),
       layers::Conv2DTranspose({.filters = 3, .kernel_size = 2}), layers::SpatialDropout2D({.rate = 0.2}),
       layers::ZeroPadding2D(), layers::GaussianNoise({.stddev = 0.1}), layers::GlobalAveragePooling2D(),
       layers::LayerNormalization(),
       layers::Dense({.units = 2, .kernel_regularizer = "l2", .activity_regularizer = "l1"})});
  expect_proven(model, x, y, {.optimizer = "adam", .loss = "mse", .metrics = {"accuracy"}}, "images");
}

TEST_F(RowProofOfOursTest, LayersOfSequences) {
  const Tensor x = Tensor::zeros({10, 6}, DType::kI32), y = Tensor::zeros({10, 2});
  const Sequential model(
      {layers::Input({.shape = {6}, .dtype = DType::kI32}),
       layers::Embedding({.input_dim = 9, .output_dim = 4, .mask_zero = true}),
       layers::LSTM({.units = 3, .return_sequences = true}),
       layers::GRU({.units = 3, .dropout = 0.1, .recurrent_dropout = 0.1, .return_sequences = true}),
       layers::Bidirectional(layers::SimpleRNN({.units = 2, .return_sequences = true})),
       layers::GRU({.units = 3, .reset_after = false}), layers::Dense({.units = 2})});
  expect_proven(model, x, y, {.optimizer = "adam", .loss = "mse", .check_ids = true}, "sequences");
}

}  // namespace
}  // namespace cornu::inline v0::keras
