#include "cornu/keras/distribution/distribution.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/distribute/strategy/replica_sets_support.h"

namespace cornu::inline v0::keras::distribution {
namespace {

/// The first dimension that the layout cuts into several parts.
std::optional<std::int64_t> cut_dimension(const LayoutMap& layouts, std::string_view path,
                                          const Dims& shape) {
  const std::optional<TensorLayout> layout = layouts.find(path);
  if (!layout.has_value()) return std::nullopt;
  const LayoutAxes& axes = layout->axes();
  if (axes.size() != shape.size())
    invalid_argument({.argument = "layout_map"},
                     R"([ModelParallel] weight "{}" has the shape {}; its layout has {} axes)",
                     printable(std::string(path)), ir::shape_str(shape), axes.size());
  for (std::size_t d = 0; d < axes.size(); ++d)
    if (axes[d].has_value() && layouts.device_mesh().size_of(*axes[d]) > 1)
      return static_cast<std::int64_t>(d);
  return std::nullopt;
}

std::shared_ptr<ReplicaSet> replicas_with_layouts(const std::shared_ptr<const LayoutMap>& layouts) {
  const std::shared_ptr<ReplicaSet> replicas =
      distribute::make_replicas("ModelParallel", layouts->device_mesh().devices());
  replicas->cut_axis = [layouts](StringViewArgument path, const Dims& shape) {
    return cut_dimension(*layouts, path, shape);
  };
  return replicas;
}

/// The name of the mesh's first axis. Errors: InvalidArgument for a mesh that was moved from.
const std::string& first_axis(const DeviceMesh& mesh) {
  if (mesh.axis_names().empty())
    invalid_argument({.argument = "device_mesh"}, "[distribution] the mesh has no axes: it was moved from");
  return mesh.axis_names()[0];
}

DeviceMesh mesh_of_batches(const std::vector<std::string>& devices) {
  return {{static_cast<std::int64_t>(devices.size())}, {"batch"}, devices};
}

}  // namespace

TensorLayout Distribution::get_data_layout(const Dims& data_shape) const {
  if (data_shape.empty())
    invalid_argument({.argument = "data_shape"}, "[distribution] a scalar has no rows to divide");
  LayoutAxes axes(data_shape.size());
  axes[0] = batch_dim_name_;
  return {std::move(axes), mesh_};
}

DataParallel::DataParallel(const DeviceMesh& device_mesh)
    : Distribution(distribute::make_replicas("DataParallel", device_mesh.devices()), device_mesh,
                   first_axis(device_mesh)) {}
DataParallel::DataParallel(const std::vector<std::string>& devices)
    : DataParallel(mesh_of_batches(devices)) {}

TensorLayout DataParallel::get_variable_layout(const Variable& variable) const {
  return {LayoutAxes(variable.shape().size()), device_mesh()};
}

ModelParallel::ModelParallel(const LayoutMap& layout_map, const StringArgument& batch_dim_name)
    : ModelParallel(std::make_shared<const LayoutMap>(layout_map), batch_dim_name) {}

ModelParallel::ModelParallel(std::shared_ptr<const LayoutMap> layouts, const StringArgument& batch_dim_name)
    : Distribution(
          replicas_with_layouts(layouts), layouts->device_mesh(),
          batch_dim_name.empty() ? StringArgument(first_axis(layouts->device_mesh())) : batch_dim_name),
      layouts_(std::move(layouts)) {
  num_model_replicas();  // throws for an unknown axis
}

TensorLayout ModelParallel::get_variable_layout(const Variable& variable) const {
  if (std::optional<TensorLayout> layout = layouts_->find(variable.path())) return *std::move(layout);
  return {LayoutAxes(variable.shape().size()), device_mesh()};
}

void set_distribution(const distribute::Strategy& strategy) {
  thread_local std::optional<distribute::Strategy::Scope> scope;
  scope.reset();
  if (strategy.num_replicas_in_sync() > 1 || !strategy.devices().empty()) scope.emplace(strategy);
}

distribute::Strategy distribution() { return distribute::get_strategy(); }

}  // namespace cornu::inline v0::keras::distribution
