#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/attribute.h"

/// Shardings of tensors among the devices of a program, from the texts of Shardy's attributes.
namespace cornu::inline v0::transform {

/// A grid of devices with named axes.
struct DeviceMesh {
  struct Axis {
    std::string name;
    std::int64_t size = 1;
  };
  std::vector<Axis> axes;
  /// The device at each position of the grid, the last axis first; empty: device i is at position i.
  std::vector<std::int64_t> devices;
};

/// A cut of a tensor into equal parts, one for each device. Devices with the same position have the same
/// part.
struct TensorSharding {
  /// Number of parts along each dimension.
  ir::Dims num_parts;
  /// The position of each device's part.
  std::vector<ir::Dims> positions;
  /// Unreduced axes: a part is the sum of this number of tensors, of which each device has one.
  std::int64_t num_summands = 1;
  std::vector<std::int64_t> summands;

  bool operator==(const TensorSharding&) const = default;
  /// True if each device has the whole tensor.
  bool is_replicated() const;
  /// True if each part is on some device.
  bool has_all_parts() const;
  /// The extents of a part. Errors: Unimplemented if an extent is no multiple of its number of parts.
  ir::Dims part_dims(const ir::Dims& dims) const;
};

TensorSharding replicated_sharding(std::int64_t rank, std::int64_t num_devices);

/// Parses texts of Shardy's attributes.
///
/// Errors: InvalidArgument for a text of another form, or an axis or a mesh that does not exist;
///         Unimplemented for a mesh of another number of devices.
class ShardingReader {
 public:
  /// `module_attributes`: those of ir::ParsedModule, which has the meshes.
  ShardingReader(const ir::Attributes& module_attributes, std::int64_t num_devices);

  /// `<@mesh, [{"x"}, {}]>`, for a tensor of this rank. Axes that are not among `axes` are left out; null:
  /// all axes count.
  TensorSharding sharding(std::string_view text, std::int64_t rank,
                          const std::vector<std::string>* axes = nullptr) const;
  /// `[<@mesh, [{"x"}]>, <@mesh, [{}]>]`, for tensors of these ranks.
  std::vector<TensorSharding> shardings(std::string_view text, std::span<const std::int64_t> ranks,
                                        const std::vector<std::string>& axes) const;
  /// A number for each device, which is equal for devices with the same coordinates along these axes. `text` is
  /// that of a sharding, or of several, with the mesh of the axes.
  std::vector<std::int64_t> groups(std::string_view text, const std::vector<std::string>& axes) const;
  /// `#sdy<manual_axes{"x", "y"}>`
  static std::vector<std::string> manual_axes(std::string_view text);

 private:
  std::map<std::string, DeviceMesh, std::less<>> meshes_;
  std::int64_t num_devices_;
};

}  // namespace cornu::inline v0::transform
