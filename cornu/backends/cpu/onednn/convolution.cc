#include "cornu/backends/cpu/onednn/convolution.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cornu/backends/cpu/memory/memory_reserve.h"
#include "cornu/backends/cpu/onednn/module.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu::onednn {
namespace {

constexpr double kFlopsPerSlice = 4e6;  // at least; about 40 microseconds
// The minimum for each weight in a slice of backward weights: each further slice needs another partial sum.
constexpr double kFlopsPerWeight = 200;
constexpr std::int64_t kMostSlices = 32, kMostPartialSums = 16;
constexpr std::int64_t kMostPartialBytes = std::int64_t{64} << 20;
constexpr std::int64_t kSumChunk = 16384;  // elements
/// Bytes that must be available when primitives are made.
constexpr std::size_t kPreparingReserve = std::size_t{16} << 20;

class Handle {
 public:
  Handle() = default;
  ~Handle() { destroy(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  bool create(const ConvolutionDescription& description, const Handle* like) {
    const void* const other = like == nullptr ? nullptr : like->handle_;
    destroy();
    return loaded_module().convolutions->create(&description, other, &handle_, &info_) == 0;
  }
  int build() { return handle_ == nullptr ? 0 : loaded_module().convolutions->build(handle_); }
  const void* get() const { return handle_; }
  const ConvolutionInfo& info() const { return info_; }

 private:
  void destroy() {
    if (handle_ != nullptr) loaded_module().convolutions->destroy(handle_);
    handle_ = nullptr;
  }

  void* handle_ = nullptr;
  ConvolutionInfo info_;
};

/// oneDNN writes its code to memory from malloc without a check for null.
void ensure_memory() { MemoryReserve("preparing a convolution", kPreparingReserve).release_all(); }

void check_status(int status, const char* what) {
  if (status == kEnded) fail(ErrorCode::kCancelled, "[cpu] the process ends, and with it {}", what);
  if (status == kOutOfMemory) fail(ErrorCode::kResourceExhausted, "[cpu] not enough memory for {}", what);
  if (status == kRuntimeError)
    fail(ErrorCode::kFailedPrecondition,
         "[cpu] oneDNN failed at {}: it may be that this system refuses memory that is writable and "
         "executable, "
         "where oneDNN generates its code (SECURITY.md, \"Executable memory\")",
         what);
  CORNU_CHECK(status == 0, "oneDNN status {} from {}", status, what);
}

std::int64_t most_slices(const ConvolutionProblem& p) {
  if (p.direction != ConvolutionDirection::kBackwardWeights) return kMostSlices;
  return std::clamp<std::int64_t>(kMostPartialBytes / (4 * p.num_weights()), 1, kMostPartialSums);
}

/// The number of slices, by shapes alone.
std::int64_t wanted_slices(const ConvolutionProblem& p) {
  const bool sums = p.direction == ConvolutionDirection::kBackwardWeights;
  const double least = sums ? std::max(kFlopsPerSlice, kFlopsPerWeight * static_cast<double>(p.num_weights()))
                            : kFlopsPerSlice;
  const double most = std::min<double>(p.flops() / least, 1e6);
  const std::int64_t wanted =
      std::min(std::clamp<std::int64_t>(static_cast<std::int64_t>(most), 1, most_slices(p)), p.batch);
  // Equal slices, and equal numbers for two or four threads, if such a number is near.
  for (std::int64_t slices = wanted / 4 * 4; 2 * slices > wanted; slices -= 4)
    if (p.batch % slices == 0) return slices;
  return wanted;
}

ConvolutionDescription describe(const ConvolutionProblem& p, std::int64_t batch,
                                const ir::Dims& weights_strides) {
  ConvolutionDescription d;
  d.direction = static_cast<int>(p.direction);
  d.is_bf16 = p.is_bf16 ? 1 : 0;
  d.num_axes = static_cast<int>(p.axes.size());
  d.batch = batch;
  d.groups = p.groups;
  d.inputs = p.inputs;
  d.outputs = p.outputs;
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    const ConvolutionAxis& axis = p.axes[i];
    d.input[i] = axis.input;
    d.output[i] = axis.output;
    d.kernel[i] = axis.kernel;
    d.stride[i] = axis.stride;
    d.dilation[i] = axis.dilation;
    d.padding_low[i] = axis.padding_low;
    d.padding_high[i] = axis.padding_high;
  }
  std::copy(p.source_strides.begin(), p.source_strides.end(), d.source_strides);
  std::copy(p.destination_strides.begin(), p.destination_strides.end(), d.destination_strides);
  std::copy(weights_strides.begin(), weights_strides.end(), d.weights_strides);
  return d;
}

class Convolution final : public GroupKernel {
 public:
  explicit Convolution(const ConvolutionProblem& problem)
      : problem_(problem), bytes_(problem.is_bf16 ? 2 : sizeof(float)) {}

  bool prepare(int num_threads) {
    chunk_ = (problem_.batch + wanted_slices(problem_) - 1) / wanted_slices(problem_);
    if (!choose_primitives()) return false;
    num_slices_ = (problem_.batch + chunk_ - 1) / chunk_;
    slots_ = num_slots(num_slices_, num_threads);
    slot_bytes_ = std::max(whole_.info().scratch_bytes, tail_.info().scratch_bytes);
    const bool sums = problem_.direction == ConvolutionDirection::kBackwardWeights;
    weights_bytes_ = whole_.info().weights_bytes;
    // Weights in oneDNN's layout, or the partial sums; a single sum in the plain layout needs no memory.
    const bool plain = whole_.info().weights_are_plain != 0 && !problem_.has_reversed_axes();
    num_weights_copies_ = sums ? (num_slices_ == 1 && plain ? 0 : num_slices_) : (plain ? 0 : 1);
    const std::size_t reversed = problem_.has_reversed_axes()
                                     ? whole_lines(static_cast<std::size_t>(problem_.num_weights()) * bytes_)
                                     : 0;
    slots_offset_ = weights_bytes_ * static_cast<std::size_t>(num_weights_copies_);
    reversed_offset_ = slots_offset_ + slot_bytes_ * static_cast<std::size_t>(slots_);
    scratch_bytes_ = reversed_offset_ + reversed;
    return true;
  }

  std::string_view name() const override { return "oneDNN"; }
  bool is_library() const override { return true; }

  void build() override {
    ensure_memory();
    check_status(whole_.build(), "preparing a convolution");
    check_status(tail_.build(), "preparing a convolution");
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const lhs = const_cast<std::byte*>(memory.operands[0]);  // only read
    auto* const rhs = const_cast<std::byte*>(memory.operands[1]);
    auto* const result = memory.results[0];
    switch (problem_.direction) {
      case ConvolutionDirection::kForward: return run_with_weights({lhs, rhs, result}, memory.scratch, pool);
      case ConvolutionDirection::kBackwardData:
        return run_with_weights({result, rhs, lhs}, memory.scratch, pool);
      case ConvolutionDirection::kBackwardWeights:
        return run_backward_weights(
            problem_.is_mirrored ? Tensors{rhs, result, lhs} : Tensors{lhs, result, rhs}, memory.scratch,
            pool);
    }
  }

 private:
  struct Tensors {
    std::byte* source = nullptr;
    std::byte* weights = nullptr;
    std::byte* destination = nullptr;
  };

  /// Chooses one primitive for whole slices and one for a smaller last slice. Both must share a layout of
  /// weights; otherwise slices must divide the batch, or Cornu's own kernel is used.
  bool choose_primitives() {
    weights_strides_ = problem_.weights_strides;
    if (problem_.has_reversed_axes()) make_dense_weights_strides();
    const std::int64_t rest = problem_.batch % chunk_;
    if (!whole_.create(describe(problem_, chunk_, weights_strides_), nullptr)) return false;
    if (rest == 0) return true;
    if (tail_.create(describe(problem_, rest, weights_strides_), &whole_)) return true;
    while (problem_.batch % chunk_ != 0) --chunk_;
    // A batch with few divisors, such as a prime number, would be split into single images, each with a
    // partial sum.
    if (problem_.batch / chunk_ > most_slices(problem_)) return false;
    return whole_.create(describe(problem_, chunk_, weights_strides_), nullptr);
  }

  /// [axes..., input, output], as Keras has them.
  void make_dense_weights_strides() {
    const std::int64_t inputs = problem_.inputs / problem_.groups,
                       outputs = problem_.outputs / problem_.groups;
    std::int64_t stride = inputs * problem_.outputs;
    weights_strides_ = {outputs, 1, problem_.outputs};
    weights_strides_.resize(3 + problem_.axes.size());
    for (std::size_t i = problem_.axes.size(); i-- > 0;) {
      weights_strides_[3 + i] = stride;
      stride *= problem_.axes[i].kernel;
    }
  }

  /// Calls f(position in plain memory, position in the dense layout) for each of the kernel's elements, with
  /// reversed axes turned forward.
  template <typename F>
  void for_each_weight(const F& f) const {
    const std::int64_t outputs = problem_.outputs / problem_.groups,
                       inputs = problem_.inputs / problem_.groups;
    const ir::Dims &plain = problem_.weights_strides, &dense = weights_strides_;
    std::array<std::int64_t, 3> tap = {};
    for (std::int64_t taps = problem_.num_weights() / (outputs * problem_.inputs); taps > 0; --taps) {
      std::int64_t plain_tap = 0, dense_tap = 0;
      for (std::size_t i = 0; i < problem_.axes.size(); ++i) {
        const ConvolutionAxis& axis = problem_.axes[i];
        plain_tap += (axis.reversed ? axis.kernel - 1 - tap[i] : tap[i]) * plain[3 + i];
        dense_tap += tap[i] * dense[3 + i];
      }
      for (std::int64_t group = 0; group < problem_.groups; ++group)
        for (std::int64_t input = 0; input < inputs; ++input)
          for (std::int64_t output = 0; output < outputs; ++output)
            f(plain_tap + group * plain[0] + output * plain[1] + input * plain[2],
              dense_tap + group * dense[0] + output * dense[1] + input * dense[2]);
      for (std::size_t i = problem_.axes.size(); i-- > 0;) {
        if (++tap[i] < problem_.axes[i].kernel) break;
        tap[i] = 0;
      }
    }
  }

  const Handle& handle_of(std::int64_t slice) const {
    return (slice + 1) * chunk_ > problem_.batch ? tail_ : whole_;
  }

  std::ptrdiff_t bytes(std::int64_t elements) const { return elements * static_cast<std::ptrdiff_t>(bytes_); }

  void run_slice(std::int64_t slice, const Tensors& t, std::byte* weights, ScratchSlots& slots) const {
    const ScratchSlots::Lease lease(slots);
    const std::int64_t first = slice * chunk_;
    check_status(loaded_module().convolutions->run(
                     handle_of(slice).get(), t.source + bytes(first * problem_.source_strides[0]), weights,
                     t.destination + bytes(first * problem_.destination_strides[0]), lease.data()),
                 "a convolution");
  }

  /// Copies weights between plain memory and the dense layout with forward axes.
  void turn(const std::byte* plain, std::byte* dense) const {
    for_each_weight([&](std::int64_t from, std::int64_t to) {
      std::memcpy(dense + bytes(to), plain + bytes(from), bytes_);
    });
  }
  void turn_back(const std::byte* dense, std::byte* plain) const {
    for_each_weight([&](std::int64_t to, std::int64_t from) {
      std::memcpy(plain + bytes(to), dense + bytes(from), bytes_);
    });
  }

  void run_with_weights(const Tensors& t, std::byte* scratch, ThreadPool& pool) const {
    std::byte* weights = t.weights;
    if (problem_.has_reversed_axes()) {
      weights = scratch + reversed_offset_;
      turn(t.weights, weights);
    }
    if (num_weights_copies_ != 0) {
      check_status(loaded_module().convolutions->prepare_weights(whole_.get(), weights, scratch,
                                                                 scratch + slots_offset_),
                   "preparing weights");
      weights = scratch;
    }
    ScratchSlots slots(scratch + slots_offset_, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) { run_slice(slice, t, weights, slots); });
  }

  void run_backward_weights(const Tensors& t, std::byte* scratch, ThreadPool& pool) const {
    ScratchSlots slots(scratch + slots_offset_, slot_bytes_);
    if (num_weights_copies_ == 0) {
      for_each_slice(pool, 1, [&](std::int64_t slice) { run_slice(slice, t, t.weights, slots); });
      return;
    }
    auto* const partial = reinterpret_cast<float*>(scratch);
    const auto stride = static_cast<std::int64_t>(weights_bytes_ / sizeof(float));
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      run_slice(slice, t, reinterpret_cast<std::byte*>(partial + slice * stride), slots);
    });
    // Adds in slice order, in any part; whole cache lines, so the padding after the weights is added too.
    const bool plain = whole_.info().weights_are_plain != 0, turns = problem_.has_reversed_axes();
    std::byte* const weights = turns ? scratch + reversed_offset_ : t.weights;
    const std::int64_t count = plain ? problem_.num_weights() : stride;
    float* const sum = plain ? reinterpret_cast<float*>(weights) : partial;
    for_each_slice(pool, divide_up(count, kSumChunk), [&](std::int64_t part) {
      const std::int64_t begin = part * kSumChunk, end = std::min(count, begin + kSumChunk);
      if (sum != partial)
        std::memcpy(sum + begin, partial + begin, static_cast<std::size_t>(end - begin) * sizeof(float));
      for (std::int64_t slice = 1; slice < num_slices_; ++slice) {
        const float* const other = partial + slice * stride;
        for (std::int64_t i = begin; i < end; ++i) sum[i] += other[i];
      }
    });
    if (!plain)
      check_status(loaded_module().convolutions->finish_weights(whole_.get(), scratch, weights,
                                                                scratch + slots_offset_),
                   "finishing weights");
    if (turns) turn_back(weights, t.weights);
  }

  ConvolutionProblem problem_;
  std::size_t bytes_;  // of an element
  ir::Dims weights_strides_;
  Handle whole_, tail_;
  std::int64_t chunk_ = 1, slots_ = 1, num_weights_copies_ = 0;
  std::size_t weights_bytes_ = 0, slot_bytes_ = 0, slots_offset_ = 0, reversed_offset_ = 0;
};

}  // namespace

bool multiplies_bf16(const ConvolutionProblem& problem, const Target& target) {
  constexpr std::int64_t kFewChannels = 8;
  return target.bf16 == Bf16Level::kTiles && problem.inputs / problem.groups >= kFewChannels &&
         problem.outputs / problem.groups >= kFewChannels && serves(target.isa);
}

namespace {

/// True for strided windows of one element, of channels that do not fill a vector: oneDNN 2.6 gathers their rows into
/// scratch memory that is too small.
bool overruns_scratch(const ConvolutionProblem& p) {
  constexpr std::int64_t kVector = 16;
  const bool has_single_taps = std::ranges::all_of(p.axes, [](const auto& axis) { return axis.kernel == 1; });
  const bool is_strided = std::ranges::any_of(p.axes, [](const auto& axis) { return axis.stride > 1; });
  return has_single_taps && is_strided && p.inputs / p.groups % kVector != 0;
}

}  // namespace

std::unique_ptr<GroupKernel> make_convolution(const ConvolutionProblem& problem, int num_threads) {
  if (loaded_module().convolutions == nullptr || overruns_scratch(problem)) return nullptr;
  ensure_memory();
  auto kernel = std::make_unique<Convolution>(problem);
  if (!kernel->prepare(num_threads)) return nullptr;
  return kernel;
}

}  // namespace cornu::inline v0::backends::cpu::onednn
