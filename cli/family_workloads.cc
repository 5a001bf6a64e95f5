#include <algorithm>

#include "benchmarks/family/family.h"
#include "cli/workloads.h"
#include "cornu/keras/applications/applications.h"
#include "examples/models/models.h"

namespace cornu::inline v0::cli {
namespace {

namespace losses = keras::losses;
namespace optimizers = keras::optimizers;

keras::CompileOptions adam_for_classes() {
  return {.optimizer = optimizers::Adam(), .loss = losses::SparseCategoricalCrossentropy()};
}
keras::CompileOptions adam_for_probabilities() {
  return {.optimizer = optimizers::Adam(), .loss = losses::BinaryCrossentropy()};
}
keras::CompileOptions momentum_for_classes() {
  return {.optimizer = optimizers::SGD({.learning_rate = 0.1, .momentum = 0.9}),
          .loss = losses::SparseCategoricalCrossentropy()};
}
keras::CompileOptions rmsprop_for_classes() {
  return {.optimizer = optimizers::RMSprop(), .loss = losses::SparseCategoricalCrossentropy()};
}
keras::CompileOptions adamw_for_logits() {
  return {.optimizer = optimizers::AdamW(),
          .loss = losses::SparseCategoricalCrossentropy({.from_logits = true})};
}

/// The DLRM of the example on data of Criteo's form, with tables of at most `most_rows` rows.
Workload criteo_workload(const char* name, const char* summary, std::int64_t most_rows,
                         std::int64_t num_batches, std::int64_t num_parameters) {
  constexpr std::int64_t kBatchSize = 2048;
  const std::vector<std::int64_t> tables = examples::criteo_tables(most_rows);
  return {.name = name,
          .summary = summary,
          .inputs = {{.shape = {examples::kCriteoCounts}},
                     {.shape = {static_cast<std::int64_t>(tables.size())},
                      .num_ids = *std::max_element(tables.begin(), tables.end()),
                      .column_ids = tables}},
          .num_classes = 1,
          .batch_size = kBatchSize,
          .num_rows = num_batches * kBatchSize,
          .num_parameters = num_parameters,
          .make_model = [tables] { return examples::criteo_dlrm(tables); },
          .compile_options = examples::criteo_dlrm_training};
}

}  // namespace

std::span<const Workload> large_workloads() {
  static const std::vector<Workload> all = {
      criteo_workload("criteo_dlrm", "criteo_dlrm_small with tables of 10,569,296 rows in all", 2000000, 100,
                      169584721),
      {.name = "resnet50",
       .summary = "ResNet50 of keras::applications, 224 x 224, SGD with momentum, batch 16",
       .inputs = {{.shape = {224, 224, 3}}},
       .num_classes = 1000,
       .batch_size = 16,
       .num_rows = 64,
       .num_parameters = 25636712,
       .make_model = []() -> keras::Model { return keras::applications::ResNet50(); },
       .compile_options = momentum_for_classes},
      {.name = "efficientnetb0",
       .summary = "EfficientNetB0 of keras::applications, 224 x 224, Adam, batch 16",
       .inputs = {{.shape = {224, 224, 3}}},
       .num_classes = 1000,
       .batch_size = 16,
       .num_rows = 64,
       .num_parameters = 5330571,
       .make_model = []() -> keras::Model { return keras::applications::EfficientNetB0(); },
       .compile_options = adam_for_classes},
  };
  return all;
}

std::vector<Workload> family_workloads() {
  return {
      {.name = "conv_autoencoder",
       .summary = "two convolutions and back by transposed ones, Adam, batch 128",
       .inputs = {{.shape = {28, 28, 1}}},
       .batch_size = 128,
       .num_rows = 1280,
       .num_parameters = 28353,
       .make_model = benchmarks::conv_autoencoder,
       .compile_options = adam_for_probabilities},
      {.name = "dense_layernorm",
       .summary = "five times dense 1024, LayerNormalization, gelu, Adam, batch 256",
       .inputs = {{.shape = {1024}}},
       .num_classes = 10,
       .batch_size = 256,
       .num_rows = 2560,
       .num_parameters = 5268490,
       .make_model = benchmarks::dense_layernorm,
       .compile_options = adam_for_classes},
      {.name = "unet",
       .summary = "a class for each of 64 x 64 pixels, three levels, Adam, batch 16",
       .inputs = {{.shape = {64, 64, 3}}},
       .num_classes = 3,
       .label_shape = {64, 64},
       .batch_size = 16,
       .num_rows = 160,
       .num_parameters = 482067,
       .make_model = benchmarks::unet,
       .compile_options = adam_for_classes},
      {.name = "vae",
       .summary = "variational autoencoder 784-400-20, Adam, batch 128",
       .inputs = {{.shape = {784}}},
       .batch_size = 128,
       .num_rows = 12800,
       .num_parameters = 652824,
       .make_model = benchmarks::vae,
       .compile_options = adam_for_probabilities},
      {.name = "text_transformer",
       .summary = "two encoder blocks over 128 words, Adam, batch 32",
       .inputs = {{.shape = {128}, .num_ids = 20000}},
       .num_classes = 1,
       .batch_size = 32,
       .num_rows = 640,
       .num_parameters = 2973057,
       .make_model = benchmarks::text_transformer,
       .compile_options = adam_for_probabilities},
      {.name = "vision_transformer",
       .summary = "four blocks over 64 patches, Adam, batch 64",
       .inputs = {{.shape = {32, 32, 3}}},
       .num_classes = 10,
       .batch_size = 64,
       .num_rows = 1280,
       .num_parameters = 545930,
       .make_model = benchmarks::vision_transformer,
       .compile_options = adam_for_classes},
      {.name = "char_gpt",
       .summary = "three causal blocks over 128 characters, AdamW, batch 32",
       .inputs = {{.shape = {128}, .num_ids = 96}},
       .num_classes = 96,
       .label_shape = {128},
       .batch_size = 32,
       .num_rows = 640,
       .num_parameters = 636128,
       .make_model = benchmarks::char_gpt,
       .compile_options = adamw_for_logits},
      {.name = "dilated_conv1d",
       .summary = "seven causal convolutions of dilations 1 to 64 over 512 steps, Adam, batch 32",
       .inputs = {{.shape = {512, 8}}},
       .num_classes = 10,
       .batch_size = 32,
       .num_rows = 640,
       .num_parameters = 87690,
       .make_model = benchmarks::dilated_conv1d,
       .compile_options = adam_for_classes},
      {.name = "depthwise_cnn",
       .summary = "five depthwise and pointwise convolutions with BatchNormalization, RMSprop, batch 64",
       .inputs = {{.shape = {32, 32, 3}}},
       .num_classes = 10,
       .batch_size = 64,
       .num_rows = 1280,
       .num_parameters = 139722,
       .make_model = benchmarks::depthwise_cnn,
       .compile_options = rmsprop_for_classes},
      {.name = "resnet20",
       .summary = "residual network of 20 layers with BatchNormalization, SGD with momentum, batch 128",
       .inputs = {{.shape = {32, 32, 3}}},
       .num_classes = 10,
       .batch_size = 128,
       .num_rows = 1280,
       .num_parameters = 273658,
       .make_model = benchmarks::resnet20,
       .compile_options = momentum_for_classes},
      {.name = "squeeze_excitation_cnn",
       .summary = "six convolutions with BatchNormalization, channels weighed, RMSprop, batch 64",
       .inputs = {{.shape = {32, 32, 3}}},
       .num_classes = 10,
       .batch_size = 64,
       .num_rows = 1280,
       .num_parameters = 295270,
       .make_model = benchmarks::squeeze_excitation_cnn,
       .compile_options = rmsprop_for_classes},
      {.name = "gru_stack",
       .summary = "three GRU layers of 128 over 64 steps, Adam, batch 64",
       .inputs = {{.shape = {64, 32}}},
       .num_classes = 10,
       .batch_size = 64,
       .num_rows = 1280,
       .num_parameters = 261642,
       .make_model = benchmarks::gru_stack,
       .compile_options = adam_for_classes},
      {.name = "dlrm",
       .summary = "eight tables and a dense part, products of pairs, Adam, batch 256",
       .inputs = {{.shape = {13}}, {.shape = {8}, .num_ids = 10000}},
       .num_classes = 1,
       .batch_size = 256,
       .num_rows = 5120,
       .num_parameters = 2585889,
       .make_model = benchmarks::dlrm,
       .compile_options = adam_for_probabilities},
      {.name = "wide_deep",
       .summary = "a linear part and dense 256-128-64 over ids, Adam, batch 512",
       .inputs = {{.shape = {8}}, {.shape = {10}, .num_ids = 20000}},
       .num_classes = 1,
       .batch_size = 512,
       .num_rows = 10240,
       .num_parameters = 424500,
       .make_model = benchmarks::wide_deep,
       .compile_options = adam_for_probabilities},
      criteo_workload("criteo_dlrm_small",
                      "26 tables of at most 2,000 rows and counts, products of pairs, SGD, batch 2048", 2000,
                      20, 974977),
  };
}

}  // namespace cornu::inline v0::cli
