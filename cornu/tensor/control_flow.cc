#include "cornu/tensor/control_flow.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ops/all.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::detail {
namespace {

Tensor strong(const Tensor& tensor) {
  return tensor.is_weak() ? tensor.strong_scalar(tensor.dtype()) : tensor;
}

std::vector<Tensor> strong(std::vector<Tensor> tensors) {
  for (Tensor& tensor : tensors) tensor = strong(tensor);
  return tensors;
}

/// True if a C++ number may replace `tensor`: their promoted dtype is the tensor's.
bool holds(const Tensor& tensor, const Tensor& number) {
  return tensor.rank() == 0 && ops::promote(tensor, number) == tensor.dtype();
}

/// Checks the loop variables that a body returned against its inputs, and returns them.
std::vector<Tensor> checked_variables(const char* op, std::vector<Tensor> next, std::span<const Tensor> now,
                                      std::span<const std::string> names) {
  if (next.size() != now.size())
    invalid_argument("[{}] the body must return {} loop variables; got {}", op, now.size(), next.size());
  for (std::size_t i = 0; i < next.size(); ++i) {
    const bool is_number = next[i].is_weak();
    if (is_number && holds(now[i], next[i])) next[i] = next[i].strong_scalar(now[i].dtype());
    if (next[i].type() == now[i].type()) continue;
    const std::string name = i < names.size() ? fmt::format("\"{}\"", names[i]) : fmt::format("{}", i);
    if (is_number && now[i].rank() == 0)
      invalid_argument(
          "[{}] loop variable {} goes into the body as {} and comes out as the number {} ({}), which {} does "
          "not hold; cast what goes in, or the number",
          op, name, type_str(now[i].type()), next[i].str(), ir::numpy_name(next[i].dtype()),
          ir::numpy_name(now[i].dtype()));
    invalid_argument(
        "[{}] loop variable {} goes into the body as {} and comes out as {}; shapes and dtypes must stay", op,
        name, type_str(now[i].type()), type_str(next[i].type()));
  }
  return next;
}

Tensor checked_condition(const Tensor& condition) {
  if (condition.dtype() != DType::kI1 || condition.rank() != 0)
    invalid_argument("[while_loop] the condition must be a boolean scalar; got {}",
                     type_str(condition.type()));
  return strong(condition);
}

Tensor counter_of(const char* op, const char* what, const Tensor& value) {
  if (value.rank() != 0 || !ir::is_integer(value.dtype()))
    invalid_argument("[{}] {} must be an integer scalar; got {}", op, what, type_str(value.type()));
  return value;
}

const char* name_of_loop(const LoopBounds& bounds) { return bounds.are_known() ? "fori_loop" : "while_loop"; }

std::vector<Tensor> traced_while(Trace& trace, ConditionFn condition, BodyFn body,
                                 std::span<const Tensor> initial, std::span<const std::string> names,
                                 const LoopBounds& bounds) {
  std::vector<Tensor> arguments;
  Trace::Region condition_region(trace, "the condition of while_loop");
  for (const Tensor& tensor : initial) arguments.push_back(condition_region.add_argument(tensor.type()));
  const Tensor predicate = checked_condition(condition(arguments));
  condition_region.close({&predicate, 1});

  const char* const op = name_of_loop(bounds);
  Trace::Region body_region(trace, fmt::format("the body of {}", op));
  if (bounds.are_known()) body_region.set_bounds(bounds.lower, bounds.upper);
  arguments.clear();
  for (const Tensor& tensor : initial) arguments.push_back(body_region.add_argument(tensor.type()));
  body_region.close(checked_variables(op, body(arguments), initial, names));
  return trace.while_op(condition_region, body_region, initial);
}

std::vector<Tensor> repeat(ConditionFn condition, BodyFn body, std::vector<Tensor> now,
                           std::span<const std::string> names, const LoopBounds& bounds) {
  if (Trace* trace = Trace::current()) return traced_while(*trace, condition, body, now, names, bounds);
  while (checked_condition(condition(now)).item<bool>())
    now = checked_variables(name_of_loop(bounds), body(now), now, names);
  return now;
}

}  // namespace

std::vector<Tensor> while_loop(ConditionFn condition, BodyFn body, std::vector<Tensor> initial,
                               const WhileLoopOptions& options) {
  std::vector<Tensor> now = strong(std::move(initial));
  if (options.maximum_iterations.defined()) {
    const Tensor maximum =
        ops::cast(counter_of("while_loop", "maximum_iterations", options.maximum_iterations), DType::kI64);
    const std::size_t count = now.size();
    now.push_back(Tensor(ir::Literal(TensorType{DType::kI64, {}})));
    std::vector<std::string> names = options.names;
    names.resize(std::max(names.size(), count), "");
    for (std::size_t i = options.names.size(); i < count; ++i) names[i] = std::to_string(i);
    names.emplace_back("iterations");
    const auto bounded = [&](std::span<const Tensor> all) {
      return ops::logical_and(ops::less(all[count], maximum), checked_condition(condition(all.first(count))));
    };
    const auto counted = [&](std::span<const Tensor> all) {
      std::vector<Tensor> next = body(all.first(count));
      if (next.size() == count) next.push_back(all[count] + 1);
      return next;
    };
    now = while_loop(bounded, counted, std::move(now), {.maximum_iterations = {}, .names = std::move(names)});
    now.pop_back();
    return now;
  }
  return repeat(condition, body, std::move(now), options.names, {});
}

std::vector<Tensor> fori_loop(const Tensor& lower, const Tensor& upper,
                              FunctionRef<std::vector<Tensor>(const Tensor&, std::span<const Tensor>)> body,
                              std::vector<Tensor> initial, const ForLoopOptions& options) {
  const auto fits_i32 = [](const Tensor& bound) {
    return ir::bit_width(bound.dtype()) <= 32 && bound.dtype() != DType::kU32;
  };
  counter_of("fori_loop", "the lower bound", lower);
  counter_of("fori_loop", "the upper bound", upper);
  const DType dtype = fits_i32(lower) && fits_i32(upper) ? DType::kI32 : DType::kI64;
  const Tensor end = ops::cast(strong(upper), dtype);
  std::vector<Tensor> now = {ops::cast(strong(lower), dtype)};
  for (Tensor& tensor : strong(std::move(initial))) now.push_back(std::move(tensor));
  std::vector<std::string> names = {"i"};
  for (std::size_t i = 0; i + 1 < now.size(); ++i)
    names.push_back(i < options.names.size() ? options.names[i] : std::to_string(i));
  const auto condition = [&](std::span<const Tensor> all) { return ops::less(all[0], end); };
  const auto step = [&](std::span<const Tensor> all) {
    std::vector<Tensor> next = {all[0] + 1};
    for (Tensor& tensor : body(all[0], all.subspan(1))) next.push_back(std::move(tensor));
    return next;
  };
  now = repeat(condition, step, std::move(now), names, {lower, upper});
  now.erase(now.begin());
  return now;
}

namespace {

/// A branch as a region, and its results. C++ numbers among them are not converted yet.
struct TracedBranch {
  std::unique_ptr<Trace::Region> region;
  ir::Block* block;  // the region's block
  std::vector<Tensor> results;
};

TracedBranch traced_branch(Trace& trace, const char* op, BranchFn branch) {
  auto region = std::make_unique<Trace::Region>(trace, fmt::format("a branch of {}", op));
  TracedBranch traced{std::move(region), &trace.builder().block(), {}};
  traced.results = branch();
  traced.region->close(strong(traced.results));
  return traced;
}

/// The type of result `i` in all branches: the tensors' type, or the promoted type if all are numbers.
TensorType common_type(const char* op, std::span<const TracedBranch> branches, std::size_t i) {
  const Tensor* tensor = nullptr;
  DType of_numbers = branches[0].results[i].dtype();
  for (const TracedBranch& branch : branches) {
    const Tensor& result = branch.results[i];
    if (tensor == nullptr && !result.is_weak()) tensor = &result;
    of_numbers = ops::promote(Tensor::zeros({}, of_numbers), Tensor::zeros({}, result.dtype()));
  }
  if (tensor == nullptr) return {of_numbers, {}};
  for (const TracedBranch& branch : branches) {
    const Tensor& result = branch.results[i];
    if (result.is_weak() ? holds(*tensor, result) : result.type() == tensor->type()) continue;
    if (result.is_weak() && tensor->rank() == 0)
      invalid_argument(
          "[{}] tensor {} is {} in one branch and the number {} ({}) in another, which {} does not hold; "
          "cast the tensor or the number",
          op, i, type_str(tensor->type()), result.str(), ir::numpy_name(result.dtype()),
          ir::numpy_name(tensor->dtype()));
    invalid_argument("[{}] {} branches must return the same types; tensor {} is {} and {}", op,
                     branches.size() == 2 ? "both" : "all", i, type_str(tensor->type()),
                     type_str(result.type()));
  }
  return tensor->type();
}

/// Converts the numbers among the branches' results to the common dtypes. The branches are closed, so the
/// numbers become constants of the enclosing block.
void settle_numbers(Trace& trace, const char* op, std::span<const TracedBranch> branches) {
  const std::size_t num_results = branches[0].results.size();
  for (const TracedBranch& branch : branches)
    if (branch.results.size() != num_results)
      invalid_argument("[{}] {} branches must return as many tensors; got {} and {}", op,
                       branches.size() == 2 ? "both" : "all", num_results, branch.results.size());
  for (std::size_t i = 0; i < num_results; ++i) {
    const TensorType type = common_type(op, branches, i);
    for (const TracedBranch& branch : branches) {
      const Tensor& result = branch.results[i];
      if (!result.is_weak() || result.dtype() == type.dtype) continue;
      std::vector<ir::Value> values(branch.block->results().begin(), branch.block->results().end());
      values[i] = trace.value_of(result.strong_scalar(type.dtype));
      branch.block->set_results(std::move(values));
    }
  }
}

}  // namespace

std::vector<Tensor> cond(const Tensor& predicate, BranchFn on_true, BranchFn on_false) {
  if (predicate.rank() != 0)
    invalid_argument("[cond] the predicate must be a scalar; got {}", type_str(predicate.type()));
  Trace* trace = Trace::current();
  if (trace == nullptr || !predicate.is_symbolic())
    return strong(predicate.item<bool>() ? on_true() : on_false());
  const Tensor is_true = predicate.dtype() == DType::kI1 ? predicate : ops::not_equal(predicate, 0);
  std::vector<TracedBranch> branches;
  for (const BranchFn& branch : {on_true, on_false})
    branches.push_back(traced_branch(*trace, "cond", branch));
  settle_numbers(*trace, "cond", branches);
  return trace->if_op(is_true, *branches[0].region, *branches[1].region);
}

std::vector<Tensor> switch_case(const Tensor& index, std::size_t num_branches,
                                FunctionRef<std::vector<Tensor>(std::size_t)> run) {
  if (num_branches == 0) invalid_argument("[switch_case] there is no branch");
  counter_of("switch_case", "the index", index);
  const auto last = static_cast<std::int64_t>(num_branches) - 1;
  Trace* trace = Trace::current();
  if (trace == nullptr || !index.is_symbolic()) {
    const auto i = index.item<std::int64_t>();
    return strong(run(static_cast<std::size_t>(i < 0 || i > last ? last : i)));
  }
  if (last == 0) return strong(run(0));
  std::vector<TracedBranch> traced;
  for (std::size_t i = 0; i < num_branches; ++i)
    traced.push_back(traced_branch(*trace, "switch_case", [&] { return run(i); }));
  settle_numbers(*trace, "switch_case", traced);
  const auto region_of = [&](std::int64_t i) -> const Trace::Region& {
    return *traced[static_cast<std::size_t>(i)].region;
  };
  const std::function<std::vector<Tensor>(std::int64_t)> choose = [&](std::int64_t i) {
    const Tensor is_this = ops::equal(index, i);
    if (i + 1 == last) return trace->if_op(is_this, region_of(i), region_of(last));
    Trace::Region others(*trace, "a branch of switch_case");
    others.close(choose(i + 1));
    return trace->if_op(is_this, region_of(i), others);
  };
  return choose(0);
}

namespace {

/// Row `index` of x, without the first axis.
Tensor row_of(const Tensor& x, const Tensor& index) {
  const std::array inputs = {x, index};
  return run_op(OpKey("scan_row"), inputs, [](ir::Builder& b, std::span<const ir::Value> v) {
    Dims extents = v[0].dims();
    extents[0] = 1;
    std::vector<ir::Value> starts(extents.size(), ops::scalar(b, v[1].dtype(), 0));
    starts[0] = v[1];
    const ir::Value row = ops::dynamic_slice(b, v[0], starts, extents);
    extents.erase(extents.begin());
    return ops::reshape(b, row, extents);
  });
}

/// `stacked` with row `index` replaced.
Tensor with_row(const Tensor& stacked, const Tensor& row, const Tensor& index) {
  const std::array inputs = {stacked, row, index};
  return run_op(OpKey("scan_stack"), inputs, [](ir::Builder& b, std::span<const ir::Value> v) {
    Dims extents = v[0].dims();
    extents[0] = 1;
    std::vector<ir::Value> starts(extents.size(), ops::scalar(b, v[2].dtype(), 0));
    starts[0] = v[2];
    return ops::dynamic_update_slice(b, v[0], ops::reshape(b, v[1], extents), starts);
  });
}

TensorType stacked_type(const Tensor& row, std::int64_t length) {
  TensorType type = row.type();
  type.dims.insert(type.dims.begin(), length);
  return type;
}

std::int64_t scan_length(const std::vector<Tensor>& xs, const ScanOptions& options) {
  std::int64_t length = options.length;
  for (const Tensor& x : xs) {
    if (x.rank() == 0)
      invalid_argument("[scan] xs must have a first axis to walk along; got {}", type_str(x.type()));
    static constexpr std::int64_t kAxisOfRows[] = {0};
    Trace::note_count("number of rows (scan(), map())", x, kAxisOfRows);
    if (length >= 0 && x.shape()[0] != length)
      invalid_argument("[scan] the first extents of xs and length must agree; got {} and {}", length,
                       x.shape()[0]);
    length = x.shape()[0];
  }
  if (length < 0) invalid_argument("[scan] there are no xs to walk along; say length");
  return length;
}

struct Scan {
  ScanFn f;
  const std::vector<Tensor>& xs;
  std::int64_t length;
  bool reverse;

  DType index_dtype() const { return std::in_range<std::int32_t>(length) ? DType::kI32 : DType::kI64; }

  ScanResult step(std::span<const Tensor> carry, const Tensor& index) const {
    std::vector<Tensor> rows;
    rows.reserve(xs.size());
    for (const Tensor& x : xs) rows.push_back(row_of(x, index));
    ScanResult result = f(carry, rows);
    result.carry = checked_variables("scan", std::move(result.carry), carry, {});
    result.stacked = strong(std::move(result.stacked));
    return result;
  }

  ScanResult run_traced(Trace& trace, std::span<const Tensor> initial) const {
    std::vector<Tensor> all = {Tensor(ir::Literal(TensorType{index_dtype(), {}}))};
    all.insert(all.end(), initial.begin(), initial.end());

    Trace::Region body(trace, "the function of scan");
    body.set_bounds(Tensor(std::int64_t{0}), Tensor(length));
    const Tensor i = body.add_argument(all[0].type());
    std::vector<Tensor> carry;
    for (const Tensor& tensor : initial) carry.push_back(body.add_argument(tensor.type()));
    const Tensor index = reverse ? Tensor(length - 1) - i : i;
    const ScanResult result = step(carry, index);
    std::vector<Tensor> results = {i + 1};
    results.insert(results.end(), result.carry.begin(), result.carry.end());
    std::vector<TensorType> stacked;
    for (const Tensor& row : result.stacked) {
      stacked.push_back(stacked_type(row, length));
      results.push_back(with_row(body.add_argument(stacked.back()), row, index));
    }
    body.close(results);
    // Computed by the program, so that they are neither constants nor captured arrays.
    for (const TensorType& type : stacked)
      all.push_back(
          run_op(OpKey("zeros", type.dims, type.dtype), {},
                 [&](ir::Builder& b, std::span<const ir::Value>) { return ops::full(b, type, 0); }));

    Trace::Region condition(trace, "the condition of scan");
    const Tensor now = condition.add_argument(all[0].type());
    for (std::size_t k = 1; k < all.size(); ++k) condition.add_argument(all[k].type());
    const Tensor goes_on = ops::less(now, length);
    condition.close({&goes_on, 1});

    const std::vector<Tensor> last = trace.while_op(condition, body, all);
    const auto first_stacked = last.begin() + 1 + static_cast<std::ptrdiff_t>(initial.size());
    return {{last.begin() + 1, first_stacked}, {first_stacked, last.end()}};
  }

  /// The types of the stacked results if there are no rows: found by tracing the function into a region that
  /// is discarded.
  std::vector<TensorType> stacked_without_rows(Trace& trace, std::span<const Tensor> carry) const {
    Trace::Region region(trace, "the function of scan");
    region.set_bounds(Tensor(0), Tensor(0));
    std::vector<Tensor> rows;
    for (const Tensor& x : xs) {
      TensorType type = x.type();
      type.dims.erase(type.dims.begin());
      rows.push_back(region.add_argument(type));
    }
    std::vector<TensorType> types;
    for (const Tensor& row : f(carry, rows).stacked) types.push_back(stacked_type(row, 0));
    region.close({});
    return types;
  }

  /// Checks the memory for the stacked results of all steps, derived from the first step's.
  void check_stacked_fits(std::span<const Tensor> first_rows) const {
    CheckedSize num_bytes = 0;
    for (const Tensor& row : first_rows)
      num_bytes = num_bytes + CheckedSize(row.type().size_bytes()) * length;
    check_memory(num_bytes, [&] { return fmt::format("[scan] what {} steps stack", length); });
  }

  ScanResult run_now(std::vector<Tensor> carry) const {
    std::vector<std::vector<Tensor>> rows;
    std::size_t num_stacked = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const Tensor index(reverse ? length - 1 - i : i);
      ScanResult result = step(carry, index.strong_scalar(index_dtype()));
      carry = std::move(result.carry);
      if (i == 0) check_stacked_fits(result.stacked);
      if (i == 0) num_stacked = result.stacked.size();
      if (result.stacked.size() != num_stacked)
        invalid_argument("[scan] every step must stack as many tensors; got {} and {}", num_stacked,
                         result.stacked.size());
      if (num_stacked == 0) continue;
      for (std::size_t k = 0; !rows.empty() && k < num_stacked; ++k)
        if (result.stacked[k].type() != rows[0][k].type())
          invalid_argument("[scan] what is stacked must have one type; tensor {} is {} and {}", k,
                           type_str(rows[0][k].type()), type_str(result.stacked[k].type()));
      rows.push_back(std::move(result.stacked));
    }
    if (reverse) std::reverse(rows.begin(), rows.end());
    ScanResult result{std::move(carry), {}};
    for (std::size_t k = 0; !rows.empty() && k < rows[0].size(); ++k) {
      std::vector<Tensor> parts;
      parts.reserve(rows.size());
      for (const auto& row : rows) parts.push_back(ops::expand_dims(row[k], 0));
      result.stacked.push_back(ops::concatenate(parts, 0));
    }
    return result;
  }
};

}  // namespace

namespace {

std::vector<Tensor> zeros_of(const std::vector<TensorType>& types) {
  std::vector<Tensor> zeros;
  zeros.reserve(types.size());
  for (const TensorType& type : types) zeros.push_back(Tensor::zeros(type.dims, type.dtype));
  return zeros;
}

}  // namespace

ScanResult scan(ScanFn f, std::vector<Tensor> initial, const std::vector<Tensor>& xs,
                const ScanOptions& options) {
  const Scan scan{f, xs, scan_length(xs, options), options.reverse};
  std::vector<Tensor> carry = strong(std::move(initial));
  if (Trace* trace = Trace::current()) {
    if (scan.length > 0) return scan.run_traced(*trace, carry);
    return {carry, zeros_of(scan.stacked_without_rows(*trace, carry))};
  }
  if (scan.length > 0) return scan.run_now(std::move(carry));
  Trace trace("scan");
  const Trace::Scope scope(trace);
  return {carry, zeros_of(scan.stacked_without_rows(trace, carry))};
}

}  // namespace cornu::inline v0::detail
