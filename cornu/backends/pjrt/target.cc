#include "cornu/backends/pjrt/target.h"

#include <algorithm>
#include <array>

#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// Properties of absent chips that XLA's GPU compiler needs; from NVIDIA's data sheets and programming guide.
struct Gpu {
  const char* name;
  const char* chip;
  int compute_major;
  const char* features;
  int cores;
  int lanes_per_core;
  std::int64_t shared_bytes_per_core, shared_bytes_per_block;
  std::int64_t cache_bytes;
  double clock_ghz;
  ChipPeaks peaks;
};
constexpr std::array<Gpu, 3> kGpus = {{{"h200",
                                        "NVIDIA H200",
                                        9,
                                        "ACCELERATED_FEATURES",
                                        132,
                                        128,
                                        233472,
                                        232448,
                                        52428800,
                                        1.98,
                                        {494.7e12, 66.9e12, 4.8e12, 141e9}},
                                       {"h100",
                                        "NVIDIA H100 SXM",
                                        9,
                                        "ACCELERATED_FEATURES",
                                        132,
                                        128,
                                        233472,
                                        232448,
                                        52428800,
                                        1.98,
                                        {494.7e12, 66.9e12, 3.35e12, 80e9}},
                                       {"a100",
                                        "NVIDIA A100 SXM 80 GB",
                                        8,
                                        "NONE",
                                        108,
                                        64,
                                        167936,
                                        166912,
                                        41943040,
                                        1.41,
                                        {156e12, 19.5e12, 2.039e12, 80e9}}}};

/// Properties of one device: a chip, for tpu7x half a chip. Full precision of f32 takes six passes in bf16.
struct Tpu {
  const char* name;
  const char* chip;
  std::array<const char*, 5> slices;
  double bf16_flops, bytes_per_second, memory_bytes;
};
constexpr std::array<Tpu, 5> kTpus = {
    {{"v4", "TPU v4", {"2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4"}, 275e12, 1.2e12, 32e9},
     {"v5e", "TPU v5e", {"2x2", "1x1", "2x4", "4x4", "4x8"}, 197e12, 0.819e12, 16e9},
     {"v5p", "TPU v5p", {"2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4"}, 459e12, 2.765e12, 95e9},
     {"v6e", "TPU v6e", {"1x1", "2x2", "2x4", "4x4", "4x8"}, 918e12, 1.64e12, 32e9},
     {"tpu7x", "TPU7x", {"2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4"}, 1153.5e12, 3.69e12, 96e9}}};

/// A GpuTargetConfigProto in protobuf's text form.
std::string gpu_description(const Gpu& gpu) {
  return fmt::format(
      "gpu_device_info {{ threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048 "
      "shared_memory_per_block: 49152 shared_memory_per_core: {} shared_memory_per_block_optin: {} "
      "core_count: {} fpus_per_core: {} block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 "
      "block_dim_limit_z: 65535 thread_dim_limit_x: 1024 thread_dim_limit_y: 1024 thread_dim_limit_z: 64 "
      "memory_bandwidth: {:.0f} l2_cache_size: {} clock_rate_ghz: {} device_memory_size: {:.0f} "
      "cuda_compute_capability {{ major: {} feature_extension: {} }} registers_per_core_limit: 65536 "
      "registers_per_block_limit: 65536 }} platform_name: \"CUDA\" dnn_version_info {{ major: 9 minor: 10 "
      "patch: 0 }} device_description_str: \"{}\"",
      gpu.shared_bytes_per_core, gpu.shared_bytes_per_block, gpu.cores, gpu.lanes_per_core,
      gpu.peaks.bytes_per_second, gpu.cache_bytes, gpu.clock_ghz, gpu.peaks.memory_bytes, gpu.compute_major,
      gpu.features, gpu.chip);
}

Target gpu_target(const Gpu& gpu) {
  return {.name = gpu.name,
          .chip = gpu.chip,
          .device_type = "GPU",
          .plugin = "cuda",
          .topology_name = "",
          .topology_options = {{"topology", "1x1x1"}, {"target_config", gpu_description(gpu)}},
          .peaks = gpu.peaks};
}

Target tpu_target(const Tpu& tpu, std::string_view slice) {
  if (slice.empty()) slice = tpu.slices[0];
  if (std::find(tpu.slices.begin(), tpu.slices.end(), slice) == tpu.slices.end())
    invalid_argument("[pjrt] \"{}\" does not come in the slice \"{}\"; it does in {}", tpu.name, slice,
                     fmt::join(tpu.slices, ", "));
  constexpr double kPassesOfFullPrecision = 6;
  const std::string name = fmt::format("{}:{}", tpu.name, slice);
  return {.name = name,
          .chip = tpu.chip,
          .device_type = "TPU",
          .plugin = "tpu",
          .topology_name = name,
          .topology_options = {},
          .peaks = {.default_flops = tpu.bf16_flops,
                    .highest_flops = tpu.bf16_flops / kPassesOfFullPrecision,
                    .bytes_per_second = tpu.bytes_per_second,
                    .memory_bytes = tpu.memory_bytes}};
}

}  // namespace

Target find_target(std::string_view name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string_view chip = name.substr(0, colon);
  for (const Gpu& gpu : kGpus)
    if (gpu.name == name) return gpu_target(gpu);
  for (const Tpu& tpu : kTpus)
    if (tpu.name == chip) return tpu_target(tpu, colon == name.size() ? "" : name.substr(colon + 1));
  std::vector<std::string> names;
  names.reserve(kGpus.size() + kTpus.size());
  for (const Gpu& gpu : kGpus) names.emplace_back(gpu.name);
  for (const Tpu& tpu : kTpus) names.emplace_back(tpu.name);
  fail(ErrorCode::kNotFound, "[pjrt] there is no target \"{}\": {}; there are: {}", name,
       name_proposal(chip, names), fmt::join(known_targets(), ", "));
}

std::vector<std::string> known_targets() {
  std::vector<std::string> names;
  names.reserve(kGpus.size() + kTpus.size());
  for (const Gpu& gpu : kGpus) names.emplace_back(gpu.name);
  for (const Tpu& tpu : kTpus) names.push_back(fmt::format("{}:{}", tpu.name, tpu.slices[0]));
  return names;
}

}  // namespace cornu::inline v0::backends::pjrt
