#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/distribution/device_mesh.h"
#include "cornu/keras/distribution/layout_map.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras::distribution {

/// A strategy over the devices of a mesh: base class of DataParallel and ModelParallel. The rows of a batch are
/// divided over all devices.
class Distribution : public distribute::Strategy {
 public:
  const DeviceMesh& device_mesh() const { return mesh_; }
  const std::string& batch_dim_name() const { return batch_dim_name_; }
  /// The layout of a batch: its first dimension is cut. Errors: InvalidArgument for a scalar.
  TensorLayout get_data_layout(const Dims& data_shape) const;

 protected:
  Distribution(std::shared_ptr<const ReplicaSet> replicas, DeviceMesh mesh,
               const StringArgument& batch_dim_name)
      : Strategy(std::move(replicas)), mesh_(std::move(mesh)), batch_dim_name_(batch_dim_name) {}

 private:
  DeviceMesh mesh_;
  std::string batch_dim_name_;
};

/// Replicas on all devices of a mesh, each with all variables: a MirroredStrategy by Keras's names.
class DataParallel : public Distribution {
 public:
  /// Errors: those of MirroredStrategy.
  explicit DataParallel(const DeviceMesh& device_mesh);
  /// A mesh of one axis, "batch". Errors: InvalidArgument without any device; those of MirroredStrategy.
  explicit DataParallel(const std::vector<std::string>& devices);
  /// The same of list_devices().
  DataParallel() : DataParallel(list_devices()) {}

  std::int64_t num_model_replicas() const { return num_replicas_in_sync(); }
  TensorLayout get_variable_layout(const Variable& variable) const;
};

/// Replicas whose large weights are stored in parts.
///
/// A weight with a layout is cut along the first dimension for which the layout names an axis of the mesh, into
/// as many parts as the mesh has devices. Each device stores its part, and the same part of the optimizer's
/// slots. A step gathers a weight where a layer reads it, sums its gradient over the devices part by part, and
/// each device updates its part. So devices save memory for stored weights and slots; while a step runs, a
/// device has memory for the weights that it gathered. Files and get_weights() have whole weights, whatever
/// the number of devices.
/// Errors: when a weight is made, InvalidArgument for a layout of another rank; Unimplemented for a weight with
///         a constraint, and as in the layer Embedding's `sharding`.
class ModelParallel : public Distribution {
 public:
  /// `batch_dim_name`: the axis of the mesh that divides batches; empty: its first axis.
  /// Errors: those of MirroredStrategy; InvalidArgument for an axis that the mesh does not have.
  explicit ModelParallel(const LayoutMap& layout_map, const StringArgument& batch_dim_name = "");

  const LayoutMap& layout_map() const { return *layouts_; }
  /// The extent of the axis that divides batches.
  std::int64_t num_model_replicas() const { return device_mesh().size_of(batch_dim_name()); }
  /// The layout of the variable's path; without one, a layout that cuts nothing.
  TensorLayout get_variable_layout(const Variable& variable) const;

 private:
  ModelParallel(std::shared_ptr<const LayoutMap> layouts, const StringArgument& batch_dim_name);

  std::shared_ptr<const LayoutMap> layouts_;
};

/// Opens the scope of a distribution on this thread until another one is set. Strategy() sets none.
/// Errors: FailedPrecondition inside the scope of another strategy.
void set_distribution(const distribute::Strategy& strategy);
/// The strategy whose scope is open on this thread.
distribute::Strategy distribution();

}  // namespace cornu::inline v0::keras::distribution
