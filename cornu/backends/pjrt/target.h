#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// Published peaks of one device of a chip, without sparsity.
struct ChipPeaks {
  double default_flops = 0;  // products of f32 a second in the fastest precision: TF32 on a GPU, bf16 on a
                             // TPU
  double highest_flops = 0;  // products of f32 a second in full precision
  double bytes_per_second = 0;
  double memory_bytes = 0;
};

/// A chip that programs can be compiled for in its absence.
struct Target {
  std::string name;           // the requested name: "h200", "v5e:2x2"
  std::string chip;           // "NVIDIA H200"
  std::string device_type;    // "GPU", "TPU"
  std::string plugin;         // the plug-in that compiles for it: "cuda", "tpu"
  std::string topology_name;  // name for the plug-in
  std::vector<std::pair<std::string, std::string>> topology_options;
  ChipPeaks peaks;
};

/// Finds the target "h200" or, for chips in slices, "v5e:2x2".
/// Errors: NotFound for an unknown chip, with the nearest; InvalidArgument for a slice that does not exist
///         for the chip, with the existing ones.
Target find_target(std::string_view name);

/// All targets, each with its first slice, for lists.
std::vector<std::string> known_targets();

}  // namespace cornu::inline v0::backends::pjrt
