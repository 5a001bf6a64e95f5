#include "cornu/backends/cpu/images/sample_kernel.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cornu/backends/cpu/images/samples.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/base/check.h"
#include "cornu/ops/sample_pixels/sample_pixels.h"

namespace cornu::inline v0::backends::cpu {
namespace {

images::FillMode fill_mode_of(std::string_view name) {
  using images::FillMode;
  constexpr std::array kNames = {"constant", "nearest", "wrap", "mirror", "reflect"};
  constexpr std::array kModes = {FillMode::kConstant, FillMode::kNearest, FillMode::kWrap, FillMode::kMirror,
                                 FillMode::kReflect};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  CORNU_CHECK(found != kNames.end(), "fill mode {}", name);
  return kModes[static_cast<std::size_t>(found - kNames.begin())];
}

class SampleKernel final : public GroupKernel {
 public:
  SampleKernel(const ir::Op& op, const Target& target) : isa_(target.isa) {
    const ir::Dims &x = op.operand(0).dims(), &places = op.operand(1).dims();
    const ops::SamplingForm form = ops::sampling_form(op.attributes());
    const bool is_batch = x.size() == 4;
    const std::size_t rows = is_batch ? 1 : 0;
    samples_ = {.num_rows = x[rows],
                .num_columns = x[rows + 1],
                .channels = is_batch ? x[3] : 1,
                .fill_mode = fill_mode_of(form.fill_mode),
                .fill_value = static_cast<float>(form.fill_value)};
    num_images_ = is_batch ? x[0] : 1;
    num_places_ = 1;
    for (std::size_t d = rows + 1; d < places.size(); ++d) num_places_ *= places[d];
    constexpr std::int64_t kWorkPerSlice = 16384;
    const std::int64_t work = num_places_ * (samples_.channels + 4);
    num_parts_ = std::clamp<std::int64_t>(work / kWorkPerSlice, 1, kMaxKernelSlices);
    num_slices_ = std::max<std::int64_t>(num_images_ * num_parts_, 1);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    if (num_images_ == 0 || num_places_ == 0 || samples_.channels == 0) return;
    const auto operand = [&](std::size_t i) { return reinterpret_cast<const float*>(memory.operands[i]); };
    auto* const to = reinterpret_cast<float*>(memory.results[0]);
    const std::int64_t size = samples_.num_rows * samples_.num_columns * samples_.channels;
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const std::int64_t image = slice / num_parts_, part = slice % num_parts_;
      const std::int64_t first = part * num_places_ / num_parts_, end = (part + 1) * num_places_ / num_parts_;
      images::Samples samples = samples_;
      samples.image = operand(0) + image * size;
      samples.num_after = (num_images_ - 1 - image) * size;
      samples.rows = operand(1) + image * num_places_ + first;
      samples.columns = samples.rows + num_images_ * num_places_;
      samples.count = end - first;
      samples.to = to + (image * num_places_ + first) * samples_.channels;
      images::take_samples(isa_, samples);
    });
  }

 private:
  IsaLevel isa_;
  images::Samples samples_;  // without addresses
  std::int64_t num_images_ = 0, num_places_ = 0, num_parts_ = 1;
};

}  // namespace

std::unique_ptr<GroupKernel> make_sample_kernel(const ir::Op& op, const Target& target, int) {
  return std::make_unique<SampleKernel>(op, target);
}

bool has_sample_kernel(const ir::Op& op) {
  const ir::TensorType &x = op.operand(0).type(), &positions = op.operand(1).type();
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // offsets in an image are of i32
  return ops::sampling_form(op.attributes()).order == 1 && x.dtype == ir::DType::kF32 &&
         positions.dtype == ir::DType::kF32 && positions.dims[0] == 2 && x.num_elements() < kMost;
}

}  // namespace cornu::inline v0::backends::cpu
