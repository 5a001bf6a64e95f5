#include "cornu/backends/cpu/recurrent/sequence_kernel.h"

#include <algorithm>
#include <utility>

#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu::recurrent {
namespace {

constexpr std::int64_t kLeastRows = 4;   // in a slice: fewer leave the matrix kernel idle
constexpr std::int64_t kLongSlice = 16;  // rows

std::size_t bytes_of(std::int64_t num_floats) { return static_cast<std::size_t>(num_floats) * sizeof(float); }

/// Two slices a thread if they stay long, to balance the load if a thread is delayed.
std::int64_t rows_of_a_slice(std::int64_t batch, int num_threads) {
  const std::int64_t threads = std::max(1, num_threads);
  const std::int64_t wanted = batch / (2 * threads) >= kLongSlice ? 2 * threads : threads;
  const std::int64_t slices =
      std::clamp<std::int64_t>(batch / kLeastRows, 1, std::min<std::int64_t>(wanted, kMaxKernelSlices));
  return divide_up(batch, slices);
}

}  // namespace

SequenceKernel::SequenceKernel(const RecurrentProblem& problem, const Target& target, int num_threads,
                               std::span<const KernelColumns> products)
    : problem_(problem), gates_(gate_functions(target.isa)), isa_(target.isa) {
  std::int64_t floats = 0;
  for (const KernelColumns& columns : products) {
    products_.push_back({columns, floats});
    const std::int64_t size = problem_.is_gradient ? kernels::packed_b_floats(isa_, columns.width, units())
                                                   : kernels::packed_b_floats(isa_, units(), columns.width);
    floats += static_cast<std::int64_t>(whole_lines(bytes_of(size)) / sizeof(float));
  }
  using enum Role;
  for (const auto& [role, features] : {std::pair{kProjected, width()},
                                       {kStates, units()},
                                       {kStatesBefore, units()},
                                       {kCarries, units()},
                                       {kDStates, units()},
                                       {kGates, problem_.saved_gates * units()},
                                       {kDProjected, width()}}) {
    const bool is_result = problem_.is_gradient ? role == kDProjected : role != kProjected;
    if (problem_.has(role)) streams_.push_back({role, is_result, features});
  }
  slice_rows_ = rows_of_a_slice(problem_.batch, num_threads);
  num_slices_ = (problem_.batch + slice_rows_ - 1) / slice_rows_;
  packed_bytes_ = bytes_of(floats);
  slot_bytes_ = whole_lines(bytes_of(slice_rows_ * (3 * units() + width())));
  scratch_bytes_ =
      packed_bytes_ + static_cast<std::size_t>(num_slots(num_slices_, num_threads)) * slot_bytes_;
}

void SequenceKernel::run(const KernelMemory& memory, ThreadPool& pool) const {
  auto* const packed = reinterpret_cast<float*>(memory.scratch);
  pack(memory, packed);
  ScratchSlots slots(memory.scratch + packed_bytes_, slot_bytes_);
  for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
    const ScratchSlots::Lease lease(slots);
    Slice s;
    s.memory = &memory;
    s.packed = packed;
    s.begin = slice * slice_rows_;
    s.rows = std::min(slice_rows_, problem_.batch - s.begin);
    s.state = reinterpret_cast<float*>(lease.data());
    s.carry = s.state + slice_rows_ * units();
    s.product = s.carry + slice_rows_ * units();
    s.sums = s.product + slice_rows_ * units();
    // A product also reads the sums of masked rows; its results for them are unused.
    std::fill_n(s.sums, slice_rows_ * width(), 0.0F);
    walk(s);
  });
}

void SequenceKernel::pack(const KernelMemory& memory, float* packed) const {
  const auto* const kernel = reinterpret_cast<const float*>(
      memory.operands[static_cast<std::size_t>(problem_.tensor(Role::kKernel))]);
  for (const Product& product : products_) {
    const std::int64_t columns = product.columns.width;
    kernels::pack_b(isa_,
                    {.transpose_b = problem_.is_gradient,
                     .n = problem_.is_gradient ? units() : columns,
                     .k = problem_.is_gradient ? columns : units(),
                     .b = kernel + product.columns.begin,
                     .ldb = width()},
                    packed + product.offset);
  }
}

void SequenceKernel::walk(Slice s) const {
  using enum Role;
  const bool gradient = problem_.is_gradient, has_carry = problem_.cell == Cell::kLstm;
  const std::int64_t first = s.begin * units(), count = s.rows * units();
  copy_floats(input(s, gradient ? kDLastState : kState) + first, count, s.state);
  if (has_carry) copy_floats(input(s, gradient ? kDLastCarry : kCarry) + first, count, s.carry);
  const std::int64_t last = problem_.time - 1;
  for (std::int64_t k = 0; k <= last; ++k) {
    const std::int64_t t = problem_.goes_back ? last - k : k, next = std::min(k + 1, last);
    s.next = problem_.goes_back ? last - next : next;
    if (problem_.has(kDStates))
      for (std::int64_t r = 0; r < s.rows; ++r)
        gates_.add(units(), input(s, kDStates) + at(s, r, t, units()), s.state + r * units());
    if (problem_.has(kMask)) {
      skip_rows(s, t);
      if (!any_counts(s, t)) continue;
    }
    if (gradient)
      gradient_step(s, t);
    else
      step(s, t);
  }
  copy_floats(s.state, count, result(s, gradient ? kDState : kLastState) + first);
  if (has_carry) copy_floats(s.carry, count, result(s, gradient ? kDCarry : kLastCarry) + first);
}

bool SequenceKernel::any_counts(const Slice& s, std::int64_t t) const {
  for (std::int64_t r = 0; r < s.rows; ++r)
    if (counts(s, r, t)) return true;
  return false;
}

/// Writes the stacked results of masked rows: the unchanged states, zeros for gates and for the projected
/// input's gradient.
void SequenceKernel::skip_rows(const Slice& s, std::int64_t t) const {
  using enum Role;
  for (std::int64_t r = 0; r < s.rows; ++r) {
    if (counts(s, r, t)) continue;
    if (problem_.is_gradient) {
      std::fill_n(result(s, kDProjected) + at(s, r, t, width()), width(), 0.0F);
      continue;
    }
    copy_floats(s.state + r * units(), units(), result(s, kStates) + at(s, r, t, units()));
    if (problem_.has(kCarries))
      copy_floats(s.carry + r * units(), units(), result(s, kCarries) + at(s, r, t, units()));
    const std::int64_t saved = problem_.saved_gates * units();
    if (problem_.has(kGates)) std::fill_n(result(s, kGates) + at(s, r, t, saved), saved, 0.0F);
  }
}

void SequenceKernel::add_product(const Slice& s, std::size_t number, const float* from, float* to) const {
  const Product& product = products_[number];
  kernels::gemm_packed(isa_,
                       {.accumulate = true,
                        .m = s.rows,
                        .n = product.columns.width,
                        .k = units(),
                        .a = from,
                        .lda = units(),
                        .c = to,
                        .ldc = width()},
                       s.packed + product.offset);
}

void SequenceKernel::multiply_transposed(const Slice& s, std::size_t number, const float* from,
                                         float* to) const {
  const Product& product = products_[number];
  kernels::gemm_packed(isa_,
                       {.m = s.rows,
                        .n = units(),
                        .k = product.columns.width,
                        .a = from,
                        .lda = width(),
                        .c = to,
                        .ldc = units()},
                       s.packed + product.offset);
}

void SequenceKernel::fetch_ahead(const Slice& s, std::int64_t r) const {
  constexpr std::int64_t kLine = 64 / sizeof(float);
  for (const Stream& stream : streams_) {
    const float* const tensor = stream.is_result ? result(s, stream.role) : input(s, stream.role);
    const float* const row = tensor + at(s, r, s.next, stream.features);
    for (std::int64_t i = 0; i < stream.features; i += kLine) __builtin_prefetch(row + i, 0, 2);
  }
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
