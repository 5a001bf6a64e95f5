#include "cornu/keras/config/keras_form_support.h"

#include <gtest/gtest.h>

#include <string>

#include "cornu/keras/keras.h"

/// Arguments of which no golden file has a case (LEFT_OUT in tools/goldens/configs.py), by the keys that
/// get_config() of Keras 3.15.1 writes.
namespace cornu::inline v0::keras::saving {
namespace {

struct FormCase {
  std::string family, class_name;
  const char* arguments;  // a dict
  const char* key;
  const char* value;
  const char* written = value;
};

Config written_config(const FormCase& tested, const Config& arguments) {
  clear_session();  // names are counted anew
  if (tested.family == "layers") return from_config<Layer>(tested.class_name, arguments)->get_config();
  if (tested.family == "losses") return from_config<Loss>(tested.class_name, arguments)->get_config();
  if (tested.family == "metrics") return from_config<Metric>(tested.class_name, arguments)->get_config();
  if (tested.family == "initializers")
    return from_config<Initializer>(tested.class_name, arguments)->get_config();
  return from_config<Optimizer>(tested.class_name, arguments)->get_config();
}

/// Setting the argument moves its key and nothing else, and what was written is read as the same.
void expect_only_key_moves(const FormCase& tested, bool is_always_written) {
  SCOPED_TRACE(tested.family + ": " + tested.key + " of " + tested.class_name);
  Config arguments = Config::parse(tested.arguments);
  Config expected = written_config(tested, arguments);
  EXPECT_EQ(expected.contains(tested.key), is_always_written);
  arguments.set(tested.key, Config::parse(tested.value));
  const Config given = written_config(tested, arguments);
  EXPECT_FALSE(given == expected);
  expected.set(tested.key, Config::parse(tested.written));
  EXPECT_EQ(given, expected) << given.json() << "\n" << expected.json();
  EXPECT_EQ(written_config(tested, given), given);
}

TEST(KerasFormTest, ArgumentsWithoutAGoldenCaseAreWrittenAsGiven) {
  const FormCase cases[] = {
      {"layers", "Dense", R"({"units": 3, "lora_rank": 2})", "lora_alpha", "4.0"},
      {"layers", "EinsumDense", R"({"equation": "ab,bc->ac", "output_shape": [3], "lora_rank": 2})",
       "lora_alpha", "4.0"},
      {"layers", "Embedding", R"({"input_dim": 5, "output_dim": 3, "lora_rank": 1})", "lora_alpha", "4.0"},
      {"layers", "Conv2D", R"({"filters": 4, "kernel_size": 3, "lora_rank": 2})", "lora_alpha", "4.0"},
      {"layers", "LayerNormalization", "{}", "rms_scaling", "true"},
      {"layers", "BatchNormalization", "{}", "synchronized", "true"},
      {"layers", "Resizing", R"({"height": 3, "width": 4})", "pad_to_aspect_ratio", "true"},
      {"layers", "Discretization", R"({"num_bins": 3})", "num_bins", "5"},
      {"layers", "Conv1DTranspose", R"({"filters": 4, "kernel_size": 3, "strides": 2})", "output_padding",
       "1", "[1]"},
      {"metrics", "AUC", R"({"multi_label": true, "num_labels": 2})", "label_weights", "[0.25, 0.75]"},
      {"metrics", "Precision", "{}", "thresholds", "[0.25, 0.5]"},
      {"metrics", "Recall", "{}", "thresholds", "[0.25, 0.5]"}};
  for (const FormCase& tested : cases) expect_only_key_moves(tested, true);
}

TEST(KerasFormTest, LimitsOfGradientsAreWrittenByEveryOptimizer) {
  int num_optimizers = 0;
  for (const std::string& name : class_names<Optimizer>()) {
    if (name == "LossScaleOptimizer" || name == "MultiOptimizer") continue;  // inner optimizers have them
    ++num_optimizers;
    expect_only_key_moves({"optimizers", name, "{}", "clipvalue", "0.5"}, true);
    expect_only_key_moves({"optimizers", name, "{}", "global_clipnorm", "2.0"}, true);
  }
  EXPECT_GE(num_optimizers, 11);
}

TEST(KerasFormTest, WhatKerasForgetsIsWrittenWhereItIsNotTheDefault) {
  const FormCase cases[] = {
      {"losses", "Huber", "{}", "delta", "2.0"},
      {"losses", "CosineSimilarity", "{}", "axis", "1"},
      {"losses", "SparseCategoricalCrossentropy", "{}", "axis", "1"},
      {"losses", "MeanSquaredError", "{}", "dtype", R"("float16")"},
      {"metrics", "CosineSimilarity", "{}", "axis", "1"},
      {"metrics", "BinaryCrossentropy", "{}", "axis", "1"},
      {"initializers", "Identity", "{}", "gain", "2.0"},
      {"layers", "SimpleRNN", R"({"units": 4})", "seed", "11"},
      {"layers", "SpatialDropout1D", R"({"rate": 0.25})", "trainable", "false"},
      {"layers", "SpatialDropout2D", R"({"rate": 0.25})", "trainable", "false"},
      {"layers", "SpatialDropout3D", R"({"rate": 0.25})", "trainable", "false"},
      {"layers", "Discretization", R"({"bin_boundaries": [0.0, 1.5]})", "trainable", "false"}};
  for (const FormCase& tested : cases) expect_only_key_moves(tested, false);
  const layers::SimpleRNN regularized({.units = 4, .activity_regularizer = "l2"});
  EXPECT_EQ(regularized.get_config().at("activity_regularizer").at("class_name"), Config("L2"));
}

TEST(KerasFormTest, AUCWritesItsThresholdsAndHowManyThatMakes) {
  const FormCase of = {"metrics", "AUC", "{}", "thresholds", "[0.25, 0.5]"};
  Config expected = written_config(of, Config::dict());
  EXPECT_FALSE(expected.contains("thresholds"));
  EXPECT_EQ(expected.at("num_thresholds"), Config(200));
  expected.set("thresholds", Config::list({0.25, 0.5}));
  expected.set("num_thresholds", 4);  // with those at the ends, as Keras counts
  const Config given = written_config(of, Config::dict({{"thresholds", Config::list({0.25, 0.5})}}));
  EXPECT_EQ(given, expected) << given.json();
  EXPECT_EQ(written_config(of, given), given);
}

}  // namespace
}  // namespace cornu::inline v0::keras::saving
