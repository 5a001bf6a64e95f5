#include "cornu/keras/distribution/device_mesh.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/distribute/strategy/replica_sets_support.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::keras::distribution {
namespace {

[[noreturn]] void refuse_axis(std::string_view axis, const std::vector<std::string>& known) {
  invalid_argument({.argument = "axes"}, R"([distribution] the mesh has the axes "{}"; got "{}")",
                   fmt::join(known, R"(", ")"), printable(std::string(axis)));
}

}  // namespace

std::vector<std::string> list_devices(StringViewArgument device_type) {
  std::string type(device_type);
  for (char& c : type) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (!type.empty()) return distribute::devices_of_type(type);
  for (const char* const accelerator : {"TPU", "GPU"})
    if (std::vector<std::string> names = distribute::devices_of_type(accelerator); !names.empty())
      return names;
  return distribute::devices_of_type("CPU");
}

std::int64_t get_device_count(StringViewArgument device_type) {
  return static_cast<std::int64_t>(list_devices(device_type).size());
}

DeviceMesh::DeviceMesh(Dims shape, std::vector<std::string> axis_names, std::vector<std::string> devices)
    : shape_(std::move(shape)), axis_names_(std::move(axis_names)), devices_(std::move(devices)) {
  if (shape_.empty() || shape_.size() != axis_names_.size())
    invalid_argument({.argument = "axis_names"},
                     "[DeviceMesh] each axis of the shape needs a name; got {} axes and {} names",
                     shape_.size(), axis_names_.size());
  for (auto name = axis_names_.begin(); name != axis_names_.end(); ++name)
    if (name->empty() || std::find(axis_names_.begin(), name, *name) != name)
      invalid_argument({.argument = "axis_names"},
                       R"([DeviceMesh] names of axes must differ and not be empty; got "{}")",
                       fmt::join(axis_names_, R"(", ")"));
  auto left = static_cast<std::int64_t>(devices_.size());
  for (const std::int64_t extent : shape_) {
    if (extent < 1 || left % extent != 0) left = 0;
    if (left != 0) left /= extent;
  }
  if (left != 1)
    invalid_argument({.argument = "shape"}, "[DeviceMesh] the shape {} needs as many devices; got {}",
                     ir::shape_str(shape_), devices_.size());
}

DeviceMesh::DeviceMesh(Dims shape, std::vector<std::string> axis_names)
    : DeviceMesh(std::move(shape), std::move(axis_names), list_devices()) {}

std::int64_t DeviceMesh::size_of(StringViewArgument axis_name) const {
  const auto found = std::find(axis_names_.begin(), axis_names_.end(), axis_name);
  if (found == axis_names_.end()) refuse_axis(axis_name, axis_names_);
  return shape_[static_cast<std::size_t>(found - axis_names_.begin())];
}

TensorLayout::TensorLayout(LayoutAxes axes, const std::optional<DeviceMesh>& device_mesh)
    : axes_(std::move(axes)), mesh_(device_mesh) {
  for (auto axis = axes_.begin(); axis != axes_.end(); ++axis) {
    if (!axis->has_value()) continue;
    if (std::find(axes_.begin(), axis, *axis) != axis)
      invalid_argument({.argument = "axes"}, R"([TensorLayout] two dimensions are cut along the axis "{}")",
                       printable(**axis));
    if (mesh_.has_value()) mesh_->size_of(**axis);
  }
}

}  // namespace cornu::inline v0::keras::distribution
