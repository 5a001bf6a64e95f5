#include "cornu/backends/cpu/fft/interleave.h"

#include <algorithm>

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename T>
class InterleaveKernel final : public GroupKernel {
 public:
  explicit InterleaveKernel(const ir::Op& op)
      : splits_(op.results().size() == 2), count_(op.result(0).type().num_elements() / (splits_ ? 1 : 2)) {
    constexpr std::int64_t kSliceElements = 16384;
    num_slices_ = std::clamp<std::int64_t>(count_ / kSliceElements, 1, kMaxKernelSlices);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const std::int64_t begin = slice * count_ / num_slices_,
                         size = (slice + 1) * count_ / num_slices_ - begin;
      const auto operand = [&](std::size_t i) { return reinterpret_cast<const T*>(memory.operands[i]); };
      const auto result = [&](std::size_t i) { return reinterpret_cast<T*>(memory.results[i]); };
      if (splits_)
        split(size, operand(0) + 2 * begin, result(0) + begin, result(1) + begin);
      else
        join(size, operand(0) + begin, operand(1) + begin, result(0) + 2 * begin);
    });
  }

 private:
  static void split(std::int64_t size, const T* __restrict pairs, T* __restrict re, T* __restrict im) {
    for (std::int64_t i = 0; i < size; ++i) {
      re[i] = pairs[2 * i];
      im[i] = pairs[2 * i + 1];
    }
  }
  static void join(std::int64_t size, const T* __restrict re, const T* __restrict im, T* __restrict pairs) {
    for (std::int64_t i = 0; i < size; ++i) {
      pairs[2 * i] = re[i];
      pairs[2 * i + 1] = im[i];
    }
  }

  bool splits_;
  std::int64_t count_;
};

}  // namespace

bool has_interleave_kernel(const ir::Op& op) {
  constexpr std::int64_t kFewElements = 256;
  const ir::DType dtype = op.operand(0).dtype();
  return (dtype == ir::DType::kF32 || dtype == ir::DType::kF64) &&
         op.operand(0).type().num_elements() > kFewElements;
}

std::unique_ptr<GroupKernel> make_interleave_kernel(const ir::Op& op, const Target&, int) {
  if (op.operand(0).dtype() == ir::DType::kF32) return std::make_unique<InterleaveKernel<float>>(op);
  return std::make_unique<InterleaveKernel<double>>(op);
}

}  // namespace cornu::inline v0::backends::cpu
