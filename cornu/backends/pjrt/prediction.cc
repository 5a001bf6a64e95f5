#include "cornu/backends/pjrt/prediction.h"

#include <fmt/format.h>

#include <algorithm>

namespace cornu::inline v0::backends::pjrt {
namespace {

/// The rate of f32 products in the requested precision. High takes half the passes of the highest on a TPU,
/// and TF32 on a GPU.
double flops_per_second(const ChipPeaks& peaks, runtime::Precision precision) {
  switch (precision) {
    case runtime::Precision::kAuto:
    case runtime::Precision::kHighest: return peaks.highest_flops;
    case runtime::Precision::kHigh:
    case runtime::Precision::kTf32: return std::min(2 * peaks.highest_flops, peaks.default_flops);
    case runtime::Precision::kBf16:
    case runtime::Precision::kDefault: return peaks.default_flops;
  }
  return peaks.highest_flops;
}

/// Microseconds, or nanoseconds for short times.
std::string time_text(double seconds) {
  return seconds < 1e-7 ? fmt::format("{:.3g} ns", 1e9 * seconds) : fmt::format("{:.3f} us", 1e6 * seconds);
}

}  // namespace

Prediction predict(const ProgramCosts& costs, const ChipPeaks& peaks, runtime::Precision precision) {
  Prediction prediction{.compute_seconds = costs.flops / flops_per_second(peaks, precision),
                        .memory_seconds = costs.bytes_accessed / peaks.bytes_per_second};
  prediction.seconds = std::max(prediction.compute_seconds, prediction.memory_seconds);
  prediction.bound_by = prediction.seconds <= 0 ? "nothing the compiler counts"
                        : prediction.compute_seconds >= prediction.memory_seconds ? "compute"
                                                                                  : "memory";
  return prediction;
}

std::string prediction_text(const ProgramCosts& costs, const Target& target, runtime::Precision precision) {
  const Prediction prediction = predict(costs, target.peaks, precision);
  const std::int64_t needed = costs.argument_bytes + costs.output_bytes - costs.donated_bytes +
                              costs.temporary_bytes + costs.code_bytes;
  return fmt::format(
      "predicted: a step takes {} or more, bound by {}: {} for the flops at {:.1f} TFLOP/s, {} for the bytes "
      "at {:.2f} TB/s (published peaks; nothing was measured, launches and transfers are not in it)\n"
      "predicted: {} bytes of memory, {:.2f} % of the device's {:.0f} GB\n",
      time_text(prediction.seconds), prediction.bound_by, time_text(prediction.compute_seconds),
      1e-12 * flops_per_second(target.peaks, precision), time_text(prediction.memory_seconds),
      1e-12 * target.peaks.bytes_per_second, needed,
      100 * static_cast<double>(needed) / target.peaks.memory_bytes, 1e-9 * target.peaks.memory_bytes);
}

}  // namespace cornu::inline v0::backends::pjrt
