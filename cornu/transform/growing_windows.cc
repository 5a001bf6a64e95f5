#include "cornu/transform/growing_windows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/map/map.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/ops/while/while.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a reduce_window whose windows are all prefixes, or all suffixes, of lines

using ir::Value;
using Values = std::vector<Value>;

constexpr std::int64_t kMostOfShortLine = 16;
constexpr std::int64_t kFewestLanes = 8;

/// A tensor [outer, extent, inner]: result i of a line combines its elements up to i, or from i on.
struct Lines {
  std::int64_t outer = 1, extent = 1, inner = 1;
  bool are_suffixes = false;
};

bool is_short(const Lines& lines) { return lines.extent < kMostOfShortLine; }

std::optional<Lines> growing_windows(const ir::Op& op) {
  const ops::WindowOptions w = ops::window_options(op);
  const ir::Dims& dims = op.operand(0).dims();
  std::optional<Lines> lines;
  std::int64_t before = 1;
  for (std::size_t d = 0; d < dims.size(); before *= dims[d++]) {
    const std::int64_t low = w.padding_low[d], high = w.padding_high[d], last = dims[d] - 1;
    if (w.strides[d] != 1 || w.base_dilations[d] != 1 || w.window_dilations[d] != 1) return std::nullopt;
    if (w.dimensions[d] == 1 && low == 0 && high == 0) continue;
    const bool grows = (low == last && high == 0) || (low == 0 && high == last);
    if (lines || w.dimensions[d] != dims[d] || !grows || dims[d] < 2) return std::nullopt;
    lines = {.outer = before, .extent = dims[d], .are_suffixes = low == 0};
  }
  if (!lines || op.result().type().num_elements() == 0) return std::nullopt;
  lines->inner = op.result().type().num_elements() / (lines->outer * lines->extent);
  return is_short(*lines) && lines->inner < kFewestLanes ? std::nullopt : lines;
}

/// True if initial values may be added any number of times: all are constants, and two of them are one.
bool are_neutral(const ir::Op& op) {
  const std::size_t count = op.results().size();
  std::vector<ir::Literal> initial;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const Value value = op.operand(count + i % count);
    if (!ops::is_constant(value)) return false;
    initial.push_back(value.op()->attributes().get<ir::Literal>("value"));
  }
  ir::Function body("body");
  ir::Builder builder(body.body);
  ir::ValueMap map;
  for (const Value& argument : op.region(0).arguments())
    map[argument] = body.body.add_argument(argument.type());
  body.body.set_results(clone_ops(builder, op.region(0), map));
  const std::vector<ir::Literal> both = evaluate(body, initial);
  return std::equal(both.begin(), both.end(), initial.begin());
}

/// The scan of one op. Blocks of a line, and lines, are side by side in the rows of [elements of a block, ...].
class Scan {
 public:
  Scan(ir::Builder& builder, const ir::Op& op, const Lines& lines, std::span<const Value> operands)
      : b_(builder), body_(op.region(0)), lines_(lines) {
    const std::size_t count = op.results().size();
    initial_.assign(operands.begin() + static_cast<std::ptrdiff_t>(count), operands.end());
    // An iteration takes about as long for all blocks as an element of the scan over the blocks.
    const double elements =
        static_cast<double>(lines.extent) / static_cast<double>(lines.outer * lines.inner);
    num_blocks_ = std::max<std::int64_t>(1, std::llround(std::sqrt(elements)));
    block_ = (lines.extent + num_blocks_ - 1) / num_blocks_;
    num_blocks_ = (lines.extent + block_ - 1) / block_;
  }

  /// One loop over the elements beside each other makes all results of a short line.
  Values run_short(std::span<const Value> inputs, const ir::Dims& dims) {
    Values last;
    for (const Value& initial : initial_)
      last.push_back(ops::broadcast_scalar(b_, initial, {lines_.outer, 1, lines_.inner}));
    std::vector<Values> results(initial_.size(), Values(static_cast<std::size_t>(lines_.extent)));
    for (std::int64_t i = 0; i < lines_.extent; ++i) {
      const std::int64_t at = lines_.are_suffixes ? lines_.extent - 1 - i : i;
      Values row;
      for (std::size_t k = 0; k < last.size(); ++k)
        row.push_back(ops::slice(b_, ops::reshape(b_, inputs[k], {lines_.outer, lines_.extent, lines_.inner}),
                                 {0, at, 0}, {lines_.outer, at + 1, lines_.inner}, {1, 1, 1}));
      last = combine(b_, last, row);
      for (std::size_t k = 0; k < last.size(); ++k) results[k][static_cast<std::size_t>(at)] = last[k];
    }
    Values joined;
    for (Values& rows : results)
      joined.push_back(ops::reshape(b_, ops::concatenate(b_, std::move(rows), 1), dims));
    return joined;
  }

  Values run(std::span<const Value> inputs, const ir::Dims& dims) {
    Values rows;
    for (std::size_t i = 0; i < initial_.size(); ++i) rows.push_back(rows_of(inputs[i], initial_[i]));
    const ir::Dims lanes = {lines_.outer, num_blocks_, lines_.inner};
    auto [scanned, totals] = scan(rows, lanes, false);
    if (num_blocks_ > 1) scanned = with_blocks_before(scanned, totals);
    for (Value& value : scanned) value = lines_of(value, dims);
    return scanned;
  }

 private:
  /// Combines elements of a line with those after them.
  Values combine(ir::Builder& b, const Values& first, const Values& second) const {
    Values arguments = lines_.are_suffixes ? second : first;
    const Values& last = lines_.are_suffixes ? first : second;
    arguments.insert(arguments.end(), last.begin(), last.end());
    return ops::apply_to_tensors(b, body_, arguments, first[0].dims());
  }

  /// [outer, extent, inner] as [block, outer, number of blocks, inner].
  Value rows_of(Value x, Value initial) {
    Value lines = ops::reshape(b_, x, {lines_.outer, lines_.extent, lines_.inner});
    if (lines_.are_suffixes) lines = ops::reverse(b_, lines, {1});
    lines = ops::pad(b_, lines, initial, {0, 0, 0}, {0, num_blocks_ * block_ - lines_.extent, 0}, {0, 0, 0});
    lines = ops::reshape(b_, lines, {lines_.outer, num_blocks_, block_, lines_.inner});
    return ops::transpose(b_, lines, {2, 0, 1, 3});
  }

  Value lines_of(Value rows, const ir::Dims& dims) {
    const Value blocks = ops::transpose(b_, rows, {1, 2, 0, 3});
    Value lines = ops::reshape(b_, blocks, {lines_.outer, num_blocks_ * block_, lines_.inner});
    lines = ops::slice(b_, lines, {0, 0, 0}, {lines_.outer, lines_.extent, lines_.inner}, {1, 1, 1});
    if (lines_.are_suffixes) lines = ops::reverse(b_, lines, {1});
    return ops::reshape(b_, lines, dims);
  }

  /// Scans along the first dimension: the combinations of rows up to each, or before each, and the last ones.
  std::pair<Values, Values> scan(const Values& rows, const ir::Dims& lanes, bool before) {
    const std::size_t count = rows.size();
    Values carried = {ops::scalar(b_, ir::DType::kI32, 0)};
    for (const Value& initial : initial_) carried.push_back(ops::broadcast_scalar(b_, initial, lanes));
    for (const Value& row : rows) carried.push_back(ops::full(b_, row.type(), 0));
    ir::Dims one = lanes;
    one.insert(one.begin(), 1);
    const auto step = [&](ir::Builder& b, std::span<const Value> values) {
      const Value zero = ops::scalar(b, ir::DType::kI32, 0);
      Values starts(one.size(), zero), row;
      starts[0] = values[0];
      for (std::size_t i = 0; i < count; ++i)
        row.push_back(ops::reshape(b, ops::dynamic_slice(b, rows[i], starts, one), lanes));
      const Values totals(values.begin() + 1, values.begin() + 1 + static_cast<std::ptrdiff_t>(count));
      const Values next = combine(b, totals, row);
      Values results = {ops::add(b, values[0], ops::scalar(b, ir::DType::kI32, 1))};
      results.insert(results.end(), next.begin(), next.end());
      for (std::size_t i = 0; i < count; ++i)
        results.push_back(ops::dynamic_update_slice(
            b, values[1 + count + i], ops::reshape(b, before ? totals[i] : next[i], one), starts));
      return results;
    };
    const auto extent = static_cast<double>(rows[0].dims()[0]);
    const Values results = ops::while_(
        b_, std::move(carried),
        [&](ir::Builder& b, std::span<const Value> values) {
          return ops::compare(b, values[0], ops::scalar(b, ir::DType::kI32, extent),
                              ops::ComparisonDirection::kLt);
        },
        step);
    const auto middle = results.begin() + 1 + static_cast<std::ptrdiff_t>(count);
    return {Values(middle, results.end()), Values(results.begin() + 1, middle)};
  }

  /// Combines the blocks before with each block; `totals`: [outer, number of blocks, inner].
  Values with_blocks_before(const Values& rows, const Values& totals) {
    Values blocks;
    for (const Value& total : totals) blocks.push_back(ops::transpose(b_, total, {1, 0, 2}));
    Values before = scan(blocks, {lines_.outer, lines_.inner}, true).first;
    for (Value& value : before) value = ops::broadcast_in_dim(b_, value, rows[0].dims(), {2, 1, 3});
    return combine(b_, before, rows);
  }

  ir::Builder& b_;
  const ir::Block& body_;
  Lines lines_;
  Values initial_;
  std::int64_t num_blocks_ = 1, block_ = 1;  // of a line; elements of a block
};

}  // namespace

std::unique_ptr<ir::Function> scan_growing_windows(const ir::Function& function, KeepOp keep) {
  const auto grows = [&](const ir::Op& op) {
    return op.name() == "reduce_window" && !keep(op) && ops::is_elementwise(op.region(0)) &&
           growing_windows(op) && are_neutral(op);
  };
  return replace_matching(
      function, grows, [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        const Lines lines = *growing_windows(op);
        Scan scan(b, op, lines, operands);
        const ir::Dims& dims = op.result(0).dims();
        return is_short(lines) ? scan.run_short(operands, dims) : scan.run(operands, dims);
      });
}

}  // namespace cornu::inline v0::transform
