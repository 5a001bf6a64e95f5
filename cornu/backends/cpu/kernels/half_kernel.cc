#include "cornu/backends/cpu/kernels/half_kernel.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

class HalfKernel final : public GroupKernel {
 public:
  HalfKernel(const ir::Op& op, const Target& target, std::unique_ptr<GroupKernel> kernel)
      : kernel_(std::move(kernel)) {
    const ir::DType half = op.result().dtype();
    to_float_ = elements::kernel_set(target.isa).convert(half, ir::DType::kF32);
    to_half_ = elements::kernel_set(target.isa).convert(ir::DType::kF32, half);
    scratch_bytes_ = whole_lines(kernel_->scratch_bytes());
    for (const ir::Value& operand : op.operands()) operands_.push_back(add(operand));
    for (const ir::Value& result : op.results()) results_.push_back(add(result));
    num_slices_ = kernel_->num_slices();
  }

  void build() override { kernel_->build(); }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    std::array<const std::byte*, kMaxKernelTensors> operands;
    std::array<std::byte*, kMaxKernelTensors> results;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      std::byte* const to = memory.scratch + operands_[i].offset;
      convert(to_float_, operands_[i].num_elements, memory.operands[i], kHalfBytes, to, sizeof(float), pool);
      operands[i] = to;
    }
    for (std::size_t i = 0; i < results_.size(); ++i) results[i] = memory.scratch + results_[i].offset;
    kernel_->run({{operands.data(), operands_.size()}, {results.data(), results_.size()}, memory.scratch},
                 pool);
    for (std::size_t i = 0; i < results_.size(); ++i)
      convert(to_half_, results_[i].num_elements, results[i], sizeof(float), memory.results[i], kHalfBytes,
              pool);
  }

  std::string_view name() const override { return kernel_->name(); }
  bool is_library() const override { return kernel_->is_library(); }

 private:
  static constexpr std::size_t kHalfBytes = 2;
  struct Copy {
    std::int64_t num_elements = 0;
    std::size_t offset = 0;
  };

  Copy add(const ir::Value& value) {
    const Copy copy{value.type().num_elements(), scratch_bytes_};
    scratch_bytes_ += whole_lines(static_cast<std::size_t>(copy.num_elements) * sizeof(float));
    return copy;
  }

  static void convert(ElementwiseKernel kernel, std::int64_t n, const std::byte* from, std::size_t from_bytes,
                      std::byte* to, std::size_t to_bytes, ThreadPool& pool) {
    constexpr std::int64_t kChunk = 65536;
    for_each_slice(pool, divide_up(n, kChunk), [&](std::int64_t slice) {
      const std::int64_t begin = slice * kChunk, stride = 1;
      const std::byte* const first = from + static_cast<std::size_t>(begin) * from_bytes;
      kernel(std::min(kChunk, n - begin), &first, &stride, to + static_cast<std::size_t>(begin) * to_bytes);
    });
  }

  std::unique_ptr<GroupKernel> kernel_;
  ElementwiseKernel to_float_ = nullptr, to_half_ = nullptr;
  std::vector<Copy> operands_, results_;
};

}  // namespace

std::unique_ptr<GroupKernel> make_half_kernel(const ir::Op& op, const Target& target,
                                              std::unique_ptr<GroupKernel> kernel) {
  return std::make_unique<HalfKernel>(op, target, std::move(kernel));
}

}  // namespace cornu::inline v0::backends::cpu
