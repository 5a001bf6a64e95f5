#include <algorithm>
#include <string>

#include "cornu/keras/layers/layers.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "examples/models/models.h"

namespace cornu::inline v0::examples {
namespace {

using keras::Input;
using keras::KerasTensor;
namespace layers = keras::layers;
namespace optimizers = keras::optimizers;

constexpr std::int64_t kVectorWidth = 16;

/// Different values in the 26 columns of Criteo's data for Kaggle.
constexpr std::int64_t kCriteoIds[] = {1460,  583,  10131227, 2202608, 305, 24,     12517,   633,   3,
                                       93145, 5683, 8351593,  3194,    27,  14992,  5461306, 10,    5652,
                                       2173,  4,    7046547,  18,      15,  286181, 105,     142572};

KerasTensor dense_stack(KerasTensor x, std::initializer_list<std::int64_t> widths) {
  for (const std::int64_t units : widths) x = layers::Dense({.units = units, .activation = "relu"})(x);
  return x;
}

/// The dot product of each pair of n vectors, (batch, n * (n - 1) / 2): row after row of the lower triangle
/// of a matrix of all pairs.
Tensor products_of_pairs(std::span<const Tensor> vectors) {
  const Tensor stacked = ops::stack(vectors, 1);  // (batch, n, width)
  const Tensor products = ops::matmul(stacked, ops::transpose(stacked, {0, 2, 1}));
  const auto n = static_cast<std::int32_t>(vectors.size());
  std::vector<std::int32_t> below_diagonal;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = 0; j < i; ++j) below_diagonal.push_back(i * n + j);
  return ops::take(ops::reshape(products, {-1, n * n}), Tensor(below_diagonal), {.axis = 1});
}

}  // namespace

std::vector<std::int64_t> criteo_tables(std::int64_t most_rows) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t ids : kCriteoIds) sizes.push_back(std::min(ids, most_rows));
  return sizes;
}

keras::Model criteo_dlrm(std::span<const std::int64_t> table_sizes) {
  const auto num_tables = static_cast<std::int64_t>(table_sizes.size());
  const Input counts({.shape = {kCriteoCounts}, .name = "counts"});
  const Input ids({.shape = {num_tables}, .dtype = DType::kI32, .name = "ids"});
  const KerasTensor bottom = dense_stack(counts, {512, 256, 64, kVectorWidth});

  layers::DistributedEmbeddingOptions lookup;
  std::vector<KerasTensor> columns;
  for (std::int64_t column = 0; column < num_tables; ++column) {
    const std::string name = "category_" + std::to_string(column + 1);
    lookup.feature_configs.push_back(
        {.table = {.vocabulary_size = table_sizes[static_cast<std::size_t>(column)],
                   .dim = kVectorWidth,
                   .name = name},
         .name = name});
    columns.push_back(layers::Lambda(
        [column](const Tensor& all) { return ops::squeeze(all.slice({{}, {column, column + 1}}), 1); })(ids));
  }
  std::vector<KerasTensor> vectors = layers::DistributedEmbedding(lookup).call_many(columns);
  vectors.insert(vectors.begin(), bottom);

  const KerasTensor products = layers::Lambda(products_of_pairs)(vectors);
  const KerasTensor top = dense_stack(layers::concatenate({bottom, products}), {512, 256});
  return keras::Model(
      {.inputs = {counts, ids}, .outputs = layers::Dense({.units = 1, .activation = "sigmoid"})(top)});
}

keras::CompileOptions criteo_dlrm_training() {
  return {.optimizer = optimizers::SGD({.learning_rate = 0.1}), .loss = keras::losses::BinaryCrossentropy()};
}

}  // namespace cornu::inline v0::examples
