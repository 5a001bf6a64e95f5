#include <algorithm>
#include <unordered_map>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/ops/all.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/row_updates.h"

namespace cornu::inline v0::backends::cpu {
namespace {

// patterns: rows added to a table of zeros, and rows read from it

using ir::Builder;
using ir::Op;
using ir::Value;
using Users = std::unordered_map<Value, std::vector<const Op*>, ir::ValueHash>;

constexpr std::int64_t kWholeVectorBytes = 64;

bool is_elementwise_of(const Op& op, const ir::Dims& dims) {
  return classify(op) == OpKind::kElementwise && op.result().dims() == dims;
}

/// True for the gradient of a large embedding if loops read the table sequentially, as an optimizer does. Rows are whole vectors, so that a loop over
/// rows is as fast as one over elements.
bool is_sparse_table(const Op& scatter, const ir::Block& block, const Users& users) {
  // Sums of rows from other processes are distinct already.
  if (!transform::is_sparse_gradient(scatter) || ops::are_ids_of_row_sums(scatter.operand(1))) return false;
  const Value table = scatter.result();
  const auto bytes = static_cast<std::int64_t>(table.type().size_bytes());
  if (bytes / table.dims()[0] % kWholeVectorBytes != 0) return false;
  if (std::find(block.results().begin(), block.results().end(), table) != block.results().end()) return false;
  const auto found = users.find(table);
  return found != users.end() && std::all_of(found->second.begin(), found->second.end(), [&](const Op* user) {
           return is_elementwise_of(*user, table.dims());
         });
}

/// The same table as a gather from a small one, which has a row for each distinct id, used by its first
/// occurrence, and a last row of zeros. Updates of a row are added in their original order.
Value compacted(Builder& b, Value ids, Value updates, const ir::TensorType& table) {
  const std::int64_t rows = table.dims[0], count = ids.type().num_elements();
  const ir::TensorType per_row{ids.dtype(), {rows}};
  const Value position = ops::reshape(b, ops::iota(b, {ids.dtype(), {count}}, 0), ids.dims());
  const ops::ScatterBody smaller = [](Builder& inner, std::span<const Value> v) {
    return std::vector<Value>{ops::minimum(inner, v[0], v[1])};
  };
  const Value slot_of_row =
      ops::scatter(b, {ops::full(b, per_row, static_cast<double>(count))}, ids, {position},
                   {.update_window_dims = {},
                    .inserted_window_dims = {0},
                    .input_batching_dims = {},
                    .scatter_indices_batching_dims = {},
                    .scatter_dims_to_operand_dims = {0},
                    .index_vector_dim = ids.rank()},
                   smaller)[0];
  // Ids outside the table are outside the small one.
  const auto compare_with = [&](double value, ops::ComparisonDirection direction) {
    return ops::compare(b, ids, ops::full(b, ids.type(), value), direction);
  };
  const Value is_below = compare_with(static_cast<double>(rows), ops::ComparisonDirection::kLt);
  const Value inside = ops::and_(b, compare_with(0, ops::ComparisonDirection::kGe), is_below);
  const Value behind_all = ops::full(b, ids.type(), static_cast<double>(count + 1));
  const Value slot = ops::select(b, inside, ops::gather_rows(b, slot_of_row, ids), behind_all);
  ir::TensorType small = table;
  small.dims[0] = count + 1;
  return ops::gather_rows(b, ops::scatter_add_rows(b, ops::full(b, small, 0), slot, updates), slot_of_row);
}

}  // namespace

void compact_sparse_tables(Plan& plan) {
  const ir::Block& body = plan.step->body;
  Users users;
  for (const auto& op : body.ops())
    for (const Value& input : op_inputs(*op)) users[input].push_back(op.get());
  const auto matches = [&](const std::unique_ptr<Op>& op) { return is_sparse_table(*op, body, users); };
  if (std::none_of(body.ops().begin(), body.ops().end(), matches)) return;
  auto copy = std::make_unique<ir::Function>();
  copy->name = plan.step->name;
  transform::ValueMap map;
  for (const Value& argument : body.arguments()) map[argument] = copy->body.add_argument(argument.type());
  Builder builder(copy->body);
  for (const auto& op : body.ops()) {
    if (!matches(op)) {
      transform::clone_op(builder, *op, map);
      continue;
    }
    const ir::LocationScope location(builder, op->location());
    map[op->result()] = compacted(builder, transform::mapped(map, op->operand(1)),
                                  transform::mapped(map, op->operand(2)), op->result().type());
  }
  copy->body.set_results(transform::mapped(map, body.results()));
  plan.step = std::move(copy);
}

namespace {

/// True if only loops read the value, in its order: they find the rows of a slice as well in the whole tensor.
bool is_read_by_loops(Value value, const UsersOf& users_of) {
  const std::span<const Op* const> users = users_of(value);
  return !users.empty() && std::all_of(users.begin(), users.end(), [&](const Op* user) {
    if (user->name() == "reshape") return is_read_by_loops(user->result(), users_of);
    const OpKind kind = classify(*user);
    return kind == OpKind::kElementwise || (kind == OpKind::kReduce && window_use(*user) == WindowUse::kNone);
  });
}

/// True if the scatter of one tensor reads the value as its updates only.
bool is_updates_of_scatter(Value value, const Op& scatter) {
  return scatter.name() == "scatter" && scatter.operands().size() == 3 && scatter.operand(2) == value &&
         scatter.operand(0) != value && scatter.operand(1) != value;
}

/// True if an op of the block could change the tensor where it is: what reads it should be done before.
bool may_be_updated(Value tensor, const UsersOf& users_of) {
  const std::span<const Op* const> users = users_of(tensor);
  return std::any_of(users.begin(), users.end(), [](const Op* user) {
    const OpKind kind = classify(*user);
    return kind == OpKind::kUpdate || kind == OpKind::kControl || kind == OpKind::kKernel;
  });
}

}  // namespace

bool is_read_in_place(const Op& view, const UsersOf& users_of) {
  // A tensor of this block may be updated in place if its slice is made before.
  if (view.name() == "dynamic_slice")
    return view.operand(0).block() != view.block() && is_read_by_loops(view.result(), users_of);
  if (view.name() != "gather" || users_of(view.result()).empty()) return false;
  const bool are_rows = ops::is_gather_rows(view);
  const ir::Dims& dims = view.result().dims();
  // A sum over rows of a table, an embedding's mean, perhaps of scaled or masked rows: each is read once. So
  // are masked rows that are a result.
  for (Value rows = view.result(); users_of(rows).size() <= 1;) {
    if (users_of(rows).empty()) return !may_be_updated(view.operand(0), users_of);
    const Op& user = *users_of(rows)[0];
    if (classify(user) == OpKind::kReduce && window_use(user) == WindowUse::kNone)
      return are_rows && user.operand(0) == rows;
    if (!is_elementwise_of(user, dims)) break;
    rows = user.result();
  }
  if (!are_rows) return false;
  // The result of compact_sparse_tables, or sums of gradients from other processes, most of which are
  // gradients that few rows have: a scatter reads each once.
  const bool are_sums = ops::are_rows_of_row_sums(view.operand(0));
  const std::span<const Op* const> users = users_of(view.result());
  return view.operand(0).op() != nullptr && (are_sums || view.operand(0).op()->name() == "scatter") &&
         std::all_of(users.begin(), users.end(), [&](const Op* user) {
           return is_elementwise_of(*user, dims) || (are_sums && is_updates_of_scatter(view.result(), *user));
         });
}

}  // namespace cornu::inline v0::backends::cpu
