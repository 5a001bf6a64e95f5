#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/distribution/device_mesh.h"

namespace cornu::inline v0::keras::distribution {

/// Layouts of variables, by regular expressions of their paths.
///
///     distribution::LayoutMap layouts(mesh);
///     layouts.set(".*dense.*/kernel", {std::nullopt, "model"});
class LayoutMap {
 public:
  explicit LayoutMap(DeviceMesh device_mesh) : mesh_(std::move(device_mesh)) {}

  const DeviceMesh& device_mesh() const { return mesh_; }
  /// `key`: a path, or a regular expression (ECMAScript's) of whole paths. Errors: InvalidArgument for a key
  /// that exists, an expression that cannot be read, and those of TensorLayout.
  void set(const StringArgument& key, LayoutAxes axes);
  void set(const StringArgument& key, const TensorLayout& layout);
  /// The layout of a path: that of the equal key, else of the only expression that matches; nullopt without
  /// any. Errors: InvalidArgument if several expressions match.
  std::optional<TensorLayout> find(StringViewArgument path) const;
  /// Removes a key; false if it does not exist.
  bool erase(StringViewArgument key);
  std::vector<std::string> keys() const;
  std::size_t size() const { return layouts_.size(); }

 private:
  DeviceMesh mesh_;
  std::vector<std::pair<std::string, TensorLayout>> layouts_;
};

}  // namespace cornu::inline v0::keras::distribution
