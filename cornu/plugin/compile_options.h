#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cornu::inline v0::plugin {

/// The settings of XLA's CompileOptionsProto that Cornu uses; it ignores the rest, which is advice for XLA.
struct CompileOptions {
  std::int64_t num_replicas = 1, num_partitions = 1;
  /// Device numbers of partition 0's replicas, then of partition 1's, and so on; empty: the first devices.
  std::vector<std::int64_t> devices;
  bool is_portable = false;  // runs on the device that an execution names
};

/// Errors: DataLoss for bytes that are no message; InvalidArgument for counts below 1, device numbers that do
///         not fit them, and an option by name that is not XLA's.
CompileOptions parse_compile_options(std::string_view bytes);

}  // namespace cornu::inline v0::plugin
