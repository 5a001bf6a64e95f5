#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/backends/cpu/memory/live_ranges.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::backends::cpu::eager {

/// The memory of a program's slot.
struct Slot {
  enum class Kind { kInput, kOutput, kTemporary, kConstant };
  Kind kind = Kind::kTemporary;
  std::size_t index = 0;         // of the input, output or constant
  std::size_t offset_bytes = 0;  // of a temporary
};

/// A program as it is being made.
struct Parts {
  std::vector<Slot> slots;
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<ir::Literal> constants;
  std::size_t temporary_bytes = 0;
  std::size_t kernel_bytes = 0;  // about what the kernels of single ops hold, with their code
  int num_reference_ops = 0;
  /// Kept for the steps that run kernels of single ops; else null.
  std::shared_ptr<const ir::Function> function;
};

/// Turns the ops of a function without composites into steps, one after the other.
///
/// Ops that only move indices (broadcasts, transposes, slices, ...) become views; neighbouring elementwise
/// ops of one shape become one step. The rows of other ops (CpuOp::eager) build steps with the functions
/// below.
class Builder {
 public:
  /// `num_threads` is the pool's.
  Builder(std::shared_ptr<const ir::Function> function, const KernelSet& kernels, const Target& target,
          int num_threads);
  Parts build();

  const KernelSet& kernels() const { return kernels_; }
  const Target& target() const { return target_; }
  int num_threads() const { return num_threads_; }

  /// The position of a computed value in memory. The reference lasts until the next call.
  const View& view(ir::Value value);
  /// The same, copied where it is not row-major.
  View row_major(ir::Value value);
  /// The same as row-major 64-bit integers.
  View as_int64(ir::Value value);
  /// An op's result is there already.
  void set_view(ir::Value result, View view) { views_[result] = std::move(view); }
  /// Returns the memory of a new value: directly in the output that it is, otherwise in working memory.
  View& place(ir::Value result);
  /// Working memory, for the steps that name its slot.
  View temporary(const ir::TensorType& type);
  View constant(ir::Literal literal);

  /// `slots`: all that the step reads or writes.
  void add_step(std::unique_ptr<Step> step, const std::vector<int>& slots);
  void add_copy(const View& from, const View& to) {
    add_step(make_copy_step(from, to), {from.slot, to.slot});
  }
  /// One kernel by itself: `inputs` are of the output's shape, by strides of 0 too.
  void add_kernel(ElementwiseKernel kernel, const std::vector<View>& inputs, const View& output);

 private:
  struct Pending {
    const ir::Op* op;
    ElementwiseKernel kernel;
  };

  int add_slot(Slot slot);
  void place_temporaries();
  void count_uses(const ir::Block& block);
  void choose_outputs(const ir::Block& body);

  void add_op(const ir::Op& op);
  void add_elementwise(const ir::Op& op, ElementwiseKernel kernel);
  /// Ends the open group of elementwise ops.
  void flush();
  std::vector<View> group_inputs(std::unordered_map<ir::Value, int, ir::ValueHash>& input_of);
  void add_group_kernel(const ir::Op& op);
  void add_reference(const ir::Op& op);

  const KernelSet& kernels_;
  const Target& target_;
  int num_threads_;
  Parts parts_;
  std::unordered_map<ir::Value, View, ir::ValueHash> views_;
  std::unordered_map<ir::Value, int, ir::ValueHash> num_uses_;
  std::unordered_map<ir::Value, std::size_t, ir::ValueHash> output_of_;
  std::vector<int> output_slots_;         // -1: not written yet
  std::map<int, LiveRange> live_ranges_;  // of temporaries, by slot, in numbers of steps
  bool needs_function_ = false;
  std::vector<Pending> group_;
  std::unordered_set<ir::Value, ir::ValueHash> in_group_;
};

/// Adds the slots of views to a list.
void append_slots(const std::vector<View>& views, std::vector<int>& slots);

}  // namespace cornu::inline v0::backends::cpu::eager
