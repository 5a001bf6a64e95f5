#include "cornu/backends/cpu/images/resize_kernel.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cornu/backends/cpu/images/pixel_sums.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/ops/resize/interpolation_taps.h"
#include "cornu/ops/resize/resize.h"

namespace cornu::inline v0::backends::cpu {
namespace {

class ResizeKernel final : public GroupKernel {
 public:
  ResizeKernel(const ir::Op& op, const Target& target, int num_threads) : isa_(target.isa) {
    const ir::Dims &from = op.operand(0).dims(), &to = op.result().dims();
    const ops::ResizeForm form = ops::resize_form(op.attributes());
    channels_ = from[3];
    rows_ = ops::resize_taps(form, from[1], to[1], ir::DType::kF32);
    columns_ = ops::resize_taps(form, from[2], to[2], ir::DType::kF32);
    for (std::int32_t& place : columns_.places) place *= static_cast<std::int32_t>(channels_);
    row_shares_.assign(rows_.shares.begin(), rows_.shares.end());
    column_shares_.assign(columns_.shares.begin(), columns_.shares.end());
    keeps_columns_ = from[2] == to[2];
    num_rows_from_ = from[1];
    num_rows_ = to[0] * to[1];
    line_from_ = from[2] * channels_;
    line_ = to[2] * channels_;
    const std::int64_t work = num_rows_ * (line_from_ * rows_.count + line_ * columns_.count);
    num_slices_ = std::clamp<std::int64_t>(work / kWorkPerSlice, 1,
                                           std::clamp<std::int64_t>(num_rows_, 1, kMaxKernelSlices));
    slot_bytes_ = whole_lines(static_cast<std::size_t>(line_from_ + images::kReadAfter) * sizeof(float)) +
                  whole_lines(static_cast<std::size_t>(rows_.count) * sizeof(const float*));
    scratch_bytes_ = slot_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    if (num_rows_ == 0 || channels_ == 0) return;
    const auto* const from = reinterpret_cast<const float*>(memory.operands[0]);
    auto* const to = reinterpret_cast<float*>(memory.results[0]);
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = (slice + 1) * num_rows_ / num_slices_;
      for (std::int64_t row = slice * num_rows_ / num_slices_; row < end; ++row)
        run_row(from, row, to + row * line_, lease.data());
    });
  }

 private:
  static constexpr std::int64_t kWorkPerSlice = 32768;

  void run_row(const float* from, std::int64_t row, float* to, std::byte* scratch) const {
    const std::int64_t num_rows = rows_.num_results(), image = row / num_rows, i = row % num_rows;
    const std::int32_t* const places = rows_.places.data() + i * rows_.count;
    const float* const first = from + image * num_rows_from_ * line_from_;
    auto* const line = reinterpret_cast<float*>(scratch);
    const float* source = first + places[0] * line_from_;
    if (rows_.has_shares()) {
      auto** const taps = reinterpret_cast<const float**>(
          scratch + whole_lines(static_cast<std::size_t>(line_from_ + images::kReadAfter) * sizeof(float)));
      for (std::int64_t k = 0; k < rows_.count; ++k) taps[k] = first + places[k] * line_from_;
      images::add_rows(isa_, {.rows = taps,
                              .shares = row_shares_.data() + i * rows_.count,
                              .num_taps = rows_.count,
                              .to = keeps_columns_ ? to : line,
                              .size = line_from_});
      source = line;
    } else if (keeps_columns_) {
      std::memcpy(to, source, static_cast<std::size_t>(line_) * sizeof(float));
    } else if (row >= num_rows_ - num_rows) {
      // No memory of the operand may follow a row of the last image.
      std::memcpy(line, source, static_cast<std::size_t>(line_from_) * sizeof(float));
      source = line;
    }
    if (keeps_columns_) return;
    images::add_pixels(isa_, {.from = source,
                              .places = columns_.places.data(),
                              .shares = columns_.has_shares() ? column_shares_.data() : nullptr,
                              .num_taps = columns_.count,
                              .num_pixels = columns_.num_results(),
                              .channels = channels_,
                              .to = to});
  }

  IsaLevel isa_;
  std::int64_t channels_ = 0, num_rows_from_ = 0, num_rows_ = 0;  // rows of an image; of all results
  std::int64_t line_from_ = 0, line_ = 0;                         // floats of a row
  bool keeps_columns_ = false;
  ops::Taps rows_, columns_;  // columns_.places are in floats
  std::vector<float> row_shares_, column_shares_;
  std::size_t slot_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_resize_kernel(const ir::Op& op, const Target& target, int num_threads) {
  return std::make_unique<ResizeKernel>(op, target, num_threads);
}

bool has_resize_kernel(const ir::Op& op) {
  const ir::Dims& dims = op.operand(0).dims();
  return op.operand(0).dtype() == ir::DType::kF32 && dims[2] * dims[3] < (std::int64_t{1} << 31);
}

}  // namespace cornu::inline v0::backends::cpu
