#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/tensor.h"

/// Layouts of variables over the devices of a mesh, with the names of keras.distribution.
namespace cornu::inline v0::keras::distribution {

/// The names of the devices of a type ("CPU", "GPU", "TPU", in any case); by default those of the accelerators,
/// and without any those of the CPUs.
std::vector<std::string> list_devices(StringViewArgument device_type = "");
std::int64_t get_device_count(StringViewArgument device_type = "");

/// A grid of devices whose axes have names.
///
///     const distribution::DeviceMesh mesh({1, 4}, {"batch", "model"});
class DeviceMesh {
 public:
  /// `devices`: their names in the order of the grid, last axis first.
  /// Errors: InvalidArgument for an empty shape, an extent below 1, a name that is empty or repeated, another
  ///         number of names than of axes, or of devices than of positions.
  DeviceMesh(Dims shape, std::vector<std::string> axis_names, std::vector<std::string> devices);
  /// A mesh of list_devices().
  DeviceMesh(Dims shape, std::vector<std::string> axis_names);

  const Dims& shape() const { return shape_; }
  const std::vector<std::string>& axis_names() const { return axis_names_; }
  const std::vector<std::string>& devices() const { return devices_; }
  /// The extent of an axis. Errors: InvalidArgument for a name that the mesh does not have.
  std::int64_t size_of(StringViewArgument axis_name) const;

  bool operator==(const DeviceMesh&) const = default;

 private:
  Dims shape_;
  std::vector<std::string> axis_names_, devices_;
};

/// The axis of the mesh along which each dimension of a tensor is cut; nullopt: the dimension is whole.
using LayoutAxes = std::vector<std::optional<std::string>>;

/// A cut of a tensor over a mesh.
class TensorLayout {
 public:
  /// Errors: InvalidArgument for an axis that the mesh does not have, or that is named twice.
  TensorLayout(LayoutAxes axes, const std::optional<DeviceMesh>& device_mesh = {});

  const LayoutAxes& axes() const { return axes_; }
  /// The mesh; nullopt until a LayoutMap sets it.
  const std::optional<DeviceMesh>& device_mesh() const { return mesh_; }

  bool operator==(const TensorLayout&) const = default;

 private:
  LayoutAxes axes_;
  std::optional<DeviceMesh> mesh_;
};

}  // namespace cornu::inline v0::keras::distribution
