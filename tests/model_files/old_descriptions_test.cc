/// Descriptions of older versions of Keras: names, forms and meanings that changed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cornu/base/log_test_support.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/saving/old_config.h"
#include "tests/model_files/hostile_archive_test_support.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// A Sequential of one layer, as Keras 2 writes it, with or without a version.
std::string sequential_of(const std::string& class_name, const std::string& options,
                          const std::string& version) {
  const std::string said =
      version.empty() ? "" : fmt::format(R"(, "keras_version": "{}", "backend": "tensorflow")", version);
  return fmt::format(
      R"({{"class_name": "Sequential", "config": {{"name": "s", "layers": [{{"class_name": "{}", "config":
         {{"name": "a", "trainable": true, "batch_input_shape": [null, 3], "dtype": "float32", {}}}}}]}}{}}})",
      class_name, options, said);
}

std::vector<float> prediction(Model model, const std::vector<float>& x) {
  return model.predict(Tensor::adopt({1, 3}, x), {.verbose = 0}).to_vector<float>();
}

TEST(OldDescriptionsTest, AHardSigmoidIsThatOfItsVersion) {
  const std::string options = R"("activation": "hard_sigmoid")";
  for (const std::string version : {"1.2.2", "2.2.4-tf", "2.15.0", ""}) {
    const auto got = prediction(model_from_json(sequential_of("Activation", options, version)), {-1, 1, 5});
    EXPECT_NEAR(got[0], 0.3, 1e-6) << version;
    EXPECT_NEAR(got[1], 0.7, 1e-6) << version;
    EXPECT_EQ(got[2], 1) << version;
  }
  for (const std::string version : {"3.3.3"}) {
    const auto got = prediction(model_from_json(sequential_of("Activation", options, version)), {-1, 1, 5});
    EXPECT_NEAR(got[0], 1.0 / 3, 1e-6) << version;
    EXPECT_NEAR(got[1], 2.0 / 3, 1e-6) << version;
  }
}

TEST(OldDescriptionsTest, TheOldHardSigmoidStaysWhenItIsSavedAgain) {
  const TestFolder folder;
  const Model model =
      model_from_json(sequential_of("Activation", R"("activation": "hard_sigmoid")", "2.4.0"));
  model.save(folder / "again.keras");
  EXPECT_NEAR(prediction(load_model(folder / "again.keras"), {-1, 1, 5})[0], 0.3, 1e-6);
  EXPECT_SAYS(error_text_of([] { layers::Activation({.activation = "hard_sigmoi"}); }), "\"hard_sigmoid\"");
}

TEST(OldDescriptionsTest, AGruWithoutTheArgumentResetsBeforeAsItDidThen) {
  const auto resets_after = [](const std::string& version) {
    const std::string text =
        sequential_of("RNN", R"("cell": {"class_name": "GRUCell", "config": {"units": 2}})", version);
    const Config config = Config::parse(text);
    return saving::in_current_form(config, saving::KerasVersion(version))
               .json()
               .find("\"reset_after\": false") == std::string::npos;
  };
  EXPECT_FALSE(resets_after("2.1.2"));
  EXPECT_TRUE(resets_after("3.0.5"));
}

TEST(OldDescriptionsTest, KerasOneHasOtherNames) {
  const Model model = model_from_json(
      R"({"class_name": "Sequential", "keras_version": "1.2.2", "config": [
          {"class_name": "Dense", "config": {"name": "d", "batch_input_shape": [null, 3], "input_dtype": "float32",
           "output_dim": 2, "init": "uniform", "activation": "linear", "bias": false, "input_dim": 3,
           "W_regularizer": {"name": "L1L2Regularizer", "l1": 0.0, "l2": 0.5}, "b_constraint": {"name": "NonNeg"}}},
          {"class_name": "Dropout", "config": {"name": "p", "p": 0.25}}]})");
  const Config dense = model.layers()[0].get_config(), dropout = model.layers()[1].get_config();
  EXPECT_EQ(dense.at("units"), Config(2));
  EXPECT_EQ(dense.at("use_bias"), Config(false));
  EXPECT_EQ(dense.at("kernel_initializer").at("class_name"), Config("RandomUniform"));
  EXPECT_EQ(dense.at("kernel_regularizer").at("config").at("l2"), Config(0.5));
  EXPECT_EQ(dropout.at("rate"), Config(0.25));
}

TEST(OldDescriptionsTest, ClassesOfTheUsersAreNotRenamed) {
  CustomObjects objects;
  std::string seen;
  objects.layers["ThresholdedReLU"] = [&](const Config& config) {
    seen = config.json();
    return layers::ReLU({.threshold = config.at("theta").as_number()}).shared();
  };
  const std::string text = sequential_of("ThresholdedReLU", R"("theta": 0.5)", "2.4.0");
  model_from_json(text, objects);
  EXPECT_SAYS(seen, "\"theta\": 0.5");
  EXPECT_EQ(prediction(model_from_json(text), {0.4F, 0.6F, -1}), (std::vector<float>{0, 0.6F, 0}));
}

TEST(OldDescriptionsTest, ALossWithoutAReductionGivesItsValues) {
  const auto loss = saving::from_config<Loss>("Huber", Config::dict({{"reduction", nullptr}}));
  EXPECT_EQ(loss->reduction(), "none");
}

TEST(OldDescriptionsTest, OneListOfMetricsIsForEachOutput) {
  const Input x({.shape = {3}});
  const layers::Dense a({.units = 2, .name = "a"}), b({.units = 1, .name = "b"});
  Model model({.inputs = x, .outputs = {a(x), b(x)}});
  const Tensor rows = ops::ones({4, 3});
  const Tensors labels({ops::zeros({4, 2}), ops::zeros({4, 1})});
  for (const Config& metrics : {Config("mae"), Config::list({"mae"}), Config::list({"mae", "mse", "mape"})}) {
    CapturedLog log;
    model.compile_from_config(Config::dict({{"optimizer", "sgd"}, {"loss", "mse"}, {"metrics", metrics}}));
    EXPECT_SAYS(log.take(), "each of the 2 outputs gets all of them");
    const Logs logs = model.train_on_batch(rows, labels);
    EXPECT_TRUE(logs.contains("a_mae") && logs.contains("b_mae")) << metrics.json();
  }
}

// A model's get_config() of Keras 1 and 2 does not say the version.
TEST(OldDescriptionsTest, WithoutAVersionTheFormSaysIt) {
  const auto version_of = [](const char* text) { return saving::version_by_form(Config::parse(text)); };
  for (
      const char* keras_1 :
      {R"({"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"output_dim": 2, "init": "uniform",
            "batch_input_shape": [null, 3], "input_dtype": "float32"}}]})",
       R"({"class_name": "Model", "config": {"layers": [{"class_name": "Convolution2D", "config": {"nb_filter": 2}}]}})"})
    EXPECT_TRUE(version_of(keras_1).is_before_2()) << keras_1;
  for (
      const char* keras_2 :
      {R"({"class_name": "Model", "config": {"layers": []}})",
       R"({"class_name": "Sequential", "config": []})",
       R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "module": "keras.layers",
            "config": {"units": 2, "batch_input_shape": [null, 3]}}]}})",
       R"({"class_name": "Functional", "module": "keras", "config": {"layers": [{"class_name": "Dense", "config": {"units": 2},
            "inbound_nodes": [[["x", 0, 0, {}]]]}]}})",
       R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "config": {"name": "d", "trainable": true,
            "dtype": "float32", "units": 2}}]}})"}) {
    EXPECT_TRUE(version_of(keras_2).is_before_3()) << keras_2;
    EXPECT_FALSE(version_of(keras_2).is_before_2()) << keras_2;
  }
  const Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  for (const std::string& keras_3 :
       {model.to_json(),
        std::string(R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "GRU", "config":
                                         {"units": 2, "trainable": false}}]}})")})
    EXPECT_FALSE(version_of(keras_3.c_str()).is_before_3()) << keras_3;
}

TEST(OldDescriptionsTest, TheFormOfOtherClassesSaysNoVersion) {
  CustomObjects objects;
  objects.layers["Mine"] = [](const Config&) { return layers::ReLU().shared(); };
  const auto version_of = [&](const char* text) {
    return saving::version_by_form(Config::parse(text), objects);
  };
  const auto keras_2 = version_of(
      R"({"class_name": "Sequential", "config": [{"class_name": "Mine", "config": {"W_regularizer": "l2", "init": "uniform"}}]})");
  EXPECT_TRUE(keras_2.is_before_3());
  EXPECT_FALSE(keras_2.is_before_2());
  for (
      const char* keras_3 :
      {R"({"class_name": "Functional", "module": "keras", "config": {"layers": [{"class_name": "Model", "module": "other",
            "config": {"batch_input_shape": [3]}, "registered_name": "other>Model"}]}})",
       R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "InputLayer", "config": {"batch_shape": [null, 3]}},
            {"class_name": "Dense", "config": {"name": "d", "trainable": true, "dtype": "float32", "units": 2}}]}})"})
    EXPECT_FALSE(version_of(keras_3).is_before_3()) << keras_3;
}

/// A Deconvolution2D of Keras 1 for images of 4 x 4 with one channel.
std::string deconvolution_of(int kernel, const std::string& mode, const std::string& output,
                             const std::string& order = "tf") {
  return fmt::format(
      R"({{"class_name": "Sequential", "keras_version": "1.2.2", "config": [{{"class_name": "Deconvolution2D", "config":
          {{"name": "d", "batch_input_shape": [null, {0}], "nb_filter": 1, "nb_row": {1}, "nb_col": {1}, "subsample": [2, 2],
            "border_mode": "{2}", "output_shape": [null, {3}], "dim_ordering": "{4}", "init": "one", "bias": false}}}}]}})",
      order == "tf" ? "4, 4, 1" : "1, 4, 4", kernel, mode, output, order);
}

// Of kernels of ones each output counts the inputs, all ones, that reach it.
TEST(OldDescriptionsTest, ADeconvolutionHasTheOutputShapeThatItNames) {
  const auto output = [](const std::string& text) {
    Model model = model_from_json(text);
    const TensorType input = model->build_types()[0];
    return model.predict(ops::ones({1, input.dims[1], input.dims[2], input.dims[3]}), {.verbose = 0});
  };
  CapturedLog log;
  EXPECT_EQ(output(deconvolution_of(3, "valid", "10, 9, 1")).shape(), (Dims{1, 10, 9, 1}));
  EXPECT_EQ(output(deconvolution_of(3, "valid", "1, 9, 10", "th")).shape(), (Dims{1, 1, 9, 10}));
  EXPECT_EQ(output(deconvolution_of(1, "valid", "7, 8, 1")).shape(), (Dims{1, 7, 8, 1}));
  EXPECT_EQ(output(deconvolution_of(3, "same", "8, 8, 1")).shape(), (Dims{1, 8, 8, 1}));
  EXPECT_EQ(output(deconvolution_of(2, "same", "7, 7, 1")).shape(), (Dims{1, 7, 7, 1}));
  const Tensor same = output(deconvolution_of(3, "same", "7, 8, 1"));
  EXPECT_EQ(same.shape(), (Dims{1, 7, 8, 1}));
  // TensorFlow cuts one row off both ends of the 9, and one column off the end of the 9.
  const std::vector<float> rows = {1, 2, 1, 2, 1, 2, 1}, columns = {1, 1, 2, 1, 2, 1, 2, 1};
  for (std::int64_t i = 0; i < 7; ++i)
    for (std::int64_t j = 0; j < 8; ++j)
      EXPECT_EQ(same.at(i * 8 + j), rows[static_cast<std::size_t>(i)] * columns[static_cast<std::size_t>(j)]);
  EXPECT_EQ(log.take(), "");
  EXPECT_EQ(output(deconvolution_of(2, "same", "7, 8, 1")).shape(), (Dims{1, 8, 8, 1}));
  EXPECT_SAYS(log.take(), "layer \"d\": no output_padding of Conv2DTranspose gives the output_shape");
}

TEST(OldDescriptionsTest, AMetricIsOfTheOutputWithTheLongestName) {
  const Config metric =
      Config::parse(R"({"class_name": "MeanMetricWrapper", "config": {"name": "out_2_mean_absolute_error",
      "dtype": "float32", "fn": "mean_absolute_error"}})");
  const std::vector<std::string> outputs = {"out", "out_2"};
  const Config config = saving::compile_config_in_current_form(
      Config::dict({{"metrics", Config::list({Config::List(), Config::list({metric})})}}),
      saving::KerasVersion("2.4.0"), outputs);
  EXPECT_EQ(config.at("metrics").at(std::size_t{1}).at(std::size_t{0}).at("config").at("name"),
            Config("mean_absolute_error"));
}

// Where the position or the key names the output, "out_mean_absolute_error" is no "absolute_error" of
// "out_mean".
TEST(OldDescriptionsTest, AMetricIsOfTheOutputThatItsPlaceNames) {
  const Config metric =
      Config::parse(R"({"class_name": "MeanMetricWrapper", "config": {"name": "out_mean_absolute_error",
      "dtype": "float32", "fn": "mean_absolute_error"}})");
  const std::vector<std::string> outputs = {"out", "out_mean"};
  const auto name_in = [&](const Config& metrics) {
    return saving::compile_config_in_current_form(Config::dict({{"metrics", metrics}}),
                                                  saving::KerasVersion("2.4.0"), outputs)
        .at("metrics");
  };
  const Config by_position = name_in(Config::list({Config::list({metric}), Config::List()}));
  EXPECT_EQ(by_position.at(std::size_t{0}).at(std::size_t{0}).at("config").at("name"),
            Config("mean_absolute_error"));
  const Config by_name = name_in(Config::dict({{"out", Config::list({metric})}}));
  EXPECT_EQ(by_name.at("out").at(std::size_t{0}).at("config").at("name"), Config("mean_absolute_error"));
  const Config one_by_name = name_in(Config::dict({{"out", metric}}));
  EXPECT_EQ(one_by_name.at("out").at("config").at("name"), Config("mean_absolute_error"));
}

TEST(OldDescriptionsTest, MetricsForEachOfManyOutputsAreBounded) {
  const Config::List metrics(3000, Config("mae"));
  const std::vector<std::string> outputs(3000, "out");
  const MemoryAllowance allowance(std::int64_t{1} << 30);
  EXPECT_SAYS(error_text_of([&] {
                saving::compile_config_in_current_form(Config::dict({{"metrics", Config(metrics)}}),
                                                       saving::KerasVersion("2.4.0"), outputs);
              }),
              "3000 metrics for each of 3000 outputs");
}

TEST(OldDescriptionsTest, AVersionThatIsNoneIsTakenForToday) {
  for (const std::string text : {"", "x", "-", "2x", "99999999999999999999", "3"})
    EXPECT_FALSE(saving::KerasVersion(text).is_before_3()) << text;
  EXPECT_TRUE(saving::KerasVersion("2").is_before_3());
  EXPECT_TRUE(saving::KerasVersion("1.0").is_before_2());
}

TEST(OldDescriptionsTest, WhatIsRefusedNamesTheVersionAndTheWayOut) {
  const TestFolder folder;
  Archive archive = Archive().with_config([](Config& config) {
    config = Config::parse(sequential_of("LocallyConnected1D", R"("filters": 2)", ""));
  });
  archive.more = {};
  const std::string error = archive.load_error(folder);
  EXPECT_SAYS(error, "there is no layer class \"LocallyConnected1D\"");
  EXPECT_SAYS(error, "load_weights()");
}

TEST(OldDescriptionsTest, TheMemoryOfADescriptionIsBounded) {
  const auto dense = [](const std::string& units) {
    return sequential_of("Dense", fmt::format(R"("units": {})", units), "2.4.0");
  };
  const DescriptionLimits limits{.max_bytes = 1 << 20};
  EXPECT_SAYS(error_text_of([&] { model_from_json(dense("1000000"), {}, limits); }), "kernel\" of");
  EXPECT_SAYS(error_text_of([&] { model_from_json(dense("300000000000"), {}); }), "kernel\" of");
  EXPECT_EQ(model_from_json(dense("20000"), {}, limits).weights().size(), 2U);
  // All weights together, too.
  std::string many =
      R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "InputLayer", "config":
      {"batch_shape": [null, 100]}})";
  for (int i = 0; i < 30; ++i) many += R"(, {"class_name": "Dense", "config": {"units": 100}})";
  EXPECT_SAYS(error_text_of([&] { model_from_json(many + "]}}", {}, limits); }), "weights");
}

}  // namespace
}  // namespace cornu::inline v0::keras
