#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

/// A layer in Keras's files.
struct SavedLayer {
  std::string path;  // "layers/dense_1"; empty: the model itself
  const Layer* layer = nullptr;
  std::vector<Variable> variables;  // that the layer tracks itself
};

/// kWithSync: synchronized BatchNormalizations are counted as "sync_batch_normalization", as in files from
/// before Keras 3, where SyncBatchNormalization was a class.
enum class GroupNames { kToday, kWithSync };

/// A model and all its inner layers, each once, at Keras's paths: numbered by class, not by name. Operations
/// and a Sequential's input are left out.
std::vector<SavedLayer> weight_tree(const Layer& model, GroupNames names = GroupNames::kToday);

}  // namespace cornu::inline v0::keras
