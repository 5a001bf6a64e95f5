#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/trace/variable_parts.h"
#include "tests/strategies/training_cases_test_support.h"

// Models with embedding tables that replicas hold in parts.
namespace cornu::inline v0::keras {

/// Ids from below 0, which are absent, to beyond the table's five rows.
inline Sequential table_model(const std::string& sharding) {
  const layers::TableConfig table{.vocabulary_size = 5,
                                  .dim = 24,
                                  .initializer = seeded(1),
                                  .combiner = "sqrtn",
                                  .sharding = sharding,
                                  .name = "table"};
  return Sequential({layers::Rescaling({.scale = 4.0, .offset = -3.0}),
                     layers::DistributedEmbedding({.feature_configs = {{.table = table}}}),
                     layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
}

/// A model whose table is the weight of an Embedding.
inline Sequential embedding_model(const std::string& sharding) {
  return Sequential(
      {layers::Rescaling({.scale = 4.0}),
       layers::Embedding(
           {.input_dim = 7, .output_dim = 24, .embeddings_initializer = seeded(1), .sharding = sharding}),
       layers::GlobalAveragePooling1D(),
       layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
}

inline CompileOptions compiled_with(const OptimizerSpec& optimizer) {
  return {.optimizer = optimizer, .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}};
}

/// A table that is large enough to be updated by rows.
inline Sequential large_embedding_model(const std::string& sharding) {
  return Sequential(
      {layers::Rescaling({.scale = 20.0}),
       layers::Embedding(
           {.input_dim = 9001, .output_dim = 32, .embeddings_initializer = seeded(1), .sharding = sharding}),
       layers::Flatten(),
       layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
}

/// A table whose parts in four processes are large enough to be in memory that all of them read.
inline Sequential huge_embedding_model(const std::string& sharding) {
  const layers::TableConfig table{.vocabulary_size = 70'001,
                                  .dim = 32,
                                  .initializer = seeded(1),
                                  .combiner = "sum",
                                  .sharding = sharding,
                                  .name = "table"};
  return Sequential({layers::Rescaling({.scale = 9000.0}),
                     layers::DistributedEmbedding({.feature_configs = {{.table = table}}}),
                     layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
}

/// Five tables of two widths for six features, one of which has weights and one is a sequence. The table "days"
/// takes the next default seed.
inline Sequential several_tables_model(const std::string& sharding) {
  const auto table = [&](const char* name, std::int64_t rows, std::int64_t dim, std::uint64_t seed) {
    return layers::TableConfig{.vocabulary_size = rows,
                               .dim = dim,
                               .initializer = seed == 0 ? InitializerSpec() : seeded(seed),
                               .combiner = "sqrtn",
                               .sharding = sharding,
                               .name = name};
  };
  const layers::TableConfig films = table("films", 11, 6, 1), users = table("users", 5, 6, 2);
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = films, .name = "seen"},
                           {.table = table("days", 7, 4, 0), .name = "day"},
                           {.table = users, .weighted = true, .name = "user"},
                           {.table = films, .max_sequence_length = 3, .name = "last"},
                           {.table = table("genres", 3, 6, 3), .name = "genre"},
                           {.table = table("hours", 24, 4, 4), .name = "hour"}}});
  const Input x({.shape = {4}});
  const KerasTensor ids = layers::Rescaling({.scale = 4.0, .offset = -3.0})(x);
  std::vector<KerasTensor> vectors = lookup.call_many({ids, ids, ids, x, ids, ids, ids});
  vectors[3] = layers::GlobalAveragePooling1D()(vectors[3]);
  const KerasTensor all = layers::Concatenate().call_many(vectors)[0];
  return Sequential(
      {Model({.inputs = x,
              .outputs = layers::Dense(
                  {.units = 3, .activation = "softmax", .kernel_initializer = seeded(5)})(all)})});
}

struct OptimizerCase {
  const char* name;
  std::function<OptimizerSpec()> make;
};

inline std::vector<OptimizerCase> optimizer_cases() {
  return {
      {"sgd", [] { return optimizers::SGD({.learning_rate = 0.5}); }},
      {"momentum", [] { return optimizers::SGD({.learning_rate = 0.1, .momentum = 0.9, .clipnorm = 0.05}); }},
      {"adagrad", [] { return optimizers::Adagrad({.learning_rate = 0.1, .global_clipnorm = 0.05}); }},
      {"adam",
       [] {
         return optimizers::Adam({.learning_rate = 0.01,
                                  .weight_decay = 0.1,
                                  .use_ema = true,
                                  .ema_momentum = 0.9,
                                  .ema_overwrite_frequency = 3});
       }},
      {"accumulated",
       [] { return optimizers::SGD({.learning_rate = 0.5, .gradient_accumulation_steps = 2}); }}};
}

using TableModels = std::function<Sequential(const std::string& sharding)>;

inline Case table_case(const TableModels& make, const std::string& sharding, const OptimizerCase& optimizer) {
  return {.name = optimizer.name,
          .make = [=] { return make(sharding); },
          .options = [make = optimizer.make] { return compiled_with(make()); }};
}

inline Sequential table_model_by_rows() { return table_model("row_wise"); }

/// A model with sharded tables that was trained for some steps.
inline Sequential trained_table_model(const Strategy& strategy, const Flowers& data,
                                      const std::function<Sequential()>& make = table_model_by_rows) {
  clear_session();
  set_random_seed(9);
  const auto scope = strategy.scope();
  Sequential model = make();
  model.compile(compiled_with("adam"));
  model.fit(data.x, data.class_id, {.batch_size = 16, .epochs = 1, .verbose = 0});
  return model;
}

/// Expects that the weights of a model with a sharded table are read and set whole, and that a replica sees its
/// part. The strategy has four replicas at most, all in this process.
inline void expect_weights_are_whole(const Strategy& strategy) {
  const Flowers data(32);
  const Sequential model = trained_table_model(strategy, data);
  const Variable table = model.weights()[0];
  ASSERT_NE(cornu::detail::parts_of(table), nullptr);
  std::vector<Tensor> weights = model.get_weights();
  EXPECT_EQ(weights[0].shape(), (Dims{5, 24}));
  EXPECT_EQ(weights[0].to_vector<float>(), Tensor(table.read()).to_vector<float>());
  std::vector<float> numbers(5 * 24);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  weights[0] = Tensor::adopt({5, 24}, std::vector<float>(numbers));
  model.set_weights(weights);
  EXPECT_EQ(table.value().to_vector<float>(), numbers);
  table.assign(weights[0] * 2);
  for (float& number : numbers) number *= 2;
  EXPECT_EQ(model.get_weights()[0].to_vector<float>(), numbers);
  std::vector<float> of_replicas;
  for (const Tensor& part : strategy.run([&] { return table.value() + 1.0f; }).values)
    for (const float number : part.to_vector<float>()) of_replicas.push_back(number - 1);
  of_replicas.resize(numbers.size());  // without padding
  EXPECT_EQ(of_replicas, numbers);
}

/// Expects a function's replicas to see parts of a table, and the function itself the whole.
inline void expect_functions_see_wholes_and_parts(
    const Strategy& strategy, cornu::detail::PartIndices indices = cornu::detail::PartIndices::kConsecutive) {
  const auto scope = strategy.scope();
  const Variable table(Tensor::of<float>({6, 1}, {1, 2, 3, 4, 5, 6}), {.name = "table"});
  cornu::detail::cut(table, 0, "the test", cornu::detail::ValueInReplica::kPart, indices);
  const auto step = function([&] {
    const Tensor before = ops::sum(table.value());
    strategy.run([&] { table.assign(table.value() * 2.0f); });
    const Tensor between = ops::sum(table.value());
    table.assign(table.value() + 1.0f);
    return std::vector<Tensor>{before, between, table.value()};
  });
  const std::vector<Tensor> found = step();
  EXPECT_EQ(found[0].item<float>(), 21);
  EXPECT_EQ(found[1].item<float>(), 42);
  EXPECT_EQ(found[2].to_vector<float>(), (std::vector<float>{3, 5, 7, 9, 11, 13}));
  EXPECT_EQ(table.value().to_vector<float>(), (std::vector<float>{3, 5, 7, 9, 11, 13}));
}

/// Expects weights files and whole models that the first strategy saved to continue on each of the others.
inline void expect_files_restore(const Strategy& first, std::span<const Strategy> others,
                                 const std::string& folder_name, Sequential (*make)() = table_model_by_rows) {
  const Flowers data(48);
  const std::string folder = testing::TempDir() + "/" + folder_name;
  std::filesystem::create_directories(folder);
  const std::string weights = folder + "/table.weights.h5", whole = folder + "/table.keras";
  const Sequential saved = trained_table_model(first, data, make);
  saved.save_weights(weights);
  saved.save(whole);
  const std::vector<float> expected = saved.get_weights()[0].to_vector<float>();
  const auto losses_after = [&](Model model) {
    return model.fit(data.x, data.class_id,
                     {.batch_size = 16, .epochs = 2, .verbose = 0, .shuffle = false})["loss"];
  };
  std::vector<double> losses;
  for (const Strategy& strategy : others) {
    SCOPED_TRACE(strategy.num_replicas_in_sync());
    clear_session();
    const auto scope = strategy.scope();
    Sequential model = make();
    model.build({kUnknown, 4});
    model.load_weights(weights);
    EXPECT_EQ(model.get_weights()[0].to_vector<float>(), expected);
    const Model loaded = load_model(whole);  // with the optimizer's slots
    EXPECT_EQ(loaded.get_weights()[0].to_vector<float>(), expected);
    EXPECT_EQ(cornu::detail::parts_of(loaded.weights()[0]) != nullptr, strategy.num_replicas_in_sync() > 1);
    const std::vector<double> found = losses_after(loaded);
    if (losses.empty()) losses = found;
    expect_near(found, losses, 2e-5);
  }
  std::filesystem::remove_all(folder);
}

/// Expects a training that is stopped after two epochs on one strategy to continue on another.
inline void expect_backups_resume(const Strategy& first, const Strategy& second,
                                  const std::string& folder_name,
                                  Sequential (*make)() = table_model_by_rows) {
  const Flowers data(48);
  const std::string folder = testing::TempDir() + "/" + folder_name;
  std::filesystem::remove_all(folder);
  const auto losses_of = [&](const Strategy& strategy, int epochs, bool backs_up) {
    clear_session();
    set_random_seed(9);
    std::optional<Strategy::Scope> scope(strategy);
    Sequential model = make();
    model.compile(compiled_with("adam"));
    scope.reset();
    FitOptions options{.batch_size = 16, .epochs = epochs, .verbose = 0};
    if (backs_up)
      options.callbacks = {callbacks::BackupAndRestore({.backup_dir = folder, .delete_checkpoint = false})};
    return model.fit(data.x, data.class_id, options)["loss"];
  };
  const std::vector<double> expected = losses_of(second, 4, false);
  losses_of(first, 2, true);
  const std::vector<double> resumed = losses_of(second, 4, true);
  ASSERT_EQ(resumed.size(), 2U);
  expect_near(resumed, {expected[2], expected[3]}, 2e-5);
  std::filesystem::remove_all(folder);
}

/// Expects batches of fewer rows than replicas, and eager steps, to train tables as one device does.
inline void expect_small_and_eager_steps_alike(const Strategy& strategy,
                                               Sequential (*make)() = table_model_by_rows) {
  const Flowers data(20);
  for (const bool run_eagerly : {false, true})
    expect_one_device_alike(
        strategy, make,
        {.optimizer = "sgd", .loss = "sparse_categorical_crossentropy", .run_eagerly = run_eagerly},
        [&](Sequential& model) {
          std::vector<double> all =
              model.fit(data.x, data.class_id, {.batch_size = 9, .epochs = 2, .verbose = 0})["loss"];
          all.push_back(model.evaluate(data.x, data.class_id, {.batch_size = 3, .verbose = 0})["loss"]);
          return all;
        });
}

}  // namespace cornu::inline v0::keras
