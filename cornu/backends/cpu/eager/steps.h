#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cornu/backends/cpu/elements/instructions.h"
#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/ir/graph.h"

/// Parts of a prepared eager program: steps over raw memory, with all decisions made before.
namespace cornu::inline v0::backends::cpu::eager {

using elements::Instructions;
using elements::KernelSet;
using elements::ReduceKernels;

/// One run: where every slot is, and what helps.
struct Run {
  std::byte* const* slots;
  ThreadPool* pool;
};

/// Threads: run is safe (each run has slots of its own). Its bits do not depend on the number of threads.
class Step {
 public:
  virtual ~Step() = default;
  virtual void run(const Run& run) const = 0;
};

/// A tensor somewhere in a slot: its element of index 0 at `offset`, strides in elements.
struct View {
  int slot = -1;
  std::int64_t offset = 0;  // elements
  ir::Dims dims;
  ir::Dims strides;
  std::size_t element_bytes = 0;

  bool is_row_major() const;
  std::int64_t num_elements() const;
};

/// Loops over `dims`; every tensor moves by its own strides. Axes of one element are dropped, axes that all
/// tensors walk evenly are one.
struct Loops {
  ir::Dims extents;
  std::vector<ir::Dims> strides;  // [tensor][axis]

  static Loops of(const ir::Dims& dims, std::vector<ir::Dims> strides);
};

/// Instructions over tensors of one shape: places are the inputs, then the outputs (row-major).
std::unique_ptr<Step> make_elementwise_step(const std::vector<View>& inputs, const std::vector<View>& outputs,
                                            Instructions instructions);

/// Copies between places of one shape.
std::unique_ptr<Step> make_copy_step(const View& from, const View& to);
/// A window of `extents` in `whole`, at indices that a run reads from `starts` (64-bit integers, one an
/// axis); they are clamped so that the window stays inside.
View moved_window(View whole, const ir::Dims& extents, const std::vector<View>& starts, const Run& run);
/// Reduces a row-major tensor over `dimensions`; `init` is a scalar.
std::unique_ptr<Step> make_reduce_step(const View& x, const View& init, const View& result,
                                       const ir::Dims& dimensions, const ReduceKernels& kernels);

/// c[batch, i, j] = sum over k of a[batch, i, k] b[batch, k, j]. Views with the axes in this order, every
/// group of axes but the batch's walked by one stride (see matrix_axes); c is row-major.
struct DotOperands {
  ir::Dims batch;
  std::int64_t m = 1, n = 1, k = 1;
  View a, b;  // only slot and offset count
  ir::Dims a_batch, b_batch;
  std::int64_t a_row = 0, a_column = 0, b_row = 0, b_column = 0;
  int c_slot = 0;
  int sums_slot = -1;  // floats_of_sums, if there are any
};
/// The floats of working memory of a dot by a matrix kernel.
std::int64_t floats_of_sums(const DotOperands& dot, ir::DType dtype);
/// True if a dot of a dtype uses the engine's matrix kernels, for which its matrices must have a stride of 1; a dot
/// without elements or terms does not.
bool has_matrix_kernel(const DotOperands& dot, ir::DType dtype, const Target& target);
/// By those, else by the level's plain loop.
std::unique_ptr<Step> make_dot_step(const DotOperands& dot, ir::DType dtype, const KernelSet& kernels,
                                    const Target& target, int num_threads);

/// A step of a closure, for what is rare.
std::unique_ptr<Step> make_step(std::function<void(const Run&)> run);

}  // namespace cornu::inline v0::backends::cpu::eager
