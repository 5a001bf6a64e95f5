#pragma once

#include <functional>
#include <string>
#include <vector>

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

}  // namespace cornu::inline v0::keras
