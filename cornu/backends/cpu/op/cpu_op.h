#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/backends/cpu/op/element_kernel.h"
#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/op/index_map.h"
#include "cornu/ir/attribute.h"

namespace llvm {
class Value;
}

/// Table of the ops that the CPU engine runs: a row an op, in the op's folder (cornu/ops/x/x_cpu.cc), each
/// column a part of the engine. The parts look up rows by find_cpu_op and compare no names, so that an op is
/// added in one folder. A composite without a row runs by its decomposition. Any other op without a kernel
/// runs by its reference kernel, and its row states when in falls_back.
namespace cornu::inline v0::backends::cpu {

class ElementCode;
class UpdateParts;
struct Target;
namespace eager {
class Builder;
}

/// The role of an op in fusion.
enum class OpKind {
  kView,         // changes indices only
  kLeaf,         // constant or iota: made where it is used
  kElementwise,  // computes element i from elements i
  kWindow,       // computes each element from one window of its operand, or the elements of a window from one
                 // element: see windows.h
  kReduce,       // reduce with an elementwise body
  kDot,          // dot_general
  kControl,      // while, if, case: regions that are planned themselves
  kUpdate,  // writes parts of its result one after the other: concatenate, pad, dynamic_update_slice, scatter
  kKernel,  // runs by a kernel of the engine on plain tensors: convolution, sort, select_and_scatter
  kReference,  // runs by its reference kernel
};

/// The use of windows by an op: it makes an element of each, or writes to an element of each.
enum class WindowUse { kNone, kReduces, kScatters };

/// Writes the result of a kUpdate op.
struct UpdateColumn {
  /// Adds the parts to write.
  void (*add_parts)(UpdateParts& parts, const ir::Op& op) = nullptr;
  /// True if result i begins as operand i, and may be written over it.
  bool changes_operands = false;
  /// The operands that determine the position of the update. Null: none.
  std::span<const ir::Value> (*places)(const ir::Op& op) = nullptr;
};

/// Values of falls_back that several rows share.
inline constexpr std::string_view kFallsBackAlone =
    "always, for a replica that is alone; of several, transform::replicate makes plain ops";
inline constexpr std::string_view kFallsBackByBody =
    "a body that uses values from outside or ops that are not elementwise";

/// Asynchronous work, such as a sum over processes: a kernel begins it, other groups run, a second kernel
/// ends it. Both kernels run on the same operands, results and scratch memory.
struct AsyncCollectiveColumn {
  /// True if it pays for this op. Null: for none.
  bool (*serves)(const ir::Op& op) = nullptr;
  std::unique_ptr<GroupKernel> (*make_start)(const ir::Op& op) = nullptr;
  std::unique_ptr<GroupKernel> (*make_done)(const ir::Op& op) = nullptr;
  /// True if result i follows from operand i alone, so that several ops of fewer operands do the same.
  bool is_by_operand = false;
};

/// The kind of work that a kernel's multiplications and additions are; see runtime::CompileStats.
enum class KernelWork { kProducts, kConvolution, kSequence };

/// A kernel of the engine for a single op. `make` null: there is none.
struct KernelColumn {
  /// Takes the decisions; see GroupKernel. `num_threads` decides how much scratch memory and how many slices
  /// there are, no bit of a result. The op must live as long.
  std::unique_ptr<GroupKernel> (*make)(const ir::Op& op, const Target& target, int num_threads) = nullptr;
  /// True if it serves this op; does not depend on target or machine. Null: all.
  bool (*serves)(const ir::Op& op) = nullptr;
  /// Multiplications and additions, for predictions. Null: 0.
  double (*flops)(const ir::Op& op) = nullptr;
  KernelWork work = KernelWork::kProducts;
  /// True if it multiplies this op's bf16 without conversion, so that widening gains nothing. Null: no.
  bool (*multiplies_bf16)(const ir::Op& op, const Target& target) = nullptr;
  AsyncCollectiveColumn async_collective = {};
  /// Not null: result 0 is a view of memory outside of the plan, of which the kernel gives the address, and
  /// which shows operand 0 in other processes. This makes a kernel, with the op's scratch memory, that waits
  /// until no process reads the view: before the operand changes, at the latest at the end of the block.
  std::unique_ptr<GroupKernel> (*make_view_end)(const ir::Op& op) = nullptr;
  /// Not null: it works over several processes, and this gives the bytes that each sends in one run.
  double (*sent_bytes)(const ir::Op& op) = nullptr;
};

/// Eager mode's kernels of an elementwise op. The build generates them from `emit` (eager_kernels), one for
/// each dtype that the op's shape rule accepts.
struct ElementKernelColumn {
  /// The attribute sets for which there are kernels. Null: the op has no attributes.
  std::vector<ir::Attributes> (*attributes)(ir::DType operand) = nullptr;
  /// Distinguishes kernels of the same dtypes. Null: there is one.
  std::string_view (*variant)(const ir::Op& op) = nullptr;
  /// Number of 64-bit integers that a kernel takes after the op's operands, each one value for all elements.
  /// Such a kernel serves all attributes, and `eager` must pass them.
  std::size_t num_parameters = 0;
  /// The op moves elements unchanged: the kernels of unsigned integers serve all dtypes of their size.
  bool moves_bits = false;
};

/// Largest error of results in units in the last place; f16 and bf16 are rounded f32. 0: results are
/// correctly rounded. VectorMathTest asserts the bounds; docs/ops.md lists them.
struct ErrorBound {
  double f32 = 0, f64 = 0;
};

struct CpuOp {
  std::string_view name;  // StableHLO's, or a composite's

  // For the planner.
  OpKind op_kind = OpKind::kReference;
  /// Not null: the class depends on the op, and this gives it.
  OpKind (*classify)(const ir::Op& op) = nullptr;
  /// In which cases it runs by its reference kernel, for reports. Empty: in none.
  std::string_view falls_back = {};
  /// Cost of one element, in units of a vector addition.
  double cost = 1;
  double integer_cost = 0;  // cost for integers, if it differs; 0: it does not
  double (*cost_of)(const ir::Op& op) = nullptr;
  /// kView: the map of the operand, given the map of the result; nothing if it is not affine (a reshape that
  /// splits dimensions).
  std::optional<IndexMap> (*operand_map)(const ir::Op& view, const IndexMap& result_map) = nullptr;
  /// kView: costs work (gather); made once in memory, unless its users read through it.
  bool is_computed_view = false;
  bool is_loop = false;  // kControl: it repeats its regions; else it runs one of them
  WindowUse windows = WindowUse::kNone;
  UpdateColumn update = {};
  /// kElementwise.
  Combiner combiner = Combiner::kNone;
  /// f16 and bf16 are converted to f32 before the op and back after it, unless it multiplies bf16 directly:
  /// loops are slower on halves, and sums are of f32 anyway.
  bool upcasts_low_precision = false;

  // For the emitter: kElementwise only.
  llvm::Value* (*emit)(const ElementCode& code) = nullptr;
  /// True if each result is a number of the operands: f16 and bf16 need no rounding then.
  bool keeps_numbers = false;
  ErrorBound error_bound = {};

  // For eager mode, which takes the first that exists: the steps of `eager`, the kernel generated from
  // `emit`, the engine's kernel.
  ElementKernelColumn kernels_from_code = {};
  /// Adds the op's steps to a program; false: it has none for this op.
  bool (*eager)(eager::Builder& builder, const ir::Op& op) = nullptr;

  KernelColumn kernel = {};
};

/// Every row; generated from the folders.
std::span<const CpuOp> all_cpu_ops();

/// The row of an op; null when its folder has none.
const CpuOp* find_cpu_op(const ir::Op& op);

OpKind classify(const ir::Op& op);

/// True if a kControl op repeats its regions.
bool is_loop(const ir::Op& op);

Combiner combiner_of(const ir::Op& op);
/// The combiner of the single op in a body of two scalars; kNone if the body has several ops.
Combiner combiner_of_body(const ir::Block& body);

WindowUse window_use(const ir::Op& op);

/// Cost of an element of the op in units of a vector addition.
double elementwise_cost(const ir::Op& op);

/// True if the emitter has code for it.
bool can_emit_elementwise(const ir::Op& op);

/// True if the op has a kernel; does not depend on target or machine. A composite that has one is not
/// decomposed.
bool has_group_kernel(const ir::Op& op);

/// The kernel of an op that has one, not yet built; see KernelColumn. Follows from the arguments alone.
std::unique_ptr<GroupKernel> make_group_kernel(const ir::Op& op, const Target& target, int num_threads);

/// The op's asynchronous async_collective; null: it always runs as a whole.
const AsyncCollectiveColumn* async_collective_of(const ir::Op& op);

/// True if result 0 of the op is a view of memory outside of the plan; see KernelColumn.
bool makes_view(const ir::Op& op);

/// True if the op has a kernel that works over several processes.
bool spans_processes(const ir::Op& op);

/// Bytes that this process sends to the others in one run of the op; 0 for ops that work alone.
double sent_bytes(const ir::Op& op);

/// True if the op computes in f32 where its tensors are of f16 or bf16.
bool upcasts_low_precision(const ir::Op& op);

/// Multiplications and additions of a convolution (none with padding or between dilated elements) or a
/// recurrent composite; 0 for the others.
double kernel_flops(const ir::Op& op);

/// The kind of that work; kProducts for ops without a kernel.
KernelWork kernel_work(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
