#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cornu/backends/cpu/emit/elementwise.h"
#include "cornu/backends/cpu/emit/expression.h"
#include "cornu/backends/cpu/emit/step_context.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/backends/cpu/target/target.h"

namespace cornu::inline v0::backends::cpu {

/// Data that the groups of a module share and that are not in it.
struct ModuleData {
  std::vector<llvm::GlobalVariable*> constants;  // the plan's, by number
  llvm::GlobalVariable* numbers = nullptr;       // a table of u32
  std::vector<std::uint32_t> number_values;      // what belongs there
  static constexpr std::size_t kMostNumbers = 65536;
};

/// Numbers that a group's code reads at run time: where its buffers are, and numbers of a run. Equal groups
/// share code, each with a table of its own.
using GroupTable = std::vector<std::int64_t>;

/// Emits the address of a buffer in the running step. `load` gives the value of a field of the context, which
/// has all addresses except those of constants.
llvm::Value* buffer_address(llvm::IRBuilderBase& builder, const PlanBuffer& buffer,
                            llvm::function_ref<llvm::Value*(ContextField)> load);

/// Emits one group as a function void(StepContext*, i64 slice).
///
/// A group's loops run from outermost (0) to innermost; one of them, the vector loop, runs `lanes_`
/// iterations at a time, its last pass masked. Each node of the group's expression is emitted at the start of
/// the deepest loop that it depends on.
class GroupEmitter {
 public:
  /// `table`: gets the numbers that the code reads from StepContext::table; null: they are part of the code.
  GroupEmitter(const Plan& plan, const Group& group, const Target& target, llvm::Module& module,
               ModuleData& data, GroupTable* table = nullptr);

  llvm::Function* emit(const std::string& name);

  /// Emits the function that combines, in order, the `num_partials` partial results that a reduction's
  /// function leaves in the group's scratch buffer (see leaves_partials). It needs an emitter of its own.
  llvm::Function* emit_finish(const std::string& name, std::int64_t num_partials);
  bool leaves_partials() const { return leaves_partials_; }

  /// The number of slices of the emitted function; set by emit, from shapes alone.
  std::int64_t num_slices() const { return num_slices_; }

 private:
  using Body = std::function<void()>;

  void begin_function(const std::string& name);

  // group_emitter.cc: loops
  void emit_loop_group();
  void choose_loops(const std::vector<std::size_t>& dimensions);
  void merge_loops(std::size_t begin, std::size_t end);
  void make_vector_loop(int level, int widest);
  void set_levels();
  void split_outermost(std::int64_t unit = 1);
  void open_loops(std::size_t level, std::size_t end, const Body& body);
  std::array<llvm::Value*, 2> bounds_of(std::size_t level);
  void vector_loop(std::size_t level, const Body& body);
  void counted_loop(llvm::Value* begin, llvm::Value* end, std::int64_t step,
                    const std::function<void(llvm::Value*)>& body);
  void store_node(std::size_t store);

  // group_emitter.cc: loops that only copy elements
  bool only_copies() const;
  ir::DType moved_as(ir::DType dtype) const;
  llvm::Align align_of(ir::DType dtype) const;
  bool moves_pairs() const;
  void widen_copy();
  int widest_copy() const;
  bool may_be_wide(const Node& node, std::size_t dimension) const;
  int widest_computation() const;
  bool emit_transposed_copy();
  void open_squares(std::size_t level, std::size_t rows, std::int64_t side, const Body& square);

  // reduce.cc: reductions of what a loop group computes, in passing
  void add_sums();
  void start_sums();
  void add_to_sums();

  // reduce.cc
  struct Reduction {
    const ir::Op& op;
    std::vector<int> elements = {}, inits = {};  // nodes
    Combiner combiner = Combiner::kNone;
    std::size_t num_kept = 0;  // the outer loops, over results
    bool lanes_are_results = false, lanes_are_reduced = false;
    std::vector<llvm::Value*> sums = {};  // stack slots
  };
  void emit_reduce_group();
  void add_reduction_nodes(Reduction& reduction);
  void choose_reduction_loops(Reduction& reduction);
  void split_reduction(Reduction& reduction);
  std::vector<llvm::Value*> load_sums(const Reduction& reduction);
  void store_reduction(const Reduction& reduction);
  void emit_reduce_finish(const Store& store, llvm::Value* partials, std::int64_t row_elements,
                          std::int64_t num_partials);
  std::vector<llvm::Value*> combine(const ir::Op& reduce, const std::vector<llvm::Value*>& accumulators,
                                    const std::vector<llvm::Value*>& elements);
  bool should_vectorise_kept(std::size_t num_kept, bool simple) const;
  llvm::Value* neutral(Combiner combiner, ir::DType dtype, int lanes);
  llvm::Value* across_lanes(const ir::Op& reduce, llvm::Value* vector);

  // scatter.cc
  struct ScatterLoops;
  void emit_scatter_group(const ScatterGroup& group);
  ScatterLoops make_scatter_loops();
  void emit_when(llvm::Value* condition, const Body& body);
  llvm::Value* own_extent(llvm::Value* own_begin, std::int64_t extent);
  llvm::Value* is_in_range(const ScatterLoops& scatter, bool of_windows);
  void apply_update(const ScatterLoops& scatter);
  bool changes_table_rows(const ScatterLoops& scatter) const;
  void at_later_index(std::size_t level, const std::function<void(llvm::Value*)>& look_ahead);
  void fill_rows(const ir::Literal& fill, const ir::Dims& input, llvm::Value* first_row,
                 llvm::Value* num_rows);
  void emit_open_levels(std::size_t depth);
  llvm::Value* list_updates(std::size_t level, int start, llvm::Value* begin, llvm::Value* extent,
                            llvm::Value* first, llvm::Value* end, llvm::Value* list);
  void walk_own_updates(std::size_t inner, int start, llvm::Value* begin, llvm::Value* extent,
                        const Body& body, const std::function<void(llvm::Value*)>& look_ahead);

  // scatter.cc: rows of tables
  bool is_table_of_rows(int buffer) const;
  bool reads_table_rows(const Node& node) const;
  std::vector<bool> row_loops(const Node& load) const;
  void prefetch_rows();
  void prefetch_rows(const Node& load);
  void prefetch_row(const Node& load);
  void prefetch_lines(llvm::Value* row, std::int64_t size, bool to_write);
  void prefetch_next_rows(std::size_t level, llvm::Value* index, llvm::Value* end);
  void prefetch_update(std::size_t level, llvm::Value* index, std::span<const int> starts);
  void open_some_loops(std::size_t level, std::size_t end, const std::vector<bool>& opened, const Body& body);

  // memory.cc
  void emit_level(int level);
  llvm::Value* vector_value(int node);
  llvm::Value* larger(llvm::Value* a, llvm::Value* b);
  llvm::Value* load(const Node& node);
  bool is_number_of_a_run(std::size_t node) const;
  llvm::Value* constant_of(std::size_t node);
  llvm::Value* iota_of(const Node& node);
  llvm::Value* result_of(const Node& node);
  llvm::Value* load_row(const Node& node);
  llvm::Value* offset_of(const Node& node);
  llvm::Value* load_gathered(llvm::Value* base, llvm::Value* positions, ir::DType dtype);
  llvm::Value* load_at(llvm::Value* base, llvm::Value* position, std::int64_t lane_stride, bool is_vector,
                       ir::DType dtype);
  void store_at(llvm::Value* base, llvm::Value* position, std::int64_t lane_stride, llvm::Value* value,
                ir::DType dtype);
  // memory.cc: lanes that are a few elements apart
  /// The most elements between two lanes that whole vectors are read and written for. AVX-512 has one instruction for
  /// any lanes of two vectors.
  std::int64_t most_parts() const { return target_.isa == IsaLevel::kAvx512 ? 8 : 4; }
  llvm::Value* load_every(llvm::Type* element, llvm::Value* address, std::int64_t stride, llvm::Align align);
  llvm::Value* load_every_masked(llvm::Type* element, llvm::Value* address, std::int64_t stride,
                                 llvm::Align align);
  llvm::Value* load_near(llvm::Type* element, llvm::Value* address, std::int64_t stride, llvm::Align align);
  llvm::Value* reversed(llvm::Value* vector);
  std::size_t num_interleaved(std::size_t first) const;
  void store_interleaved(std::size_t first, std::size_t count);
  llvm::Value* position_of(const Address& address);
  std::int64_t lane_stride(const Affine& affine) const;
  llvm::Value* buffer_base(int buffer);
  llvm::Value* buffer_from_table(const PlanBuffer& buffer);
  llvm::Value* from_table(std::int64_t number);
  llvm::Value* context_field(ContextField field);
  llvm::Value* integer(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::Value* splat(llvm::Value* scalar) {
    return lanes_ == 1 ? scalar : builder_.CreateVectorSplat(static_cast<unsigned>(lanes_), scalar);
  }
  llvm::Value* lane_numbers(llvm::Type* integer_type);
  llvm::Value* lane_offsets(std::int64_t stride);
  llvm::Value* masked_by_end(llvm::Value* index, llvm::Value* end);
  llvm::Value* hidden(llvm::Value* constant);
  llvm::Value* stack_slot(llvm::Type* type);

  // dot.cc
  // A block of the result: `rows` scalars of a times `vectors` registers of b.
  struct DotBlock {
    llvm::Value* a = nullptr;  // positions in elements of the block's corner
    llvm::Value* b = nullptr;
    llvm::Value* c = nullptr;
    std::int64_t num_rows = 1;
    std::int64_t num_columns = 1;
  };
  void emit_dot_group();
  void choose_dot_blocks(const std::vector<DotAxis>& outer);
  void emit_dot_block(const DotBlock& block);
  bool contracts_in_lanes() const;
  void emit_dot_lanes(const DotBlock& block);
  llvm::Value* multiply_add(llvm::Value* left, llvm::Value* right, llvm::Value* sum);
  void emit_contraction(std::size_t level, llvm::Value* a, llvm::Value* b, bool unrolled,
                        const std::function<void(llvm::Value*, llvm::Value*)>& step);
  std::vector<llvm::Value*> load_columns(llvm::Value* b, std::int64_t num_columns);
  void preload(std::size_t level, llvm::Value* b, std::int64_t num_columns);
  void emit_dot_rows(llvm::Value* a, llvm::Value* b, llvm::Value* c);

  std::vector<DotAxis> contracting_;
  DotAxis rows_, columns_;
  std::array<int, 3> dot_buffers_ = {};  // a, b, c
  std::int64_t block_rows_ = 1, block_columns_ = 1;
  bool split_rows_ = false;
  std::vector<std::vector<llvm::Value*>> preloaded_;  // of b, a row a step of the contraction

  const Plan& plan_;
  const Group& group_;
  const Target& target_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  ModuleData& data_;
  GroupTable* table_;
  llvm::IRBuilder<> builder_;
  llvm::IRBuilder<> entry_builder_;  // appends to the entry block: base pointers, stack slots
  llvm::Function* function_ = nullptr;
  llvm::Value* step_context_ = nullptr;
  llvm::Value* slice_ = nullptr;
  std::int64_t num_slices_ = 1;
  std::int64_t chunk_ = 0;       // elements of the split loop in a slice
  std::size_t split_level_ = 0;  // the loop that slices share
  bool leaves_partials_ = false;
  bool moves_bits_ = false;  // see only_copies
  std::size_t widened_ = 1;  // elements that a copy moves as one

  Expression expression_;
  std::vector<int> store_nodes_;
  std::vector<Address> store_addresses_;
  struct Sum {
    const Store* store = nullptr;
    std::vector<int> elements;  // nodes
    Address address;
    llvm::Value* partials = nullptr;  // of this slice
  };
  std::vector<Sum> sums_;
  std::vector<Loop> loops_;
  std::vector<llvm::Value*> loop_index_;               // of open loops; of the vector loop: lane 0's
  std::map<std::size_t, std::vector<int>> next_rows_;  // by loop: nodes whose next rows it prefetches
  int vector_level_ = -1;
  int lanes_ = 1;
  llvm::Value* mask_ = nullptr;       // lanes that count in the vector loop's current pass; null: all
  std::vector<llvm::Value*> values_;  // of nodes at the current iteration
  std::vector<llvm::Value*> splats_;  // of scalar nodes that vectors use
  std::vector<bool> has_vector_user_;
  std::unordered_map<int, llvm::Value*> bases_;  // by buffer
  std::vector<llvm::Value*> fields_;
};

}  // namespace cornu::inline v0::backends::cpu
