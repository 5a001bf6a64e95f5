#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// What a chip's maker publishes of one device of it, without sparsity.
struct ChipPeaks {
  double default_flops = 0;  // a second, products of f32 in what is fastest: TF32 on a GPU, bf16 on a TPU
  double highest_flops = 0;  // a second, products in f32's full precision
  double bytes_per_second = 0;
  double memory_bytes = 0;
};

/// A chip that programs are compiled for without it.
struct Target {
  std::string name;           // as it is asked for: "h200", "v5e:2x2"
  std::string chip;           // "NVIDIA H200"
  std::string device_type;    // "GPU", "TPU"
  std::string plugin;         // the plug-in that compiles for it: "cuda", "tpu"
  std::string topology_name;  // as the plug-in takes it
  std::vector<std::pair<std::string, std::string>> topology_options;
  ChipPeaks peaks;
};

/// The target "h200", or, of chips that come in slices, "v5e:2x2".
/// Errors: NotFound for a chip that is not known, with the nearest; InvalidArgument for a slice that the chip
///         does not come in, with those it does.
Target find_target(std::string_view name);

/// All of them, each with its first slice, for lists.
std::vector<std::string> known_targets();

}  // namespace cornu::inline v0::backends::pjrt
