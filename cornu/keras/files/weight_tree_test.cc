#include "cornu/keras/files/weight_tree.h"

#include <gtest/gtest.h>

#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

/// Each path with the number of its own variables: "layers/dense 2".
std::vector<std::string> saved_paths(const Model& model, GroupNames names = GroupNames::kToday) {
  std::vector<std::string> all;
  for (const SavedLayer& saved : weight_tree(*model, names))
    all.push_back(saved.path + " " + std::to_string(saved.variables.size()));
  return all;
}

using Paths = std::vector<std::string>;

TEST(WeightTreeTest, NumbersLayersByClassWhateverTheirNames) {
  const Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "dense_7"}),
                          layers::ReLU(), layers::Dense({.units = 2, .use_bias = false, .name = "a"})});
  EXPECT_EQ(saved_paths(model), (Paths{" 0", "layers/dense 2", "layers/re_lu 0", "layers/dense_1 1"}));
}

TEST(WeightTreeTest, HasASharedLayerOnceAndNoOperations) {
  const Input x({.shape = {3}});
  const layers::Dense shared({.units = 3});
  const Model model({.inputs = x, .outputs = shared(shared(x) + x)});
  EXPECT_EQ(saved_paths(model), (Paths{" 0", "layers/input_layer 0", "layers/dense 2"}));
}

TEST(WeightTreeTest, WalksIntoModelsAndWrappers) {
  const Sequential inner({layers::Dense({.units = 2}), layers::Dense({.units = 2})});
  const Sequential model(
      {layers::Input({.shape = {4, 3}}), inner, layers::Bidirectional(layers::GRU({.units = 2}))});
  EXPECT_EQ(saved_paths(model),
            (Paths{" 0", "layers/sequential 0", "layers/sequential/layers/dense 2",
                   "layers/sequential/layers/dense_1 2", "layers/bidirectional 0",
                   "layers/bidirectional/forward_layer 0", "layers/bidirectional/forward_layer/cell 3",
                   "layers/bidirectional/backward_layer 0", "layers/bidirectional/backward_layer/cell 3"}));
}

TEST(WeightTreeTest, CountsSynchronizedNormalizationsApartInOldFiles) {
  const Sequential model({layers::Input({.shape = {3}}), layers::BatchNormalization({.synchronized = true}),
                          layers::BatchNormalization()});
  EXPECT_EQ(saved_paths(model),
            (Paths{" 0", "layers/batch_normalization 4", "layers/batch_normalization_1 4"}));
  EXPECT_EQ(saved_paths(model, GroupNames::kWithSync),
            (Paths{" 0", "layers/sync_batch_normalization 4", "layers/batch_normalization 4"}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
