#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cornu::inline v0::keras {

class Layer;

/// The state of a layer before it was built.
struct UnbuiltLayer {
  Layer* layer;
  std::shared_ptr<Layer> owner;  // null if no shared pointer holds the layer
  std::size_t num_trainable;
  std::size_t num_non_trainable;
  std::size_t num_regularizers;
  std::size_t num_seed_generators;
  std::size_t num_tracked;
  std::optional<std::string> parent_path;
};

/// Undoes all building in a layer and its inner layers during its lifetime, unless keep() is called.
class BuildGuard {
 public:
  explicit BuildGuard(Layer& layer);
  ~BuildGuard();
  BuildGuard(const BuildGuard&) = delete;
  BuildGuard& operator=(const BuildGuard&) = delete;
  void keep() { unbuilt_.clear(); }
  /// `outer` undoes the building at its end, in layers that a shared pointer holds.
  void leave_to(BuildGuard& outer);

 private:
  void add(Layer& layer);

  std::vector<UnbuiltLayer> unbuilt_;
};

}  // namespace cornu::inline v0::keras
