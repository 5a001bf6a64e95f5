#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

/// A layer as Keras's files hold it.
struct SavedLayer {
  std::string path;  // "layers/dense_1"; empty: the model itself
  const Layer* layer = nullptr;
  std::vector<Variable> variables;  // its own ones, not those of layers inside
};

/// kWithSync: synchronized BatchNormalizations are counted as "sync_batch_normalization", as in files from
/// before Keras 3, where SyncBatchNormalization was a class of its own.
enum class GroupNames { kToday, kWithSync };

/// A model and all layers inside, each once, where Keras writes them: numbered by their class, not by their
/// names. Operations are no layers; a Sequential's input is left out.
std::vector<SavedLayer> weight_tree(const Layer& model, GroupNames names = GroupNames::kToday);

}  // namespace cornu::inline v0::keras
