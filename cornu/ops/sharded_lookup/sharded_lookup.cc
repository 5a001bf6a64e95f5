#include "cornu/ops/sharded_lookup/sharded_lookup.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "cornu/base/check.h"
#include "cornu/ops/all_gather/all_gather.h"
#include "cornu/ops/all_to_all/all_to_all.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/embedding_lookup/embedding_lookup.h"
#include "cornu/ops/first_occurrence/first_occurrence.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/gather/index_vectors.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce_scatter/reduce_scatter.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace sharded_lookup_folder {

namespace {
constexpr const char* kNumDealt = "num_dealt";
}

TableShards shards_of(const ir::Attributes& attributes) {
  return {.num_rows = attributes.get<std::int64_t>("num_rows"),
          .num_shards = attributes.get<std::int64_t>("num_shards"),
          .axis = attributes.get<std::int64_t>("axis"),
          .num_dealt = attributes.find(kNumDealt) == nullptr ? 0 : attributes.get<std::int64_t>(kNumDealt)};
}

namespace {

ir::Attributes attributes_of(const TableShards& shards) {
  ir::Attributes attributes = {
      {"num_rows", shards.num_rows}, {"num_shards", shards.num_shards}, {"axis", shards.axis}};
  if (shards.num_dealt != 0) attributes.set(kNumDealt, shards.num_dealt);
  return attributes;
}

TableShards checked_shards(const ir::Attributes& attributes) {
  const TableShards shards = shards_of(attributes);
  if (shards.num_rows < 1)
    invalid_argument({.argument = "num_rows"}, "num_rows must be positive; got num_rows = {}",
                     shards.num_rows);
  if (shards.num_shards < 1)
    invalid_argument({.argument = "num_shards"}, "num_shards must be positive; got num_shards = {}",
                     shards.num_shards);
  if (shards.axis != 0 && shards.axis != 1)
    invalid_argument({.argument = "axis"}, "axis must be 0 or 1; got axis = {}", shards.axis);
  if (shards.num_dealt < 0 || shards.num_dealt % shards.num_shards != 0 ||
      (shards.num_dealt > 0 && shards.axis != 0))
    invalid_argument(
        {.argument = kNumDealt},
        "num_dealt must be 0 or, for rows, a multiple of num_shards; got num_dealt = {}, num_shards "
        "= {} and axis = {}",
        shards.num_dealt, shards.num_shards, shards.axis);
  return shards;
}

std::int64_t checked_part_rows(const ir::Attributes& attributes) {
  const auto part_rows = attributes.get<std::int64_t>("part_rows");
  if (part_rows < 1)
    invalid_argument({.argument = "part_rows"}, "part_rows must be positive; got part_rows = {}", part_rows);
  return part_rows;
}

void check_columns(std::int64_t dim, const TableShards& shards) {
  if (shards.axis == 1 && dim % shards.num_shards != 0)
    invalid_argument("{} columns cannot be divided into {} parts", dim, shards.num_shards);
}

/// The dtype of numbers of rows relative to a part.
ir::DType number_type(const TableShards& shards) {
  return shards.num_rows * 2 > std::numeric_limits<std::int32_t>::max() ? ir::DType::kI64 : ir::DType::kI32;
}

void check_part(const ir::TensorType& part, const TableShards& shards) {
  check_float(part);
  const bool fits =
      part.rank() == 2 && (shards.axis == 0 ? part.dims[0] * shards.num_shards >= shards.num_rows
                                            : part.dims[0] == shards.num_rows);
  if (!fits)
    invalid_argument("{} parts of the shape {} are no table of {} rows", shards.num_shards,
                     ir::shape_str(part.dims), shards.num_rows);
}

/// The columns of the whole table.
std::int64_t dim_of(const ir::TensorType& part, const TableShards& shards) {
  return shards.axis == 0 ? part.dims[1] : part.dims[1] * shards.num_shards;
}

std::vector<ir::TensorType> infer_sharded(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &part = context.type(0), &ids = context.type(1);
  const TableShards shards = checked_shards(context.attributes);
  check_part(part, shards);
  check_ids(ids);
  return {{part.dtype, concatenated(ids.dims, {dim_of(part, shards)})}};
}

std::vector<ir::TensorType> infer_sharded_gradient(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &gradients = context.type(0), &ids = context.type(1);
  const TableShards shards = checked_shards(context.attributes);
  check_float(gradients);
  check_ids(ids);
  if (gradients.rank() != ids.rank() + 1 ||
      !std::equal(ids.dims.begin(), ids.dims.end(), gradients.dims.begin()))
    invalid_argument("gradients must have the extents of ids and one more; got ids {} and gradients {}",
                     ids.str(), gradients.str());
  const std::int64_t part_rows = checked_part_rows(context.attributes);
  const std::int64_t dim = gradients.dims.back();
  check_columns(dim, shards);
  return {{gradients.dtype, {part_rows, shards.axis == 0 ? dim : dim / shards.num_shards}}};
}

std::vector<ir::TensorType> infer_gradient_rows(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &gradients = context.type(0), &ids = context.type(1);
  const TableShards shards = checked_shards(context.attributes);
  checked_part_rows(context.attributes);
  check_float(gradients);
  check_ids(ids);
  if (gradients.rank() != 2 || ids.rank() != 1 || gradients.dims[0] != ids.dims[0])
    invalid_argument("gradients must be a matrix with a row for each id; got ids {} and gradients {}",
                     ids.str(), gradients.str());
  check_columns(gradients.dims[1], shards);
  const std::int64_t count = ids.dims[0] * shards.num_shards;
  return {{gradients.dtype, {count, gradients.dims[1] / (shards.axis == 0 ? 1 : shards.num_shards)}},
          {number_type(shards), {count}}};
}

void check_named(const ir::TensorType& named, const TableShards& shards) {
  if (named.rank() != 1 || (named.dtype != ir::DType::kI32 && named.dtype != ir::DType::kI64) ||
      named.dims[0] % shards.num_shards != 0)
    invalid_argument(
        "named must be a vector of i32 or i64 with as many elements for each of {} shards; got {}",
        shards.num_shards, named.str());
}

std::vector<ir::TensorType> infer_rows(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &part = context.type(0), &named = context.type(1);
  const TableShards shards = checked_shards(context.attributes);
  check_part(part, shards);
  check_named(named, shards);
  return {{part.dtype, {named.dims[0] / shards.num_shards, dim_of(part, shards)}}};
}

std::vector<ir::TensorType> infer_view(const ir::InferContext& context) {
  check_operands(context, 4);
  const ir::TensorType &part = context.type(0), &named = context.type(3);
  const TableShards shards = checked_shards(context.attributes);
  check_part(part, shards);
  check_named(named, shards);
  if (shards.axis != 0)
    invalid_argument({.argument = "axis"}, "a view is of rows; got axis = {}", shards.axis);
  const ir::TensorType of_shard{named.dtype, {named.dims[0] / shards.num_shards}};
  if (context.type(1) != of_shard || context.type(2) != of_shard)
    invalid_argument("ids and first must be {}, as named is {}; got ids {} and first {}", of_shard.str(),
                     named.str(), context.type(1).str(), context.type(2).str());
  const std::int64_t num_rows = std::max(rows_between_parts(part) * shards.num_shards, of_shard.dims[0]);
  return {{part.dtype, {num_rows, part.dims[1]}}, of_shard};
}

std::vector<ir::TensorType> infer_row_sums(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType &gradients = context.type(0), &first = context.type(1), &named = context.type(2);
  const TableShards shards = checked_shards(context.attributes);
  checked_part_rows(context.attributes);
  check_float(gradients);
  check_named(named, shards);
  if (first.rank() != 1 || first.dtype != named.dtype || first.dims[0] * shards.num_shards != named.dims[0])
    invalid_argument(
        "first must be a vector of named's type with the elements of one shard; got named {} and first {}",
        named.str(), first.str());
  const std::int64_t count = first.dims[0];
  if (gradients.rank() != 2 ||
      (gradients.dims[0] != count && (gradients.dims[0] < 1 || count % gradients.dims[0] != 0)))
    invalid_argument(
        "gradients must be a matrix with a row for each id of a shard, or for equally many of them; got "
        "first {} "
        "and gradients {}",
        first.str(), gradients.str());
  check_columns(gradients.dims[1], shards);
  return {{gradients.dtype, {named.dims[0], gradients.dims[1] / (shards.axis == 0 ? 1 : shards.num_shards)}},
          {named.dtype, named.dims},
          {named.dtype, named.dims}};
}

/// The position of each row among the rows of all parts, one part after the other.
ir::Value dealt_numbers(ir::Builder& b, ir::Value ids, const TableShards& shards) {
  if (shards.num_dealt <= 1) return ids;
  const auto filled = [&](std::int64_t value) { return full(b, ids.type(), static_cast<double>(value)); };
  const std::int64_t part_rows = (shards.num_rows + shards.num_dealt - 1) / shards.num_dealt;
  const ir::Value parts = filled(shards.num_dealt), row = divide(b, ids, parts);
  const ir::Value part = subtract(b, ids, multiply(b, row, parts));
  return add(b, multiply(b, part, filled(part_rows)), row);
}

/// The replica's ids as valid positions of rows, in one dimension.
ir::Value valid_numbers(ir::Builder& b, ir::Value ids, const TableShards& shards) {
  const ir::Value inside = clamp_components(b, ids, ids.rank(), {0}, {shards.num_rows - 1});
  const ir::DType dtype = number_type(shards);
  const ir::Value numbers = inside.dtype() == dtype ? inside : convert(b, inside, dtype);
  return dealt_numbers(b, reshape(b, numbers, {ids.type().num_elements()}), shards);
}

/// The ids of all replicas [num_shards * n], as valid numbers of rows.
ir::Value ids_of_all(ir::Builder& b, ir::Value ids, const TableShards& shards) {
  return all_gather(b, valid_numbers(b, ids, shards), 0, all_replicas(shards.num_shards));
}

/// Ids relative to the first row of the replica's part.
ir::Value relative_ids(ir::Builder& b, ir::Value ids, std::int64_t part_rows) {
  const ir::Value number = convert(b, replica_id(b), ids.dtype());
  const ir::Value first = multiply(b, number, scalar(b, ids.dtype(), static_cast<double>(part_rows)));
  return subtract(b, ids, broadcast_scalar(b, first, ids.dims()));
}

/// True for the ids that are inside of the part.
ir::Value are_inside(ir::Builder& b, ir::Value ids, std::int64_t part_rows) {
  const auto compared = [&](std::int64_t bound, ComparisonDirection direction) {
    return compare(b, ids, full(b, ids.type(), static_cast<double>(bound)), direction);
  };
  return and_(b, compared(0, ComparisonDirection::kGe), compared(part_rows, ComparisonDirection::kLt));
}

/// `rows` [n, dim], with zeros for the ids that are outside of the part.
ir::Value own_rows(ir::Builder& b, ir::Value rows, ir::Value ids, std::int64_t part_rows) {
  return select(b, broadcast_in_dim(b, are_inside(b, ids, part_rows), rows.dims(), {0}), rows,
                full(b, rows.type(), 0));
}

/// True for the first occurrence of each id, of which `first` is the position.
ir::Value are_first(ir::Builder& b, ir::Value first) {
  return compare(b, first, iota(b, first.type(), 0), ComparisonDirection::kEq);
}

std::vector<ir::Value> decompose_sharded(ir::Builder& b, std::span<const ir::Value> operands,
                                         const ir::Attributes& attributes) {
  const TableShards shards = shards_of(attributes);
  const ir::Value part = operands[0], ids = operands[1];
  const ir::Value all = ids_of_all(b, ids, shards);
  ir::Value rows;
  if (shards.axis == 0) {
    const ir::Value own = relative_ids(b, all, part.dims()[0]);
    rows = reduce_scatter_sum(b, own_rows(b, embedding_lookup(b, part, own), own, part.dims()[0]), 0,
                              all_replicas(shards.num_shards));
  } else {
    rows = all_to_all(b, embedding_lookup(b, part, all), {.split_dimension = 0, .concat_dimension = 1},
                      all_replicas(shards.num_shards));
  }
  return {reshape(b, rows, concatenated(ids.dims(), {rows.dims()[1]}))};
}

std::vector<ir::Value> decompose_gradient_rows(ir::Builder& b, std::span<const ir::Value> operands,
                                               const ir::Attributes& attributes) {
  const TableShards shards = shards_of(attributes);
  const ir::Value numbers = valid_numbers(b, operands[1], shards);
  const ir::Value sums =
      embedding_lookup_gradient(b, operands[0], first_occurrence(b, numbers), numbers.dims()[0]);
  const ir::Value all = all_gather(b, numbers, 0, all_replicas(shards.num_shards));
  if (shards.axis == 1)
    return {
        all_to_all(b, sums, {.split_dimension = 1, .concat_dimension = 0}, all_replicas(shards.num_shards)),
        all};
  const auto part_rows = attributes.get<std::int64_t>("part_rows");
  const ir::Value own = relative_ids(b, all, part_rows);
  const ir::Value sums_of_all = all_gather(b, sums, 0, all_replicas(shards.num_shards));
  return {own_rows(b, sums_of_all, own, part_rows), own};
}

std::vector<ir::Value> decompose_rows(ir::Builder& b, std::span<const ir::Value> operands,
                                      const ir::Attributes& attributes) {
  const TableShards shards = shards_of(attributes);
  const ir::Value part = operands[0], named = operands[1];
  if (shards.axis == 1)
    return {all_to_all(b, embedding_lookup(b, part, named), {.split_dimension = 0, .concat_dimension = 1},
                       all_replicas(shards.num_shards))};
  const ir::Value own = relative_ids(b, named, part.dims()[0]);
  return {reduce_scatter_sum(b, own_rows(b, embedding_lookup(b, part, own), own, part.dims()[0]), 0,
                             all_replicas(shards.num_shards))};
}

std::vector<ir::Value> decompose_view(ir::Builder& b, std::span<const ir::Value> operands,
                                      const ir::Attributes& attributes) {
  const TableShards shards = shards_of(attributes);
  const ir::Value part = operands[0], first = operands[2];
  const ir::Value rows = decompose_rows(b, std::array{part, operands[3]}, attributes)[0];
  const std::int64_t more = rows_between_parts(part.type()) * shards.num_shards - rows.dims()[0];
  if (more <= 0) return {rows, first};
  const ir::Value none = full(b, {part.dtype(), {more, part.dims()[1]}}, 0);
  return {concatenate(b, {rows, none}, 0), first};
}

/// `count` rows, which are equally often each row of a matrix.
ir::Value repeated_rows(ir::Builder& b, ir::Value rows, std::int64_t count) {
  const std::int64_t num_rows = rows.dims()[0], columns = rows.dims()[1];
  if (num_rows == count) return rows;
  return reshape(b, broadcast_in_dim(b, rows, {num_rows, count / num_rows, columns}, {0, 2}),
                 {count, columns});
}

std::vector<ir::Value> decompose_row_sums(ir::Builder& b, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const TableShards shards = shards_of(attributes);
  const ir::Value first_here = operands[1], named = operands[2];
  const std::int64_t count = first_here.dims()[0];
  const auto part_rows = attributes.get<std::int64_t>("part_rows");
  // Gradients without a position are added to one more row, since a lookup's gradient clamps ids.
  const ir::Value positions = select(b, are_inside(b, first_here, count), first_here,
                                     full(b, first_here.type(), static_cast<double>(count)));
  const ir::Value sums =
      embedding_lookup_gradient(b, repeated_rows(b, operands[0], count), positions, count + 1);
  const ir::Value gradients = slice(b, sums, {0, 0}, {count, sums.dims()[1]}, {1, 1});
  const ir::Value all = shards.axis == 0
                            ? all_gather(b, gradients, 0, all_replicas(shards.num_shards))
                            : all_to_all(b, gradients, {.split_dimension = 1, .concat_dimension = 0},
                                         all_replicas(shards.num_shards));
  const ir::Value ids = shards.axis == 0 ? relative_ids(b, named, part_rows) : named;
  const ir::Value is_inside = are_inside(b, ids, part_rows);
  const ir::Value none = full(b, ids.type(), static_cast<double>(part_rows));
  const ir::Value first = first_occurrence(b, select(b, is_inside, ids, none));
  return {embedding_lookup_gradient(b, own_rows(b, all, ids, part_rows), first, named.dims()[0]),
          select(b, and_(b, is_inside, are_first(b, first)), ids, none), iota(b, ids.type(), 0)};
}

std::vector<ir::Value> decompose_sharded_gradient(ir::Builder& b, std::span<const ir::Value> operands,
                                                  const ir::Attributes& attributes) {
  const auto part_rows = attributes.get<std::int64_t>("part_rows");
  const ir::Value gradients = operands[0], ids = operands[1];
  const std::int64_t count = ids.type().num_elements();
  const ShardedGradientRows received =
      sharded_gradient_rows(b, reshape(b, gradients, {count, gradients.dims().back()}),
                            reshape(b, ids, {count}), shards_of(attributes), part_rows);
  return {embedding_lookup_gradient(b, received.rows, received.ids, part_rows)};
}

std::vector<ir::Value> gradient_of_sharded(const ir::GradientContext& context) {
  return {sharded_lookup_gradient(context.builder, context.result_gradients[0], context.op.operand(1),
                                  shards_of(context.op.attributes()), context.op.operand(0).dims()[0]),
          ir::Value()};
}

std::vector<ir::Value> gradient_of_sharded_gradient(const ir::GradientContext& context) {
  return {sharded_lookup(context.builder, context.result_gradients[0], context.op.operand(1),
                         shards_of(context.op.attributes())),
          ir::Value()};
}

const ir::OpDef kSharded = {.name = "cornu.sharded_lookup",
                            .infer = infer_sharded,
                            .gradient = gradient_of_sharded,
                            .decompose = decompose_sharded};
const ir::OpDef kShardedGradient = {.name = "cornu.sharded_lookup_gradient",
                                    .infer = infer_sharded_gradient,
                                    .gradient = gradient_of_sharded_gradient,
                                    .decompose = decompose_sharded_gradient};

const ir::OpDef kGradientRows = {.name = "cornu.sharded_gradient_rows",
                                 .infer = infer_gradient_rows,
                                 .decompose = decompose_gradient_rows};

const ir::OpDef kRows = {.name = "cornu.sharded_rows", .infer = infer_rows, .decompose = decompose_rows};

const ir::OpDef kView = {.name = "cornu.sharded_view", .infer = infer_view, .decompose = decompose_view};

const ir::OpDef kRowSums = {
    .name = "cornu.sharded_row_sums", .infer = infer_row_sums, .decompose = decompose_row_sums};

/// The gradients of ids without the repetitions of a broadcast.
struct PlainGradients {
  ir::Value rows;      // [m, dim]: each for as many ids, one after the other
  ir::Value is_there;  // [n]: false for ids without a gradient; null: all have one
};

/// The extents of a value without the dimensions among the first `rank` that its broadcast repeats, from the
/// last one on.
ir::Dims extents_before_broadcast(ir::Value value, std::int64_t rank) {
  ir::Dims extents = value.dims();
  const ir::Op* const op = value.op();
  if (op == nullptr || op->name() != "broadcast_in_dim") return extents;
  const auto& dims = op->attributes().get<ir::Dims>("broadcast_dimensions");
  for (std::int64_t d = rank - 1; d >= 0; --d) {
    const auto at = std::find(dims.begin(), dims.end(), d);
    if (at != dims.end() && op->operand(0).dims()[static_cast<std::size_t>(at - dims.begin())] != 1) break;
    extents[static_cast<std::size_t>(d)] = 1;
  }
  return extents;
}

/// The first elements along each dimension, as many as the extents.
ir::Value first_elements(ir::Builder& b, ir::Value value, const ir::Dims& extents) {
  if (extents == value.dims()) return value;
  return slice(b, value, ir::Dims(extents.size(), 0), extents, ir::Dims(extents.size(), 1));
}

/// The gradients of a composite, which are often select(is_there, broadcast(sums' gradients), 0): those of
/// ids whose rows are added, without those that pad.
PlainGradients plain_gradients(ir::Builder& b, ir::Value gradients, ir::Value operand, std::int64_t rank,
                               const OuterValues& outer) {
  const std::int64_t dim = std::max<std::int64_t>(1, gradients.dims().back());
  const std::int64_t count = gradients.type().num_elements() / dim;
  const auto rows_of = [&](ir::Value value, const ir::Dims& extents) {
    const ir::Value rows = first_elements(b, value, extents);
    return reshape(b, rows, {rows.type().num_elements() / dim, gradients.dims().back()});
  };
  const ir::Op* const op = gradients.op();
  if (op != nullptr && op->name() == "select" && is_zero(op->operand(2))) {
    const ir::Value is_there = op->operand(0), wide = op->operand(1);
    const ir::Dims extents = extents_before_broadcast(wide, rank);
    const ir::Op* const mask = is_there.op();
    const bool is_of_ids = mask != nullptr && mask->name() == "broadcast_in_dim" &&
                           extents_before_broadcast(is_there, rank + 1).back() == 1;
    if (is_of_ids && extents != wide.dims()) {
      ir::Dims one_column = is_there.dims();
      one_column.back() = 1;
      return {.rows = rows_of(outer(wide), extents),
              .is_there = reshape(b, first_elements(b, outer(is_there), one_column), {count})};
    }
  }
  return {.rows = rows_of(operand, extents_before_broadcast(gradients, rank)), .is_there = {}};
}

/// The ids of a process, and what the processes name.
struct NamedIds {
  ir::Value ids;    // [n]: valid numbers of rows
  ir::Value first;  // [n]: the position at which the same id occurs first
  ir::Value named;  // [num_shards * n]: the ids of all processes at their first positions, -1 elsewhere
};

NamedIds named_ids(ir::Builder& b, ir::Value ids, const TableShards& shards) {
  const ir::Value numbers = valid_numbers(b, ids, shards);
  const ir::Value first = first_occurrence(b, numbers);
  const ir::Value own = select(b, are_first(b, first), numbers, full(b, numbers.type(), -1));
  return {.ids = numbers, .first = first, .named = all_gather(b, own, 0, all_replicas(shards.num_shards))};
}

/// True if the part is large enough to be in memory that other processes can map, and the rows of a view have
/// numbers of the ids' type.
bool has_view(const ir::TensorType& part, const ir::TensorType& ids, const TableShards& shards) {
  constexpr std::int64_t kLeastBytes = std::int64_t{2} << 20;  // smaller parts are in the caches as well
  if (shards.axis != 0 || static_cast<std::int64_t>(part.size_bytes()) < kLeastBytes) return false;
  const std::int64_t most = ids.dtype == ir::DType::kI32 ? std::numeric_limits<std::int32_t>::max()
                                                         : std::numeric_limits<std::int64_t>::max();
  return rows_between_parts(part) <= most / shards.num_shards;
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  return ir::list_defs<kSharded, kShardedGradient, kGradientRows, kRows, kView, kRowSums>();
}

}  // namespace sharded_lookup_folder

ir::Value sharded_lookup(ir::Builder& builder, ir::Value part, ir::Value ids, const TableShards& shards) {
  return builder
      .create(sharded_lookup_folder::kSharded, {part, ids}, sharded_lookup_folder::attributes_of(shards))
      .result();
}

ir::Value sharded_lookup_gradient(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                  const TableShards& shards, std::int64_t part_rows) {
  ir::Attributes attributes = sharded_lookup_folder::attributes_of(shards);
  attributes.set("part_rows", part_rows);
  return builder.create(sharded_lookup_folder::kShardedGradient, {gradients, ids}, std::move(attributes))
      .result();
}

ShardedGradientRows sharded_gradient_rows(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                          const TableShards& shards, std::int64_t part_rows) {
  ir::Attributes attributes = sharded_lookup_folder::attributes_of(shards);
  attributes.set("part_rows", part_rows);
  const ir::Op& op =
      builder.create(sharded_lookup_folder::kGradientRows, {gradients, ids}, std::move(attributes));
  return {op.result(0), op.result(1)};
}

ir::Value sharded_rows(ir::Builder& builder, ir::Value part, ir::Value named, const TableShards& shards) {
  return builder
      .create(sharded_lookup_folder::kRows, {part, named}, sharded_lookup_folder::attributes_of(shards))
      .result();
}

ShardedView sharded_view(ir::Builder& builder, ir::Value part, ir::Value ids, ir::Value first,
                         ir::Value named, const TableShards& shards) {
  const ir::Op& op = builder.create(sharded_lookup_folder::kView, {part, ids, first, named},
                                    sharded_lookup_folder::attributes_of(shards));
  return {op.result(0), op.result(1)};
}

std::int64_t rows_between_parts(const ir::TensorType& part) {
  constexpr std::int64_t kPage = 4096, kLargePage = std::int64_t{2} << 20;
  const std::int64_t row_bytes =
      std::max<std::int64_t>(1, part.dims[1] * static_cast<std::int64_t>(ir::size_bytes(part.dtype)));
  const auto rows_of_whole = [&](std::int64_t page) {
    const std::int64_t unit = page / std::gcd(row_bytes, page);  // the fewest rows that are whole pages
    return (part.dims[0] + unit - 1) / unit * unit;
  };
  const std::int64_t large = rows_of_whole(kLargePage);
  return large <= 2 * part.dims[0] ? large : rows_of_whole(kPage);
}

ShardedRowSums sharded_row_sums(ir::Builder& builder, ir::Value gradients, ir::Value first, ir::Value named,
                                const TableShards& shards, std::int64_t part_rows) {
  ir::Attributes attributes = sharded_lookup_folder::attributes_of(shards);
  attributes.set("part_rows", part_rows);
  const ir::Op& op =
      builder.create(sharded_lookup_folder::kRowSums, {gradients, first, named}, std::move(attributes));
  return {op.result(0), op.result(1), op.result(2)};
}

namespace {
bool is_result_of_row_sums(ir::Value value, std::size_t i) {
  return value.op() != nullptr && &value.op()->def() == &sharded_lookup_folder::kRowSums &&
         value == value.op()->result(i);
}
}  // namespace

bool are_ids_of_row_sums(ir::Value ids) { return is_result_of_row_sums(ids, 1); }
bool are_rows_of_row_sums(ir::Value rows) { return is_result_of_row_sums(rows, 0); }

std::vector<ir::Value> sharded_lookup_of_processes(ir::Builder& builder, const ir::Op& op,
                                                   std::span<const ir::Value> operands, const OuterValues&) {
  const TableShards shards = sharded_lookup_folder::shards_of(op.attributes());
  const auto [ids, first, named] = sharded_lookup_folder::named_ids(builder, operands[1], shards);
  if (sharded_lookup_folder::has_view(operands[0].type(), ids.type(), shards)) {
    const auto [rows, numbers] = sharded_view(builder, operands[0], ids, first, named, shards);
    return {gather_rows(builder, rows, reshape(builder, numbers, operands[1].dims()))};
  }
  const ir::Value rows = sharded_rows(builder, operands[0], named, shards);
  return {gather_rows(builder, rows, reshape(builder, first, operands[1].dims()))};
}

std::vector<ir::Value> sharded_lookup_gradient_of_processes(ir::Builder& builder, const ir::Op& op,
                                                            std::span<const ir::Value> operands,
                                                            const OuterValues& outer) {
  const TableShards shards = sharded_lookup_folder::shards_of(op.attributes());
  const auto [ids, first, named] = sharded_lookup_folder::named_ids(builder, operands[1], shards);
  const auto [gradients, is_there] =
      sharded_lookup_folder::plain_gradients(builder, op.operand(0), operands[0], operands[1].rank(), outer);
  const ir::Value positions =
      is_there ? select(builder, is_there, first, full(builder, first.type(), -1)) : first;
  const auto [rows, row_ids, sources] = sharded_row_sums(builder, gradients, positions, named, shards,
                                                         op.attributes().get<std::int64_t>("part_rows"));
  return {scatter_add_rows(builder, full(builder, op.result().type(), 0), row_ids,
                           gather_rows(builder, rows, sources))};
}

}  // namespace cornu::inline v0::ops
