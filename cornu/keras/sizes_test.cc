// Sizes that cannot be, numbers at the ends of their range, and functions that are not there.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t k32 = std::int64_t{1} << 32, k34 = std::int64_t{1} << 34, k40 = std::int64_t{1} << 40,
                       k62 = std::int64_t{1} << 62;

/// Expects a ResourceExhausted error with these parts, within a short time.
void expect_exhausted(const std::vector<std::string>& parts, const std::function<void()>& run) {
  const auto begin = std::chrono::steady_clock::now();
  expect_contains(error_of(run), ErrorCode::kResourceExhausted, parts);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 2.0) << parts[0];
}

TEST(LayerSizesTest, ShapesThatNoTensorHasAreRefusedWithTheLayersName) {
  using namespace layers;
  const auto on = [](const Dims& shape, const std::function<LayerHandle()>& layer) {
    return [=] { layer()(Input({.shape = shape})); };
  };
  const auto same = [](Conv2DOptions options) {
    options.name = "c";
    return [options] { return Conv2D(options); };
  };
  const std::string beyond = "is beyond 63 bits", in_c = "in layer \"c\"";
  expect_exhausted({"[conv2d] the kernel with its dilation", beyond, in_c},
                   on({8, 8, 3}, same({.filters = 2, .kernel_size = 3, .dilation_rate = kLargest})));
  expect_exhausted({"more bytes than 63 bits can count", in_c},
                   on({8, 8, 3}, same({.filters = k62, .kernel_size = 3})));
  expect_exhausted({"[conv2d_transpose] an extent of the output", beyond, in_c}, on({8, 8, 3}, [] {
                     return Conv2DTranspose({.filters = 2, .kernel_size = 3, .strides = k62, .name = "c"});
                   }));
  expect_exhausted({"[depthwise_conv2d] the number of output channels", beyond, in_c}, on({8, 8, 3}, [] {
                     return DepthwiseConv2D({.kernel_size = 3, .depth_multiplier = k62, .name = "c"});
                   }));
  expect_exhausted(
      {"63 bits", in_c}, on({8, 8, 3}, [] {
        return SeparableConv2D({.filters = 2, .kernel_size = 3, .depth_multiplier = k62, .name = "c"});
      }));
  expect_exhausted({"63 bits", in_c}, on({4, 4, 3}, [] { return UpSampling2D({.size = k32, .name = "c"}); }));
  expect_exhausted({"[up_sampling2d] an extent of the output", beyond, in_c},
                   on({4, 4, 3}, [] { return UpSampling2D({.size = k62, .name = "c"}); }));
  expect_exhausted({"[zero_padding2d] an extent of the output", beyond, in_c},
                   on({4, 4, 3}, [] { return ZeroPadding2D({.padding = kLargest, .name = "c"}); }));
  expect_exhausted({"[cropping2d] what is cut", beyond, in_c},
                   on({4, 4, 3}, [] { return Cropping2D({.cropping = kLargest, .name = "c"}); }));
  expect_exhausted({"the width of the gates' kernels", beyond, in_c},
                   on({4, 3}, [] { return LSTM({.units = k62, .name = "c"}); }));
  expect_exhausted({"63 bits", in_c}, on({4, 3}, [] { return Dense({.units = k62, .name = "c"}); }));
  expect_exhausted({"63 bits", in_c}, on({3}, [] { return RepeatVector({.n = k62, .name = "c"}); }));
  expect_exhausted({"[reshape] the target's number of elements", beyond, in_c},
                   on({3}, [] { return Reshape({.target_shape = {k40, k40}, .name = "c"}); }));
  expect_exhausted({"a tensor of shape", "63 bits"}, [] { Input({.shape = {k40, k40}}); });
}

TEST(LayerSizesTest, AHugeDilationLeavesTheMiddleOfTheKernelAsInKeras) {
  for (const char* platform : {"reference", "cpu"}) {
    set_default_client(runtime::make_client(platform));
    clear_session();
    Sequential model(
        {layers::Input({.shape = {4, 1}}), layers::Conv1D({.filters = 1,
                                                           .kernel_size = 3,
                                                           .padding = "same",
                                                           .dilation_rate = std::int64_t{1} << 33,
                                                           .use_bias = false})});
    const auto kernel = [&] { return model.get_weights()[0].to_vector<float>(); };
    model.set_weights({Tensor::of<float>({3, 1, 1}, {5, 7, 11})});
    const Tensor x = Tensor::of<float>({1, 4, 1}, {1, 2, 3, 4});
    EXPECT_EQ(model.predict(x, {.verbose = 0}).to_vector<float>(), (std::vector<float>{7, 14, 21, 28}));
    model.compile({.optimizer = optimizers::SGD({.learning_rate = 1.0}), .loss = "mse"});
    model.fit(x, Tensor::zeros({1, 4, 1}), {.verbose = 0});
    EXPECT_EQ(kernel(), (std::vector<float>{5, 7 - 2 * 7 * 30 / 4.0F, 11}));  // the mean of 2 (7 x) x
    set_default_client(nullptr);
  }
}

TEST(LayerSizesTest, UpSamplingBeyondTheMemoryIsRefusedBeforeItsWeightsAreMade) {
  const Tensor x = Tensor::zeros({1, 4, 4, 3});
  expect_exhausted({"bytes"}, [&] { layers::UpSampling2D({.size = {1, k32}})(x); });
  expect_exhausted({"the matrix of interpolation weights takes 274877906944 bytes"},
                   [&] { layers::UpSampling2D({.size = k32, .interpolation = "bilinear"})(x); });
}

TEST(LayerSizesTest, NoFeaturesGiveTheBiasAsInKeras) {
  for (const char* platform : {"reference", "cpu"}) {
    set_default_client(runtime::make_client(platform));
    const layers::Dense dense({.units = 2, .bias_initializer = initializers::Constant(3)});
    const Tensor y = dense(Tensor::zeros({2, 0}));
    EXPECT_EQ(y.shape(), (Dims{2, 2}));
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(y.at(i), 3);
    EXPECT_EQ(layers::LSTM({.units = 2})(Tensor::zeros({2, 3, 0})).shape(), (Dims{2, 2}));
    set_default_client(nullptr);
  }
}

TEST(LayerSizesTest, DropoutRatesOutsideTheRangeAreTheNearestAsInKeras) {
  const Tensor x = Tensor::of<float>({1, 2, 1}, {1, -2});
  const auto trained_output = [&](double dropout) {
    clear_session();
    const layers::LSTM lstm(
        {.units = 1, .kernel_initializer = "ones", .recurrent_initializer = "ones", .dropout = dropout});
    return lstm(x, {.training = true}).at(0);
  };
  EXPECT_EQ(trained_output(2), trained_output(0));  // a cell of several gates drops nothing at rate 1
  EXPECT_EQ(trained_output(-1), trained_output(0));
  expect_contains(error_of([&] { trained_output(std::nan("")); }), ErrorCode::kInvalidArgument,
                  {"dropout", "nan"});
}

TEST(MetricSizesTest, ThresholdsThatNoMemoryHoldsAreRefusedAtOnce) {
  expect_exhausted({"[auc] a list of 4611686018427387904 thresholds takes more bytes than 63 bits can count"},
                   [] { metrics::AUC({.num_thresholds = k62}); });
  expect_exhausted({"[auc] a list of 1099511627776 thresholds takes 8796093022208 bytes"},
                   [] { metrics::AUC({.num_thresholds = k40}); });
  expect_exhausted({"[sensitivity_at_specificity]", "bytes"},
                   [] { metrics::SensitivityAtSpecificity({.specificity = 0.5, .num_thresholds = k40}); });
  expect_exhausted({"[precision_at_recall]", "bytes"},
                   [] { metrics::PrecisionAtRecall({.recall = 0.5, .num_thresholds = kLargest}); });
}

TEST(MetricSizesTest, LabelWeightsAreOneForEachLabel) {
  const Tensor y_true = Tensor::of<float>({3, 2}, {0, 1, 1, 0, 1, 1}),
               y_pred = Tensor::of<float>({3, 2}, {.2F, .8F, .7F, .6F, .3F, .9F});
  for (const bool multi_label : {false, true}) {
    const auto update = [&](std::vector<double> label_weights) {
      metrics::AUC auc({.multi_label = multi_label, .label_weights = std::move(label_weights)});
      auc.update_state(y_true, y_pred);
    };
    EXPECT_NO_THROW(update({1, 2}));
    for (const std::vector<double>& wrong : {std::vector<double>{1, 2, 3}, std::vector<double>{1}})
      expect_contains(error_of([&] { update(wrong); }), ErrorCode::kInvalidArgument,
                      {"[auc]", "label_weights must be one for each of 2 labels"});
    for (const double wrong : {-1.0, std::nan(""), HUGE_VAL})
      expect_contains(error_of([&] { update({1, wrong}); }), ErrorCode::kInvalidArgument,
                      {"[auc] label_weights must be finite and not negative"});
  }
  expect_contains(
      error_of([] { metrics::AUC({.multi_label = true, .num_labels = 3, .label_weights = {1, 2}}); }),
      ErrorCode::kInvalidArgument, {"[auc] label_weights must be one for each of 3 labels"});
}

TEST(SummarySizesTest, TablesThatNoMemoryHoldsAreRefusedAtOnce) {
  const Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 3})});
  const auto summary = [&](SummaryOptions options) {
    options.print = [](std::string_view) {};
    model.summary(options);
  };
  for (const std::int64_t length : {k40, k62, kLargest})
    expect_exhausted({"[summary] a table of line_length = " + std::to_string(length), "bytes"},
                     [&] { summary({.line_length = length}); });
  for (const double position : {1e300, HUGE_VAL, std::nan("")})
    expect_exhausted({"[summary]", "bytes"}, [&] { summary({.positions = {0.3, 0.6, position}}); });
  expect_contains(error_of([&] { summary({.positions = {-1e300, 0.6, 1}}); }), ErrorCode::kInvalidArgument,
                  {"a column needs four columns"});
}

TEST(InitializerSizesTest, MatricesThatNoMemoryHoldsAreRefusedBeforeAnyIsFilled) {
  const initializers::Orthogonal orthogonal({.seed = 1});
  expect_exhausted({"[orthogonal]", "1048576 numbers takes 13194139533312 bytes"},
                   [&] { (*orthogonal)({1 << 20, 1 << 20}, DType::kF32); });
  expect_exhausted({"63 bits"}, [&] { (*orthogonal)({k40, k40}, DType::kF32); });
  expect_exhausted({"63 bits"}, [&] { (*orthogonal)({k32, k32, 4}, DType::kF32); });
  expect_exhausted({"tensor<17179869184x64xf32>", "4398046511104 bytes"},
                   [] { (*initializers::GlorotUniform({.seed = 1}))({k34, 64}, DType::kF32); });
}

TEST(InitializerSizesTest, ConstantsAreKerassOrRefused) {
  EXPECT_TRUE(std::isnan((*initializers::Constant(std::nan("")))({2}, DType::kF32).at(1)));  // as Keras
  for (const double wrong : {std::nan(""), HUGE_VAL, 0x1p31})
    expect_contains(error_of([&] { (*initializers::Constant(wrong))({2}, DType::kI32); }),
                    ErrorCode::kInvalidArgument, {"[constant] dtype must hold the value; got dtype = int32"});
  expect_contains(error_of([&] { (*initializers::Constant(300))({2}, DType::kI8); }),
                  ErrorCode::kInvalidArgument, {"int8 for 300"});
  expect_contains(error_of([&] { (*initializers::Identity({.gain = -1}))({2, 2}, DType::kU8); }),
                  ErrorCode::kInvalidArgument, {"uint8 for -1"});
  EXPECT_EQ((*initializers::Constant(-128))({2}, DType::kI8).at(0), -128);
}

TEST(DatasetSizesTest, RowsThatNoMemoryHoldsAreRefusedAtOnce) {
  for (const std::int64_t rows : {k34, k62, kLargest}) {
    expect_exhausted({"[make_data]", "bytes"},
                     [&] { datasets::mnist::make_data({.num_train = rows, .num_test = 1}); });
    expect_exhausted({"[make_data]", "bytes"},
                     [&] { datasets::cifar10::make_data({.num_train = 1, .num_test = rows}); });
    expect_exhausted({"[make_data]", "bytes"},
                     [&] { datasets::imdb::make_data({.num_train = rows, .num_test = rows}); });
  }
}

TEST(OptimizerSizesTest, IntegerGradientsAreTakenAsKerasTakesThem) {
  const Variable x(ir::Literal::of<float>({3}, {1, 1, 1}), {.name = "x"}),
      n(ir::Literal::of<std::int32_t>({3}, {1, 1, 1}), {.name = "n"});
  const Tensor gradient = Tensor::of<std::int32_t>({3}, {1, 2, 3});
  optimizers::SGD({.learning_rate = 0.5})->apply({&gradient, 1}, {&x, 1});
  EXPECT_EQ(x.read(), (ir::Literal::of<float>({3}, {0.5F, 0, -0.5F})));
  // The rate would become 0: nothing would ever be trained.
  expect_contains(error_of([&] { optimizers::SGD({.learning_rate = 0.5})->apply({&gradient, 1}, {&n, 1}); }),
                  ErrorCode::kInvalidArgument,
                  {"variable \"n\" must be floating-point to be trained", "int32"});
}

TEST(CallbackSizesTest, EarlyStoppingWithANegativePatienceStopsAtOnceAsInKeras) {
  const Flowers data(8);
  const auto num_epochs = [&](std::int64_t patience) {
    set_random_seed(1);
    clear_session();
    Sequential model = small_model();
    model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.0}), .loss = "mse"});
    const auto history =
        model.fit(data.x, data.one_hot,
                  {.epochs = 5,
                   .verbose = 0,
                   .callbacks = {callbacks::EarlyStopping({.monitor = "loss", .patience = patience})},
                   .shuffle = false});
    return history.epoch.size();
  };
  EXPECT_EQ(num_epochs(-1), 2u);  // Keras 3.15: the first epoch improves, the second does not
  EXPECT_EQ(num_epochs(std::numeric_limits<std::int64_t>::min()), 2u);
  EXPECT_EQ(num_epochs(0), 2u);
  EXPECT_EQ(num_epochs(kLargest), 5u);
}

TEST(EmptyFunctionTest, IsRefusedWhereItIsGiven) {
  const std::function<Tensor(const Tensor&, const Tensor&)> no_loss;
  const std::function<Tensor(const Tensor&)> none;
  const std::function<Tensor()> nothing;
  const std::function<double(std::int64_t)> no_schedule;
  const std::function<double(std::int64_t, double)> no_schedule_of_rates;
  Tensor (*const no_pointer)(const Tensor&) = nullptr;
  const auto refused = [](const std::string& tag, const std::function<void()>& make) {
    expect_contains(error_of(make), ErrorCode::kInvalidArgument, {tag, "function"});
  };
  refused("[losses.get] loss", [&] { small_model().compile({.loss = no_loss}); });
  refused("[metrics.get] metric", [&] { small_model().compile({.loss = "mse", .metrics = {no_loss}}); });
  refused("[metrics.get] metric", [&] { metrics::MeanMetricWrapper({.fn = no_loss, .name = "m"}); });
  refused("[optimizer] learning_rate", [&] { optimizers::SGD({.learning_rate = none}); });
  refused("[optimizer] learning_rate", [&] { optimizers::Adam({.learning_rate = nothing}); });
  refused("[learning_rate_scheduler] schedule",
          [&] { callbacks::LearningRateScheduler scheduler(no_schedule); });
  refused("[learning_rate_scheduler] schedule",
          [&] { callbacks::LearningRateScheduler scheduler(no_schedule_of_rates); });
  refused("[lambda] function is missing", [&] { layers::Lambda({.function = none, .name = "l"}); });
  refused("in layer \"lambda", [&] { layers::Lambda layer(none); });
  refused("[lambda] function is missing", [&] { layers::Lambda({.function = no_pointer}); });
  refused("[activations.get] activation", [&] { layers::Dense({.units = 1, .activation = none}); });
  refused("[activations.get] activation", [&] { layers::Dense({.units = 1, .activation = no_pointer}); });
  refused("[regularizers.get] regularizer", [&] { layers::Dense({.units = 1, .kernel_regularizer = none}); });
  refused("[constraints.get] constraint", [&] { layers::Dense({.units = 1, .kernel_constraint = none}); });
}

}  // namespace
}  // namespace cornu::inline v0::keras
