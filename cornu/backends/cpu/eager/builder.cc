#include "cornu/backends/cpu/eager/builder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

#include "cornu/backends/cpu/eager/scalar_function.h"
#include "cornu/backends/cpu/group_kernel.h"
#include "cornu/backends/cpu/lives.h"
#include "cornu/base/check.h"
#include "cornu/base/thread_pool.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/reduce_rules.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

using Dims = ir::Dims;

class PartsBuilder {
 public:
  PartsBuilder(std::shared_ptr<const ir::Function> function, const KernelSet& kernels, const Target& target, int num_threads)
      : kernels_(kernels), target_(target), num_threads_(num_threads) {
    parts_.function = std::move(function);
  }

  Parts build() {
    const ir::Block& body = parts_.function->body;
    count_uses(body);
    for (std::size_t i = 0; i < body.arguments().size(); ++i)
      views_[body.arguments()[i]] = view_of(add_slot({.kind = Slot::Kind::kInput, .index = i}), body.arguments()[i].type());
    choose_outputs(body);
    for (const auto& op : body.ops()) add_op(*op);
    flush();
    for (std::size_t i = 0; i < body.results().size(); ++i) {
      if (output_slots_[i] >= 0) continue;  // written in place
      const View to = view_of(add_slot({.kind = Slot::Kind::kOutput, .index = i}), body.results()[i].type());
      add_copy(views_.at(body.results()[i]), to);
    }
    place_temporaries();
    if (!needs_function_) parts_.function = nullptr;
    return std::move(parts_);
  }

 private:
  // ---- slots and views ----

  int add_slot(Slot slot) {
    parts_.slots.push_back(slot);
    return static_cast<int>(parts_.slots.size()) - 1;
  }

  static View view_of(int slot, const ir::TensorType& type) {
    return {.slot = slot,
            .offset = 0,
            .dims = type.dims,
            .strides = ir::row_major_strides(type.dims),
            .element_bytes = ir::size_bytes(type.dtype)};
  }

  View temporary(const ir::TensorType& type) {
    const int slot = add_slot({.kind = Slot::Kind::kTemporary});
    lives_[slot] = {.size_bytes = type.size_bytes(), .first = std::numeric_limits<int>::max(), .last = -1};
    return view_of(slot, type);
  }

  /// `slots`: all that the step reads or writes.
  void add_step(std::unique_ptr<Step> step, const std::vector<int>& slots) {
    const int number = static_cast<int>(parts_.steps.size());
    for (const int slot : slots) {
      const auto life = lives_.find(slot);
      if (life == lives_.end()) continue;
      life->second.first = std::min(life->second.first, number);
      life->second.last = number;
    }
    parts_.steps.push_back(std::move(step));
  }

  void add_copy(const View& from, const View& to) { add_step(make_copy_step(from, to), {from.slot, to.slot}); }

  static void append_slots(const std::vector<View>& views, std::vector<int>& slots) {
    for (const View& view : views) slots.push_back(view.slot);
  }

  /// Temporaries that are not needed at the same time share memory.
  void place_temporaries() {
    std::vector<int> slots;
    std::vector<Life> lives;
    for (const auto& [slot, life] : lives_) {
      if (life.last < 0) continue;  // no step uses it
      slots.push_back(slot);
      lives.push_back(life);
    }
    parts_.temporary_bytes = place_lives(lives);
    for (std::size_t i = 0; i < slots.size(); ++i) parts_.slots[static_cast<std::size_t>(slots[i])].offset_bytes = lives[i].offset;
  }

  View constant(ir::Literal literal) {
    parts_.constants.push_back(std::move(literal));
    return view_of(add_slot({.kind = Slot::Kind::kConstant, .index = parts_.constants.size() - 1}), parts_.constants.back().type());
  }

  /// Where a new value is written: straight into the output that it is, else into working memory.
  View& place(ir::Value value) {
    const auto found = output_of_.find(value);
    if (found == output_of_.end()) return views_[value] = temporary(value.type());
    const int slot = add_slot({.kind = Slot::Kind::kOutput, .index = found->second});
    output_slots_[found->second] = slot;
    return views_[value] = view_of(slot, value.type());
  }

  /// A view of a computed value; ends the open group if the value is in it.
  const View& view(ir::Value value) {
    if (in_group_.count(value) > 0) flush();
    return views_.at(value);
  }

  View row_major(ir::Value value) {
    const View& from = view(value);
    if (from.is_row_major()) return from;
    const View copy = temporary(value.type());
    add_copy(from, copy);
    return copy;
  }

  void count_uses(const ir::Block& block) {
    for (const auto& op : block.ops()) {
      for (const ir::Value& operand : op->operands()) ++num_uses_[operand];
      for (const ir::Value& value : transform::captured_values(*op)) ++num_uses_[value];
    }
    for (const ir::Value& result : block.results()) ++num_uses_[result];
  }

  /// Results that a step may write in place: made by an op, returned once.
  void choose_outputs(const ir::Block& body) {
    output_slots_.assign(body.results().size(), -1);
    for (std::size_t i = 0; i < body.results().size(); ++i) output_of_.try_emplace(body.results()[i], i);
  }

  // ---- elementwise groups ----

  struct Pending {
    const ir::Op* op;
    ElementwiseKernel kernel;
  };

  ElementwiseKernel elementwise_kernel(const ir::Op& op) const { return find_elementwise_kernel(op, kernels_); }

  void add_elementwise(const ir::Op& op, ElementwiseKernel kernel) {
    constexpr std::size_t kMaxGroup = 48;  // bounds registers and places
    const Dims& dims = op.result().dims();
    if (!group_.empty() && (group_[0].op->result().dims() != dims || group_.size() == kMaxGroup)) flush();
    for (const ir::Value& operand : op.operands())
      if (in_group_.count(operand) > 0 && operand.dims() != dims) flush();  // a scalar predicate
    group_.push_back({&op, kernel});
    in_group_.insert(op.result());
  }

  void flush() {
    if (group_.empty()) return;
    std::unordered_map<ir::Value, int, ir::ValueHash> uses_inside;
    for (const Pending& pending : group_)
      for (const ir::Value& operand : pending.op->operands())
        if (in_group_.count(operand) > 0) ++uses_inside[operand];
    const Dims& dims = group_[0].op->result().dims();
    std::vector<View> inputs, outputs;
    std::unordered_map<ir::Value, int, ir::ValueHash> input_of, output_of, register_of;
    for (const Pending& pending : group_) {
      for (const ir::Value& operand : pending.op->operands()) {
        if (in_group_.count(operand) > 0 || !input_of.try_emplace(operand, static_cast<int>(inputs.size())).second) continue;
        View input = views_.at(operand);
        if (input.dims != dims) {  // a scalar beside tensors
          input.dims = dims;
          input.strides.assign(dims.size(), 0);
        }
        inputs.push_back(std::move(input));
      }
    }
    int num_registers = 0;
    std::vector<int> free_registers;
    std::vector<Instructions::Instruction> list;
    for (const Pending& pending : group_) {
      Instructions::Instruction instruction{.kernel = pending.kernel};
      for (const ir::Value& operand : pending.op->operands()) {
        if (in_group_.count(operand) == 0)
          instruction.operands.push_back({false, input_of.at(operand)});
        else if (register_of.count(operand) > 0)
          instruction.operands.push_back({true, register_of.at(operand)});
        else
          instruction.operands.push_back({false, static_cast<int>(inputs.size()) + output_of.at(operand)});
      }
      const ir::Value result = pending.op->result();
      if (num_uses_[result] == 0) num_uses_[result] = 1;
      if (uses_inside[result] < num_uses_[result]) {
        output_of[result] = static_cast<int>(outputs.size());
        instruction.result = {false, static_cast<int>(inputs.size() + outputs.size())};
        outputs.push_back(place(result));
      } else {
        int index = num_registers;
        if (free_registers.empty())
          ++num_registers;
        else
          index = free_registers.back(), free_registers.pop_back();
        register_of[result] = index;
        instruction.result = {true, index};
      }
      list.push_back(std::move(instruction));
      // After the result has its register: it may not be an operand's.
      for (const ir::Value& operand : pending.op->operands())
        if (register_of.count(operand) > 0 && --uses_inside[operand] == 0) free_registers.push_back(register_of.at(operand));
    }
    std::vector<int> slots;
    append_slots(inputs, slots);
    append_slots(outputs, slots);
    add_step(make_elementwise_step(inputs, outputs, Instructions(std::move(list), num_registers)), slots);
    group_.clear();
    in_group_.clear();
  }

  // ---- ops ----

  void add_op(const ir::Op& op) {
    if (const ElementwiseKernel kernel = elementwise_kernel(op)) {
      for (const ir::Value& operand : op.operands())
        if (operand.dims() != op.result().dims() && in_group_.count(operand) > 0) flush();
      return add_elementwise(op, kernel);
    }
    const std::string_view name = op.name();
    if (add_view(op, name)) return;
    if (name == "constant") {
      views_[op.result()] = constant(op.attributes().get<ir::Literal>("value"));
    } else if (name == "iota") {
      add_iota(op);
    } else if (name == "concatenate") {
      add_concatenate(op);
    } else if (name == "pad") {
      add_pad(op);
    } else if (name == "reduce" && add_reduce(op)) {
    } else if (name == "dot_general") {
      add_dot(op);
    } else if (name == "gather" && ops::is_gather_rows(op)) {
      add_gather_rows(op);
    } else if (name == "dynamic_slice" || name == "dynamic_update_slice") {
      add_dynamic(op, name == "dynamic_slice");
    } else if (has_group_kernel(op)) {
      add_group_kernel(op);
    } else {
      add_reference(op);
    }
  }

  /// Ops that only say where elements are.
  bool add_view(const ir::Op& op, std::string_view name) {
    if (name == "reshape") {
      View from = row_major(op.operand(0));
      from.dims = op.result().dims();
      from.strides = ir::row_major_strides(from.dims);
      views_[op.result()] = std::move(from);
      return true;
    }
    if (name == "bitcast_convert" && ir::size_bytes(op.operand(0).dtype()) == ir::size_bytes(op.result().dtype())) {
      views_[op.result()] = View(view(op.operand(0)));
      return true;
    }
    if (name != "broadcast_in_dim" && name != "transpose" && name != "slice" && name != "reverse") return false;
    const View from = view(op.operand(0));
    View to = from;
    to.dims = op.result().dims();
    to.strides.assign(to.dims.size(), 0);
    if (name == "broadcast_in_dim") {
      const auto& map = op.attributes().get<Dims>("broadcast_dimensions");
      for (std::size_t d = 0; d < map.size(); ++d)
        if (from.dims[d] != 1) to.strides[static_cast<std::size_t>(map[d])] = from.strides[d];
    } else if (name == "transpose") {
      to.strides = ops::extents(from.strides, op.attributes().get<Dims>("permutation"));
    } else if (name == "slice") {
      const auto& start = op.attributes().get<Dims>("start_indices");
      const auto& strides = op.attributes().get<Dims>("strides");
      for (std::size_t d = 0; d < to.dims.size(); ++d) {
        to.offset += start[d] * from.strides[d];
        to.strides[d] = from.strides[d] * strides[d];
      }
      if (to.num_elements() == 0) to.offset = from.offset;
    } else {
      to.strides = from.strides;
      for (const std::int64_t d : op.attributes().get<Dims>("dimensions")) {
        const auto axis = static_cast<std::size_t>(d);
        if (from.dims[axis] == 0) continue;
        to.offset += (from.dims[axis] - 1) * from.strides[axis];
        to.strides[axis] = -from.strides[axis];
      }
    }
    views_[op.result()] = std::move(to);
    return true;
  }

  /// One axis is counted, the others repeat it.
  void add_iota(const ir::Op& op) {
    constexpr std::size_t kMaxConstantBytes = 4096;
    const auto axis = static_cast<std::size_t>(op.attributes().get<std::int64_t>("iota_dimension"));
    const ir::TensorType line{op.result().dtype(), {op.result().dims()[axis]}};
    const ElementwiseKernel convert = kernels_.convert(ir::DType::kI64, line.dtype);
    View from;
    if (line.size_bytes() <= kMaxConstantBytes) {
      ir::Literal literal(line);
      fill_iota(convert, line, literal.mutable_bytes().data());
      from = constant(std::move(literal));
    } else {
      from = temporary(line);
      add_step(make_step([convert, line, slot = from.slot](const Run& run) { fill_iota(convert, line, run.slots[slot]); }), {from.slot});
    }
    View to = from;
    to.dims = op.result().dims();
    to.strides.assign(to.dims.size(), 0);
    to.strides[axis] = 1;
    views_[op.result()] = std::move(to);
  }

  static void fill_iota(ElementwiseKernel convert, const ir::TensorType& line, std::byte* to) {
    constexpr std::int64_t kBlock = 256;
    std::int64_t numbers[kBlock];
    const std::byte* const in = reinterpret_cast<const std::byte*>(numbers);
    const std::int64_t stride = 1;
    for (std::int64_t begin = 0; begin < line.dims[0]; begin += kBlock) {
      const std::int64_t length = std::min(kBlock, line.dims[0] - begin);
      std::iota(numbers, numbers + length, begin);
      convert(length, &in, &stride, to + static_cast<std::size_t>(begin) * ir::size_bytes(line.dtype));
    }
  }

  void add_concatenate(const ir::Op& op) {
    const auto axis = static_cast<std::size_t>(op.attributes().get<std::int64_t>("dimension"));
    for (const ir::Value& operand : op.operands()) (void)view(operand);
    View part = place(op.result());
    for (const ir::Value& operand : op.operands()) {
      part.dims[axis] = operand.dims()[axis];
      add_copy(view(operand), part);
      part.offset += part.dims[axis] * part.strides[axis];
    }
  }

  void add_pad(const ir::Op& op) {
    const auto& low = op.attributes().get<Dims>("edge_padding_low");
    const auto& interior = op.attributes().get<Dims>("interior_padding");
    View from = view(op.operand(0)), value = view(op.operand(1));
    const View to = place(op.result());
    value.dims = to.dims;
    value.strides.assign(to.dims.size(), 0);
    add_copy(value, to);
    View inside = to;
    for (std::size_t d = 0; d < to.dims.size(); ++d) {
      // Elements i of the operand land at low + i (interior + 1); keep those inside the result.
      const std::int64_t step = interior[d] + 1;
      const std::int64_t first = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
      const std::int64_t room = to.dims[d] - 1 - low[d];
      const std::int64_t last = std::min(from.dims[d] - 1, room < 0 ? -1 : room / step);
      from.offset += first * from.strides[d];
      inside.offset += (low[d] + first * step) * to.strides[d];
      inside.strides[d] = to.strides[d] * step;
      from.dims[d] = inside.dims[d] = std::max<std::int64_t>(0, last - first + 1);
    }
    if (inside.num_elements() > 0) add_copy(from, inside);
  }

  bool add_reduce(const ir::Op& op) {
    const auto& dimensions = op.attributes().get<Dims>("dimensions");
    if (op.results().size() == 1) {
      const std::string_view kind = ops::simple_reduce_kind(op);
      const ReduceKernels kernels = kind.empty() ? ReduceKernels() : kernels_.reduce(kind, op.result().dtype());
      if (kernels.fold != nullptr) {
        const View x = row_major(op.operand(0)), init = view(op.operand(1)), result = place(op.result());
        add_step(make_reduce_step(x, init, result, dimensions, kernels), {x.slot, init.slot, result.slot});
        return true;
      }
    }
    return add_folding_reduce(op, dimensions);
  }

  /// Any body of elementwise ops: halves of the reduced elements are combined, all results at once, until one is left.
  bool add_folding_reduce(const ir::Op& op, const Dims& dimensions) {
    const std::shared_ptr<const ScalarFunction> body = ScalarFunction::make(op.region(0), kernels_);
    if (body == nullptr) return false;
    const std::size_t count = op.results().size();
    const Dims kept = ops::remaining_dimensions(op.operand(0).rank(), dimensions);
    const Dims order = ops::concatenated(dimensions, kept);
    FoldingReduce fold{.body = body};
    for (std::size_t i = 0; i < count; ++i) {
      View x = view(op.operand(i));
      View turned = temporary({op.operand(i).dtype(), ops::extents(x.dims, order)});
      x.dims = turned.dims;
      x.strides = ops::extents(x.strides, order);
      add_copy(x, turned);
      fold.values.push_back(turned.slot);
      const View init = view(op.operand(count + i));
      fold.inits.push_back(init.slot);
      fold.init_offsets.push_back(init.offset * static_cast<std::int64_t>(init.element_bytes));
      fold.element_bytes.push_back(init.element_bytes);
    }
    for (std::size_t i = 0; i < count; ++i)
      fold.scratch.push_back(temporary({op.operand(i).dtype(), ops::extents(op.operand(i).dims(), order)}).slot);
    for (std::size_t i = 0; i < count; ++i) fold.results.push_back(place(op.result(i)).slot);
    fold.num_kept = op.result().type().num_elements();
    fold.num_reduced = 1;
    for (const std::int64_t extent : ops::extents(op.operand(0).dims(), dimensions)) fold.num_reduced *= extent;
    std::vector<int> slots = fold.values;
    for (const std::vector<int>* more : {&fold.scratch, &fold.inits, &fold.results}) slots.insert(slots.end(), more->begin(), more->end());
    add_step(make_step([fold](const Run& run) { fold.run(run); }), slots);
    return true;
  }

  // ---- dots ----

  /// One stride that walks all axes of a group, or nothing.
  static std::optional<std::int64_t> single_stride(const Dims& extents, const Dims& strides) {
    const Loops loops = Loops::of(extents, {strides});
    if (loops.extents.size() > 1) return std::nullopt;
    return loops.extents.empty() ? 1 : loops.strides[0][0];
  }

  /// Views a side as [batch, rows, columns]; copies it when the groups are not walked evenly or (f32) no stride is 1.
  View matrix_side(ir::Value value, const Dims& batch, const Dims& rows, const Dims& columns, bool needs_unit, std::int64_t& row_stride,
                   std::int64_t& column_stride, Dims& batch_strides) {
    View x = view(value);
    const Dims row_extents = ops::extents(x.dims, rows), column_extents = ops::extents(x.dims, columns);
    const auto row = single_stride(row_extents, ops::extents(x.strides, rows));
    const auto column = single_stride(column_extents, ops::extents(x.strides, columns));
    std::int64_t num_rows = 1, num_columns = 1;
    for (const std::int64_t extent : row_extents) num_rows *= extent;
    for (const std::int64_t extent : column_extents) num_columns *= extent;
    if (row && column) {
      row_stride = *row;
      column_stride = *column;
      batch_strides = ops::extents(x.strides, batch);
      // An axis of one element has any stride.
      if (num_columns == 1) column_stride = 1;
      if (num_rows == 1) row_stride = column_stride == 1 ? num_columns : 1;
      const bool plain = column_stride == 1 && row_stride >= num_columns, turned = row_stride == 1 && column_stride >= num_rows;
      if (!needs_unit || plain || turned) return x;
    }
    const Dims order = ops::concatenated(ops::concatenated(batch, rows), columns);
    const View copy = temporary({value.dtype(), ops::extents(x.dims, order)});
    x.dims = copy.dims;
    x.strides = ops::extents(x.strides, order);
    add_copy(x, copy);
    row_stride = num_columns;
    column_stride = 1;
    batch_strides.assign(copy.strides.begin(), copy.strides.begin() + static_cast<std::ptrdiff_t>(batch.size()));
    return copy;
  }

  void add_dot(const ir::Op& op) {
    const ops::DotDimensions dims = ops::dot_dimensions(op);
    const ir::Value a = op.operand(0), b = op.operand(1);
    const Dims a_rows = ops::remaining_dimensions(a.rank(), ops::concatenated(dims.lhs_batching, dims.lhs_contracting));
    const Dims b_columns = ops::remaining_dimensions(b.rank(), ops::concatenated(dims.rhs_batching, dims.rhs_contracting));
    DotOperands dot;
    for (const std::int64_t d : dims.lhs_batching) dot.batch.push_back(a.dims()[static_cast<std::size_t>(d)]);
    for (const std::int64_t d : a_rows) dot.m *= a.dims()[static_cast<std::size_t>(d)];
    for (const std::int64_t d : dims.lhs_contracting) dot.k *= a.dims()[static_cast<std::size_t>(d)];
    for (const std::int64_t d : b_columns) dot.n *= b.dims()[static_cast<std::size_t>(d)];
    const bool needs_unit = a.dtype() == ir::DType::kF32;
    dot.a = matrix_side(a, dims.lhs_batching, a_rows, dims.lhs_contracting, needs_unit, dot.a_row, dot.a_column, dot.a_batch);
    dot.b = matrix_side(b, dims.rhs_batching, dims.rhs_contracting, b_columns, needs_unit, dot.b_row, dot.b_column, dot.b_batch);
    dot.c_slot = place(op.result()).slot;
    add_step(make_dot_step(dot, a.dtype(), kernels_, target_, num_threads_), {dot.a.slot, dot.b.slot, dot.c_slot});
  }

  // ---- ops that read positions from tensors ----

  /// Converts a scalar or a tensor of integers to int64.
  View as_int64(ir::Value value) {
    const View x = row_major(value);
    if (value.dtype() == ir::DType::kI64) return x;
    const View wide = temporary({ir::DType::kI64, value.dims()});
    Instructions::Instruction convert{
        .kernel = kernels_.convert(value.dtype(), ir::DType::kI64), .operands = {{false, 0}}, .result = {false, 1}};
    add_step(make_elementwise_step({x}, {wide}, Instructions({convert}, 0)), {x.slot, wide.slot});
    return wide;
  }

  void add_gather_rows(const ir::Op& op) {
    const View table = row_major(op.operand(0)), ids = as_int64(op.operand(1));
    const View to = place(op.result());
    const std::int64_t num_rows = table.dims[0];
    const auto row_bytes = static_cast<std::size_t>(table.num_elements() / num_rows) * table.element_bytes;
    auto step = make_step([=, count = ids.num_elements()](const Run& run) {
      const std::byte* const from = run.slots[table.slot] + table.offset * static_cast<std::int64_t>(table.element_bytes);
      const auto* const id = reinterpret_cast<const std::int64_t*>(run.slots[ids.slot]) + ids.offset;
      std::byte* const out = run.slots[to.slot];
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = std::clamp<std::int64_t>(id[i], 0, num_rows - 1);
        std::memcpy(out + static_cast<std::size_t>(i) * row_bytes, from + static_cast<std::size_t>(row) * row_bytes, row_bytes);
      }
    });
    add_step(std::move(step), {table.slot, ids.slot, to.slot});
  }

  /// Start indices are clamped so that the window stays inside.
  void add_dynamic(const ir::Op& op, bool slices) {
    const View x = view(op.operand(0));
    const std::size_t first_index = slices ? 1 : 2;
    std::vector<View> starts;
    for (std::size_t i = first_index; i < op.operands().size(); ++i) starts.push_back(as_int64(op.operand(i)));
    const View update = slices ? View() : view(op.operand(1));
    const View to = place(op.result());
    if (!slices) add_copy(x, to);
    const View window = slices ? to : update;
    auto step = make_step([=](const Run& run) {
      View from = slices ? x : update, target = to;
      View& moved = slices ? from : target;
      const Dims& whole = x.dims;
      for (std::size_t d = 0; d < whole.size(); ++d) {
        const std::int64_t start = *(reinterpret_cast<const std::int64_t*>(run.slots[starts[d].slot]) + starts[d].offset);
        moved.offset += std::clamp<std::int64_t>(start, 0, whole[d] - window.dims[d]) * moved.strides[d];
      }
      from.dims = target.dims = window.dims;
      make_copy_step(from, target)->run(run);
    });
    std::vector<int> used = {slices ? x.slot : update.slot, to.slot};
    append_slots(starts, used);
    add_step(std::move(step), used);
  }

  void add_group_kernel(const ir::Op& op) {
    std::vector<View> operands;
    for (const ir::Value& operand : op.operands()) operands.push_back(row_major(operand));
    std::vector<int> results;
    for (const ir::Value& result : op.results()) results.push_back(place(result).slot);
    constexpr std::size_t kKernelBytes = 64 * 1024;  // a library's generated code
    const std::shared_ptr<const GroupKernel> kernel = make_group_kernel(op, target_, num_threads_);
    parts_.kernel_bytes += kKernelBytes;
    needs_function_ = true;
    const int scratch = temporary({ir::DType::kU8, {static_cast<std::int64_t>(kernel->scratch_bytes())}}).slot;
    auto step = make_step([=](const Run& run) {
      const std::byte* from[kMaxKernelTensors];
      std::byte* to[kMaxKernelTensors];
      for (std::size_t i = 0; i < operands.size(); ++i)
        from[i] = run.slots[operands[i].slot] + operands[i].offset * static_cast<std::int64_t>(operands[i].element_bytes);
      for (std::size_t i = 0; i < results.size(); ++i) to[i] = run.slots[results[i]];
      kernel->run({{from, operands.size()}, {to, results.size()}, run.slots[scratch]}, *run.pool);
    });
    std::vector<int> used = results;
    used.push_back(scratch);
    append_slots(operands, used);
    add_step(std::move(step), used);
  }

  void add_reference(const ir::Op& op) {
    ++parts_.num_reference_ops;
    needs_function_ = true;
    struct Source {
      ir::Value value;
      View view;
    };
    std::vector<Source> operands, captured;
    for (const ir::Value& operand : op.operands()) operands.push_back({operand, row_major(operand)});
    for (const ir::Value& value : transform::captured_values(op)) captured.push_back({value, row_major(value)});
    std::vector<int> slots;
    for (const ir::Value& result : op.results()) slots.push_back(place(result).slot);
    auto step = make_step([=, &op, keep = parts_.function](const Run& run) {
      const auto read = [&](const Source& source) {
        ir::Literal literal(source.value.type());
        const std::byte* const from =
            run.slots[source.view.slot] + source.view.offset * static_cast<std::int64_t>(source.view.element_bytes);
        if (!literal.bytes().empty()) std::memcpy(literal.mutable_bytes().data(), from, literal.bytes().size());
        return literal;
      };
      std::vector<ir::Literal> arguments;
      for (const Source& source : operands) arguments.push_back(read(source));
      transform::Environment environment;
      for (const Source& source : captured) environment.emplace(source.value, read(source));
      const std::vector<ir::Literal> results = transform::evaluate_op(op, arguments, environment);
      for (std::size_t i = 0; i < results.size(); ++i)
        if (!results[i].bytes().empty()) std::memcpy(run.slots[slots[i]], results[i].bytes().data(), results[i].bytes().size());
    });
    std::vector<int> used = slots;
    for (const std::vector<Source>* sources : {&operands, &captured})
      for (const Source& source : *sources) used.push_back(source.view.slot);
    add_step(std::move(step), used);
  }

  const KernelSet& kernels_;
  Target target_;
  int num_threads_;
  Parts parts_;
  std::unordered_map<ir::Value, View, ir::ValueHash> views_;
  std::unordered_map<ir::Value, int, ir::ValueHash> num_uses_;
  std::unordered_map<ir::Value, std::size_t, ir::ValueHash> output_of_;
  std::vector<int> output_slots_;  // -1: not written yet
  std::map<int, Life> lives_;      // of temporaries, by slot, in numbers of steps
  bool needs_function_ = false;
  std::vector<Pending> group_;
  std::unordered_set<ir::Value, ir::ValueHash> in_group_;
};

}  // namespace

Parts build_parts(std::shared_ptr<const ir::Function> function, const KernelSet& kernels, const Target& target, int num_threads) {
  return PartsBuilder(std::move(function), kernels, target, num_threads).build();
}

}  // namespace cornu::inline v0::backends::cpu::eager
