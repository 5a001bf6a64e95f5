#include "cornu/ops/recurrent.h"

#include <string>

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/clamp/clamp.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/relu/relu.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops {
namespace {

ir::Value like(ir::Builder& builder, ir::Value x, double value) { return full(builder, x.type(), value); }

/// x moved by 3 and scaled by 1/6, cut off at 0 and 1: Keras's definition.
ir::Value hard_sigmoid(ir::Builder& builder, ir::Value x) {
  const ir::Value zero = scalar(builder, x.dtype(), 0), six = scalar(builder, x.dtype(), 6);
  return divide(builder, clamp(builder, zero, add(builder, x, like(builder, x, 3)), six),
                like(builder, x, 6));
}

struct RecurrentActivation {
  std::string_view name;
  ir::Value (*value)(ir::Builder&, ir::Value x);
  /// From the value y.
  ir::Value (*gradient)(ir::Builder&, ir::Value y, ir::Value dy);
};

const RecurrentActivation kActivations[] = {
    {"linear", [](ir::Builder&, ir::Value x) { return x; },
     [](ir::Builder&, ir::Value, ir::Value dy) { return dy; }},
    {"tanh", [](ir::Builder& b, ir::Value x) { return tanh(b, x); },
     [](ir::Builder& b, ir::Value y, ir::Value dy) {
       return multiply(b, dy, subtract(b, like(b, y, 1), multiply(b, y, y)));
     }},
    {"sigmoid", [](ir::Builder& b, ir::Value x) { return logistic(b, x); },
     [](ir::Builder& b, ir::Value y, ir::Value dy) {
       return multiply(b, dy, multiply(b, y, subtract(b, like(b, y, 1), y)));
     }},
    {"relu", [](ir::Builder& b, ir::Value x) { return relu(b, x); },
     [](ir::Builder& b, ir::Value y, ir::Value dy) {
       return select(b, compare(b, y, like(b, y, 0), ComparisonDirection::kGt), dy, like(b, y, 0));
     }},
    {"hard_sigmoid", hard_sigmoid,
     [](ir::Builder& b, ir::Value y, ir::Value dy) {
       const ir::Value rises = and_(b, compare(b, y, like(b, y, 0), ComparisonDirection::kGt),
                                    compare(b, y, like(b, y, 1), ComparisonDirection::kLt));
       return select(b, rises, divide(b, dy, like(b, y, 6)), like(b, y, 0));
     }},
};

const RecurrentActivation* find_activation(std::string_view name) {
  for (const RecurrentActivation& row : kActivations)
    if (row.name == name) return &row;
  return nullptr;
}

const RecurrentActivation& known_activation(std::string_view name) {
  const RecurrentActivation* found = find_activation(name);
  if (found == nullptr) invalid_argument("there is no recurrent activation \"{}\"", name);
  return *found;
}

/// The index (0, position, 0, ...) of a sequence's row.
std::vector<ir::Value> row_index(ir::Builder& builder, ir::Value position, std::int64_t rank,
                                 std::int64_t last = 0) {
  const ir::Value zero = scalar(builder, ir::DType::kI32, 0);
  std::vector<ir::Value> index(static_cast<std::size_t>(rank), zero);
  index[1] = position;
  if (rank == 3 && last != 0) index[2] = scalar(builder, ir::DType::kI32, static_cast<double>(last));
  return index;
}

}  // namespace

bool is_recurrent_activation(std::string_view name) { return find_activation(name) != nullptr; }

ir::Value activate(ir::Builder& builder, std::string_view name, ir::Value x) {
  return known_activation(name).value(builder, x);
}

ir::Value activation_gradient(ir::Builder& builder, std::string_view name, ir::Value y, ir::Value dy) {
  return known_activation(name).gradient(builder, y, dy);
}

ir::Value TimeStep::row(ir::Value sequence) const {
  return part(sequence, 0, sequence.rank() == 3 ? sequence.dims()[2] : 1);
}

ir::Value TimeStep::part(ir::Value sequence, std::int64_t start, std::int64_t width) const {
  ir::Dims sizes = sequence.dims();
  sizes[1] = 1;
  ir::Dims row_dims = {sizes[0]};
  if (sequence.rank() == 3) {
    sizes[2] = width;
    row_dims.push_back(width);
  }
  const ir::Value cut =
      dynamic_slice(builder, sequence, row_index(builder, position, sequence.rank(), start), sizes);
  return reshape(builder, cut, row_dims);
}

std::vector<ir::Value> walk_time(ir::Builder& builder, const TimeWalk& walk, std::vector<ir::Value> states,
                                 std::span<const std::int64_t> row_widths, const TimeStepFn& step) {
  const std::size_t num_states = states.size();
  std::vector<ir::Value> carried = {scalar(builder, ir::DType::kI32, 0)};
  carried.insert(carried.end(), states.begin(), states.end());
  for (const std::int64_t width : row_widths)
    carried.push_back(full(builder, {states[0].dtype(), {states[0].dims()[0], walk.num_steps, width}}, 0));
  const auto constant_step = [](ir::Builder& b, std::int64_t value) {
    return scalar(b, ir::DType::kI32, static_cast<double>(value));
  };
  const std::vector<ir::Value> results = while_(
      builder, std::move(carried),
      [&](ir::Builder& b, std::span<const ir::Value> v) {
        return compare(b, v[0], constant_step(b, walk.num_steps), ComparisonDirection::kLt);
      },
      [&](ir::Builder& b, std::span<const ir::Value> v) {
        const ir::Value position =
            walk.backwards ? subtract(b, constant_step(b, walk.num_steps - 1), v[0]) : v[0];
        const TimeStep at{b, position};
        TimeStepResult result = step(at, v.subspan(1, num_states));
        std::vector<ir::Value> next = {add(b, v[0], constant_step(b, 1))};
        next.insert(next.end(), result.states.begin(), result.states.end());
        for (std::size_t i = 0; i < row_widths.size(); ++i) {
          const ir::Value stack = v[1 + num_states + i];
          const ir::Value row = reshape(b, result.rows[i], {stack.dims()[0], 1, row_widths[i]});
          next.push_back(dynamic_update_slice(b, stack, row, row_index(b, position, 3)));
        }
        return next;
      });
  return {results.begin() + 1, results.end()};
}

ir::Value states_before(ir::Builder& builder, ir::Value initial, ir::Value sequence, bool backwards) {
  const ir::Dims& dims = sequence.dims();
  const ir::Value first = reshape(builder, initial, {dims[0], 1, dims[2]});
  if (dims[1] == 1) return first;
  const std::int64_t start = backwards ? 1 : 0;
  const ir::Value others =
      slice(builder, sequence, {0, start, 0}, {dims[0], start + dims[1] - 1, dims[2]}, {1, 1, 1});
  return backwards ? concatenate(builder, {others, first}, 1) : concatenate(builder, {first, others}, 1);
}

ir::Value select_rows(ir::Builder& builder, ir::Value mask, ir::Value on_true, ir::Value on_false) {
  if (!mask) return on_true;
  return select(builder, broadcast_leading(builder, mask, on_true.dims()), on_true, on_false);
}

ir::Value zero_masked_rows(ir::Builder& builder, ir::Value mask, ir::Value x) {
  return mask ? select_rows(builder, mask, x, full(builder, x.type(), 0)) : x;
}

ir::Value matmul_transposed(ir::Builder& builder, ir::Value a, ir::Value b) {
  return dot_general(builder, a, b, {.lhs_contracting = {1}, .rhs_contracting = {1}});
}

ir::Value sum_of_outer_products(ir::Builder& builder, ir::Value a, ir::Value b) {
  return dot_general(builder, a, b, {.lhs_contracting = {0, 1}, .rhs_contracting = {0, 1}});
}

ir::Value columns(ir::Builder& builder, ir::Value x, std::int64_t start, std::int64_t width) {
  ir::Dims begin(x.dims().size(), 0), end = x.dims(), strides(x.dims().size(), 1);
  begin.back() = start;
  end.back() = start + width;
  return slice(builder, x, begin, end, strides);
}

std::vector<ir::Value> gradient_by_decomposition(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const std::size_t first = builder.block().ops().size();
  const std::vector<ir::Value> operands(context.op.operands().begin(), context.op.operands().end());
  const std::vector<ir::Value> results =
      context.op.def().decompose(builder, operands, context.op.attributes());
  return context.differentiate(builder, first, results, context.result_gradients, operands);
}

ir::Dims check_projected(const ir::InferContext& context, std::size_t operand, std::int64_t num_gates) {
  const ir::TensorType& type = context.type(operand);
  check_float(type);
  if (type.rank() != 3 || type.dims[2] % num_gates != 0)
    invalid_argument("the projected input must be [batch, time, {} * units]; got {}", num_gates, type.str());
  if (type.dims[1] < 1) invalid_argument("the sequence must have at least one step; got {}", type.str());
  return {type.dims[0], type.dims[1], type.dims[2] / num_gates};
}

void check_operand(const ir::InferContext& context, std::size_t operand, const char* what,
                   const ir::TensorType& wanted) {
  if (operand >= context.operands.size()) invalid_argument("{} is missing", what);
  if (context.type(operand) != wanted)
    invalid_argument("{} must be {}; got {}", what, wanted.str(), context.type(operand).str());
}

void check_activation_attribute(const ir::Attributes& attributes, std::string_view name) {
  const std::string& value = attributes.get<std::string>(name);
  if (!is_recurrent_activation(value))
    invalid_argument("{} must be linear, tanh, sigmoid, relu or hard_sigmoid; got \"{}\"", name, value);
}

void check_gradient_operands(const ir::InferContext& context, std::size_t required, ir::DType dtype,
                             const ir::Dims& sequence) {
  std::size_t next = required;
  if (context.attributes.get<bool>("has_sequence_gradient"))
    check_operand(context, next++, "the sequence's gradient", {dtype, sequence});
  if (context.attributes.get<bool>("has_mask"))
    check_operand(context, next++, "the mask", {ir::DType::kI1, {sequence[0], sequence[1]}});
  if (context.operands.size() != next)
    invalid_argument("expected {} operands; got {}", next, context.operands.size());
}

void check_mask(const ir::InferContext& context, std::size_t required, const ir::Dims& sequence) {
  if (context.operands.size() > required)
    check_operand(context, required, "the mask", {ir::DType::kI1, {sequence[0], sequence[1]}});
  if (context.operands.size() > required + 1)
    invalid_argument("expected at most {} operands; got {}", required + 1, context.operands.size());
}

}  // namespace cornu::inline v0::ops
