#include "cornu/backends/cpu/recurrent/recurrent.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/backends/cpu/recurrent/gates.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

enum class Cell { kSimple, kGru, kLstm };

struct RecurrentProblem {
  Cell cell = Cell::kSimple;
  bool is_gradient = false;
  bool goes_back = false;  // from the last step to the first
  std::int64_t batch = 0, time = 0, units = 0;
  std::int64_t num_gates = 1;  // widths of the recurrent kernel in units
  int mask = -1;               // operands; -1: none
  int d_states = -1;
  int bias = -1;
};

bool has_attribute(const ir::Op& op, const char* name, const char* wanted) {
  const ir::Attribute* attribute = op.attributes().find(name);
  return attribute == nullptr || std::get<std::string>(*attribute) == wanted;
}

bool flag(const ir::Op& op, const char* name) {
  const ir::Attribute* attribute = op.attributes().find(name);
  return attribute != nullptr && std::get<bool>(*attribute);
}

std::optional<RecurrentProblem> problem_of(const ir::Op& op) {
  RecurrentProblem p;
  const std::string_view name = op.name();
  if (name.starts_with("cornu.lstm")) {
    p.cell = Cell::kLstm;
    p.num_gates = 4;
  } else if (name.starts_with("cornu.gru")) {
    p.cell = Cell::kGru;
    p.num_gates = 3;
  } else if (!name.starts_with("cornu.simple_rnn")) {
    return std::nullopt;
  }
  p.is_gradient = name.ends_with("_gradient");
  if (op.operand(0).dtype() != ir::DType::kF32) return std::nullopt;
  if (!has_attribute(op, "activation", "tanh") || !has_attribute(op, "recurrent_activation", "sigmoid")) return std::nullopt;
  if (p.cell == Cell::kGru && !flag(op, "reset_after")) return std::nullopt;
  const ir::Dims& sequence = p.is_gradient ? op.operand(p.cell == Cell::kLstm ? 2 : 1).dims() : op.result(0).dims();
  p.batch = sequence[0];
  p.time = sequence[1];
  p.units = sequence[2];
  if (p.batch == 0 || p.units == 0) return std::nullopt;
  p.goes_back = flag(op, "go_backwards") != p.is_gradient;
  // The optional operands stand last, in this order.
  int next = 0;
  if (p.is_gradient) {
    next = p.cell == Cell::kLstm ? 6 : p.cell == Cell::kGru ? 4 : 3;
    if (flag(op, "has_sequence_gradient")) p.d_states = next++;
    if (flag(op, "has_mask")) p.mask = next++;
  } else {
    next = p.cell == Cell::kLstm ? 4 : 3;
    if (flag(op, "has_recurrent_bias")) p.bias = next++;
    if (static_cast<std::size_t>(next) < op.operands().size()) p.mask = next++;
  }
  return p;
}

const float* floats(std::span<const std::byte* const> tensors, int i) {
  return reinterpret_cast<const float*>(tensors[static_cast<std::size_t>(i)]);
}
float* floats(std::span<std::byte* const> tensors, int i) { return reinterpret_cast<float*>(tensors[static_cast<std::size_t>(i)]); }

void copy(const float* from, std::int64_t count, float* to) { std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float)); }
void clear(std::int64_t count, float* to) { std::fill_n(to, count, 0.0F); }

class RecurrentKernel : public GroupKernel {
 public:
  RecurrentKernel(const RecurrentProblem& problem, const Target& target, int num_threads)
      : p_(problem), isa_(target.isa), gates_(recurrent::gate_functions(target.isa)) {
    // Rows are independent of each other and the product's bits of how they are cut, so slices may follow the threads. Two a thread when
    // they stay long, so that a thread that was held up does less.
    const std::int64_t threads = std::max(1, num_threads);
    const std::int64_t wanted = p_.batch / (2 * threads) >= kLongSlice ? 2 * threads : threads;
    num_slices_ = std::clamp<std::int64_t>(p_.batch / kLeastRows, 1, std::min<std::int64_t>(wanted, kMaxKernelSlices));
    const std::int64_t width = p_.num_gates * p_.units;
    packed_floats_ = p_.is_gradient ? kernels::packed_b_floats(isa_, width, p_.units) : kernels::packed_b_floats(isa_, p_.units, width);
    slice_rows_ = (p_.batch + num_slices_ - 1) / num_slices_;
    num_slices_ = (p_.batch + slice_rows_ - 1) / slice_rows_;
    slot_bytes_ = whole_lines(static_cast<std::size_t>(slice_rows_ * (2 * p_.units + width)) * sizeof(float));
    packed_bytes_ = whole_lines(static_cast<std::size_t>(packed_floats_) * sizeof(float));
    scratch_bytes_ = packed_bytes_ + static_cast<std::size_t>(num_slots(num_slices_, num_threads)) * slot_bytes_;
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const packed = reinterpret_cast<float*>(memory.scratch);
    const int kernel = p_.is_gradient ? 0 : 1;
    const std::int64_t width = p_.num_gates * p_.units;
    // Forward h . kernel, backward d_sums . transposed kernel.
    kernels::pack_b(isa_,
                    {.transpose_b = p_.is_gradient,
                     .n = p_.is_gradient ? p_.units : width,
                     .k = p_.is_gradient ? width : p_.units,
                     .b = floats(memory.operands, kernel),
                     .ldb = width},
                    packed);
    ScratchSlots slots(memory.scratch + packed_bytes_, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      Slice s;
      s.memory = &memory;
      s.packed = packed;
      s.begin = slice * slice_rows_;
      s.rows = std::min(slice_rows_, p_.batch - s.begin);
      s.state = reinterpret_cast<float*>(lease.data());
      s.carry = s.state + slice_rows_ * p_.units;
      s.sums = s.carry + slice_rows_ * p_.units;
      if (p_.is_gradient) {
        walk_gradient(s);
      } else {
        walk(s);
      }
    });
  }

 private:
  static constexpr std::int64_t kLeastRows = 4, kLongSlice = 16;

  /// Rows of the batch that one thread walks through time, and its working memory.
  struct Slice {
    const KernelMemory* memory = nullptr;
    const float* packed = nullptr;
    std::int64_t begin = 0, rows = 0;
    float* state = nullptr;  // rows x units: the states, or their gradients
    float* carry = nullptr;  // rows x units: gradients of an LSTM's carries
    float* sums = nullptr;   // rows x gates * units

    const float* in(int operand) const { return floats(memory->operands, operand); }
    float* out(int result) const { return floats(memory->results, result); }
  };

  std::int64_t width() const { return p_.num_gates * p_.units; }
  /// Where step t of row b begins in a sequence of `features`.
  std::int64_t at(std::int64_t b, std::int64_t t, std::int64_t features) const { return (b * p_.time + t) * features; }

  bool counts(const Slice& s, std::int64_t b, std::int64_t t) const {
    if (p_.mask < 0) return true;
    return s.memory->operands[static_cast<std::size_t>(p_.mask)][b * p_.time + t] != std::byte{0};
  }
  bool any_counts(const Slice& s, std::int64_t t) const {
    for (std::int64_t r = 0; r < s.rows; ++r)
      if (counts(s, s.begin + r, t)) return true;
    return false;
  }

  /// c [rows, n] += a [rows, k] . packed
  void add_product(const Slice& s, const float* a, std::int64_t k, float* c, std::int64_t n) const {
    kernels::gemm_packed(isa_, {.accumulate = true, .m = s.rows, .n = n, .k = k, .a = a, .lda = k, .c = c, .ldc = n}, s.packed);
  }

  // Forward: operands projected, recurrent_kernel, initial states[, bias][, mask]; results states, last states, what the gradient needs.

  void walk(const Slice& s) const {
    copy(s.in(2) + s.begin * p_.units, s.rows * p_.units, s.state);
    const float* carry_before = p_.cell == Cell::kLstm ? s.in(3) + s.begin * p_.units : nullptr;
    std::int64_t carry_stride = p_.units;
    for (std::int64_t k = 0; k < p_.time; ++k) {
      const std::int64_t t = p_.goes_back ? p_.time - 1 - k : k;
      if (any_counts(s, t)) {
        begin_sums(s, t);
        add_product(s, s.state, p_.units, s.sums, width());
      }
      for (std::int64_t r = 0; r < s.rows; ++r) step(s, r, t, carry_before == nullptr ? nullptr : carry_before + r * carry_stride);
      if (p_.cell == Cell::kLstm) {
        carry_before = s.out(3) + at(s.begin, t, p_.units);
        carry_stride = p_.time * p_.units;
      }
    }
    copy(s.state, s.rows * p_.units, s.out(1) + s.begin * p_.units);
    if (p_.cell != Cell::kLstm) return;
    for (std::int64_t r = 0; r < s.rows; ++r) copy(carry_before + r * carry_stride, p_.units, s.out(2) + (s.begin + r) * p_.units);
  }

  /// What the recurrent product is added to: the projected input, or a GRU's recurrent bias.
  void begin_sums(const Slice& s, std::int64_t t) const {
    for (std::int64_t r = 0; r < s.rows; ++r) {
      float* const sums = s.sums + r * width();
      if (p_.cell != Cell::kGru) {
        copy(s.in(0) + at(s.begin + r, t, width()), width(), sums);
      } else if (p_.bias >= 0) {
        copy(s.in(p_.bias), width(), sums);
      } else {
        clear(width(), sums);
      }
    }
  }

  void step(const Slice& s, std::int64_t r, std::int64_t t, const float* carry_before) const {
    const std::int64_t b = s.begin + r, gate_width = p_.cell == Cell::kGru ? 4 * p_.units : width();
    float* const state = s.state + r * p_.units;
    float* const stacked = s.out(0) + at(b, t, p_.units);
    float* const carry = p_.cell == Cell::kLstm ? s.out(3) + at(b, t, p_.units) : nullptr;
    const int saved = p_.cell == Cell::kLstm ? 4 : 2;
    float* const gates = p_.cell == Cell::kSimple ? nullptr : s.out(saved) + at(b, t, gate_width);
    const float* const sums = s.sums + r * width();
    if (!counts(s, b, t)) {
      copy(state, p_.units, stacked);
      if (carry != nullptr) copy(carry_before, p_.units, carry);
      if (gates != nullptr) clear(gate_width, gates);
      return;
    }
    switch (p_.cell) {
      case Cell::kSimple: gates_.simple(p_.units, sums, stacked); break;
      case Cell::kGru:
        gates_.gru(p_.units,
                   {.projected = s.in(0) + at(b, t, width()), .product = sums, .state_before = state, .gates = gates, .state = stacked});
        break;
      case Cell::kLstm:
        gates_.lstm(p_.units, {.sums = sums, .carry_before = carry_before, .gates = gates, .carry = carry, .state = stacked});
        break;
    }
    copy(stacked, p_.units, state);
  }

  // Backward. Operands of simple_rnn_gradient: recurrent_kernel, states, d state; of gru_gradient: recurrent_kernel, states before, gates,
  // d state; of lstm_gradient: recurrent_kernel, carry, carries, gates, d state, d carry; then [d states][, mask].

  void walk_gradient(const Slice& s) const {
    const int d_state = p_.cell == Cell::kLstm ? 4 : p_.cell == Cell::kGru ? 3 : 2;
    copy(s.in(d_state) + s.begin * p_.units, s.rows * p_.units, s.state);
    if (p_.cell == Cell::kLstm) copy(s.in(5) + s.begin * p_.units, s.rows * p_.units, s.carry);
    for (std::int64_t k = 0; k < p_.time; ++k) {
      const std::int64_t t = p_.goes_back ? p_.time - 1 - k : k;
      for (std::int64_t r = 0; r < s.rows; ++r) gradient_step(s, r, t);
      if (!any_counts(s, t)) continue;
      add_product(s, s.sums, width(), s.state, p_.units);
      restore_masked(s, t);
    }
    copy(s.state, s.rows * p_.units, s.out(1) + s.begin * p_.units);
    if (p_.cell == Cell::kLstm) copy(s.carry, s.rows * p_.units, s.out(2) + s.begin * p_.units);
  }

  /// Rows that do not count pass the step bit by bit, whatever rows share their slice: adding a product with zeros would turn -0 into 0,
  /// and make NaN of an infinite kernel.
  void restore_masked(const Slice& s, std::int64_t t) const {
    for (std::int64_t r = 0; r < s.rows; ++r)
      if (!counts(s, s.begin + r, t)) copy(s.sums + r * width(), p_.units, s.state + r * p_.units);
  }

  /// Leaves in `state` what reaches the state before the step past the product, and in `sums` what goes through it; of a row that does not
  /// count, `sums` keeps the state for restore_masked.
  void gradient_step(const Slice& s, std::int64_t r, std::int64_t t) const {
    const std::int64_t b = s.begin + r;
    float* const d_state = s.state + r * p_.units;
    float* const d_sums = s.sums + r * width();
    float* const d_projected = s.out(0) + at(b, t, width());
    if (p_.d_states >= 0) gates_.add(p_.units, s.in(p_.d_states) + at(b, t, p_.units), d_state);
    if (!counts(s, b, t)) {
      clear(width(), d_sums);
      copy(d_state, p_.units, d_sums);
      clear(width(), d_projected);
      return;
    }
    switch (p_.cell) {
      case Cell::kSimple: gates_.simple_gradient(p_.units, s.in(1) + at(b, t, p_.units), d_state, d_sums); break;
      case Cell::kGru:
        gates_.gru_gradient(p_.units, {.gates = s.in(2) + at(b, t, 4 * p_.units),
                                       .state_before = s.in(1) + at(b, t, p_.units),
                                       .d_state = d_state,
                                       .d_projected = d_projected,
                                       .d_product = d_sums});
        return;
      case Cell::kLstm: {
        // The walk goes against the layer's: the step before is the next one here.
        const std::int64_t before = p_.goes_back ? t - 1 : t + 1;
        const bool is_first = before < 0 || before == p_.time;
        gates_.lstm_gradient(p_.units, {.gates = s.in(3) + at(b, t, width()),
                                        .carry_before = is_first ? s.in(1) + b * p_.units : s.in(2) + at(b, before, p_.units),
                                        .carry = s.in(2) + at(b, t, p_.units),
                                        .d_state = d_state,
                                        .d_carry = s.carry + r * p_.units,
                                        .d_sums = d_sums});
        break;
      }
    }
    copy(d_sums, width(), d_projected);
    clear(p_.units, d_state);
  }

  RecurrentProblem p_;
  IsaLevel isa_;
  const recurrent::GateFunctions& gates_;
  std::int64_t packed_floats_ = 0, slice_rows_ = 0;
  std::size_t packed_bytes_ = 0, slot_bytes_ = 0;
};

}  // namespace

bool has_recurrent_kernel(const ir::Op& op) { return problem_of(op).has_value(); }

std::unique_ptr<GroupKernel> make_recurrent_kernel(const ir::Op& op, const Target& target, int num_threads) {
  const std::optional<RecurrentProblem> problem = problem_of(op);
  CORNU_CHECK(problem.has_value(), "{} has no kernel", op.name());
  return std::make_unique<RecurrentKernel>(*problem, target, num_threads);
}

double recurrent_flops(const ir::Op& op) {
  const std::optional<RecurrentProblem> p = problem_of(op);
  if (!p.has_value()) return 0;
  return 2.0 * static_cast<double>(p->batch * p->time) * static_cast<double>(p->units * p->units * p->num_gates);
}

}  // namespace cornu::inline v0::backends::cpu
