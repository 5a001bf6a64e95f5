#include "cornu/ops/gather/gather.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/gather/index_vectors.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/scatter/scatter.h"

namespace cornu::inline v0::ops {
namespace gather_folder {
namespace {

GatherDimensions read_dimensions(const ir::Attributes& attributes) {
  return {.offset_dims = attributes.get<ir::Dims>("offset_dims"),
          .collapsed_slice_dims = attributes.get<ir::Dims>("collapsed_slice_dims"),
          .operand_batching_dims = attributes.get<ir::Dims>("operand_batching_dims"),
          .start_indices_batching_dims = attributes.get<ir::Dims>("start_indices_batching_dims"),
          .start_index_map = attributes.get<ir::Dims>("start_index_map"),
          .index_vector_dim = attributes.get<std::int64_t>("index_vector_dim")};
}

IndexVectors index_vectors(const GatherDimensions& dimensions) {
  return {.index_map = dimensions.start_index_map,
          .operand_batching_dims = dimensions.operand_batching_dims,
          .indices_batching_dims = dimensions.start_indices_batching_dims,
          .index_vector_dim = dimensions.index_vector_dim};
}

/// The operand's dimensions that the result does not have.
ir::Dims dropped_dims(const GatherDimensions& dimensions) {
  return concatenated(dimensions.collapsed_slice_dims, dimensions.operand_batching_dims);
}

void check_indices(const GatherDimensions& g, const ir::TensorType& operand, const ir::TensorType& indices) {
  if (!ir::is_integer(indices.dtype))
    invalid_argument("(I2) start_indices must be integers; got {}", indices.str());
  if (operand.rank() != static_cast<std::int64_t>(g.offset_dims.size() + dropped_dims(g).size()))
    invalid_argument(
        "(C1) rank {} must be the number of offset_dims {}, collapsed_slice_dims {} and "
        "operand_batching_dims {}",
        operand.rank(), g.offset_dims, g.collapsed_slice_dims, g.operand_batching_dims);
  if (g.index_vector_dim < 0 || g.index_vector_dim > indices.rank())
    invalid_argument("(C2) index_vector_dim {} must lie in [0, {}]", g.index_vector_dim, indices.rank());
  if (static_cast<std::int64_t>(g.start_index_map.size()) != index_vectors(g).num_components(indices.dims))
    invalid_argument("(C3) start_index_map {} must have {} entries, one a component of an index vector",
                     g.start_index_map, index_vectors(g).num_components(indices.dims));
  if (!is_unique(g.start_indices_batching_dims))
    invalid_argument("(C13) start_indices_batching_dims must not repeat; got {}",
                     g.start_indices_batching_dims);
  if (!all_in_range(g.start_indices_batching_dims, indices.rank()))
    invalid_argument("(C14) start_indices_batching_dims {} must be dimensions of {}",
                     g.start_indices_batching_dims, indices.str());
  if (contains(g.start_indices_batching_dims, g.index_vector_dim))
    invalid_argument("(C15) index_vector_dim {} must not be in start_indices_batching_dims {}",
                     g.index_vector_dim, g.start_indices_batching_dims);
}

void check_operand(const GatherDimensions& g, const ir::TensorType& operand, const ir::TensorType& indices,
                   const ir::Dims& sizes) {
  if (!is_unique(dropped_dims(g)))
    invalid_argument("(C6) collapsed_slice_dims {} and operand_batching_dims {} must not repeat",
                     g.collapsed_slice_dims, g.operand_batching_dims);
  if (!is_sorted(g.collapsed_slice_dims))
    invalid_argument("(C7) collapsed_slice_dims must be sorted; got {}", g.collapsed_slice_dims);
  if (!all_in_range(g.collapsed_slice_dims, operand.rank()))
    invalid_argument("(C8) collapsed_slice_dims {} must be dimensions of {}", g.collapsed_slice_dims,
                     operand.str());
  if (!is_sorted(g.operand_batching_dims))
    invalid_argument("(C10) operand_batching_dims must be sorted; got {}", g.operand_batching_dims);
  if (!all_in_range(g.operand_batching_dims, operand.rank()))
    invalid_argument("(C11) operand_batching_dims {} must be dimensions of {}", g.operand_batching_dims,
                     operand.str());
  if (g.operand_batching_dims.size() != g.start_indices_batching_dims.size())
    invalid_argument("(C16) operand_batching_dims {} and start_indices_batching_dims {} must have one size",
                     g.operand_batching_dims, g.start_indices_batching_dims);
  if (extents(operand.dims, g.operand_batching_dims) != extents(indices.dims, g.start_indices_batching_dims))
    invalid_argument("(C17) extents of {} along {} and of {} along {} must agree", operand.str(),
                     g.operand_batching_dims, indices.str(), g.start_indices_batching_dims);
  if (!is_unique(concatenated(g.start_index_map, g.operand_batching_dims)))
    invalid_argument("(C18) start_index_map {} and operand_batching_dims {} must not repeat",
                     g.start_index_map, g.operand_batching_dims);
  if (!all_in_range(g.start_index_map, operand.rank()))
    invalid_argument("(C19) start_index_map {} must be dimensions of {}", g.start_index_map, operand.str());
  if (sizes.size() != operand.dims.size())
    invalid_argument("(C20) slice_sizes {} must have one entry a dimension of {}", sizes, operand.str());
  for (std::int64_t d : g.collapsed_slice_dims)
    if (sizes[static_cast<std::size_t>(d)] > 1)
      invalid_argument("(C9) slice_sizes {} must be at most 1 in the collapsed dimension {}", sizes, d);
  for (std::int64_t d : g.operand_batching_dims)
    if (sizes[static_cast<std::size_t>(d)] > 1)
      invalid_argument("(C12) slice_sizes {} must be at most 1 in the batching dimension {}", sizes, d);
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] < 0 || sizes[d] > operand.dims[d])
      invalid_argument("(C21) slice_sizes {} must lie between 0 and the extents of {}", sizes, operand.str());
}

/// The specification lets a size be 0 in a dimension that the result does not have: then each element of the
/// result would be read from a slice of none.
void check_slices_have_elements(const GatherDimensions& g, const ir::Dims& sizes) {
  for (std::int64_t d : g.collapsed_slice_dims)
    if (sizes[static_cast<std::size_t>(d)] == 0)
      invalid_argument("(C9) slice_sizes {} are 0 in the collapsed dimension {}; the result has elements",
                       sizes, d);
  for (std::int64_t d : g.operand_batching_dims)
    if (sizes[static_cast<std::size_t>(d)] == 0)
      invalid_argument("(C12) slice_sizes {} are 0 in the batching dimension {}; the result has elements",
                       sizes, d);
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType& operand = context.type(0);
  const ir::TensorType& indices = context.type(1);
  const GatherDimensions g = read_dimensions(context.attributes);
  const auto& sizes = context.attributes.get<ir::Dims>("slice_sizes");
  check_indices(g, operand, indices);
  check_operand(g, operand, indices, sizes);
  const ir::Dims batch = index_vectors(g).batch_dims(indices.dims);
  const ir::Dims window = extents(sizes, remaining_dimensions(operand.rank(), dropped_dims(g)));
  const auto rank = static_cast<std::int64_t>(batch.size() + window.size());
  if (!is_unique(g.offset_dims) || !is_sorted(g.offset_dims))
    invalid_argument("(C4) offset_dims must be sorted and not repeat; got {}", g.offset_dims);
  if (!all_in_range(g.offset_dims, rank))
    invalid_argument("(C5) offset_dims {} must lie in [0, {})", g.offset_dims, rank);
  ir::Dims result(static_cast<std::size_t>(rank));
  const ir::Dims batch_at = remaining_dimensions(rank, g.offset_dims);
  for (std::size_t i = 0; i < batch.size(); ++i) result[static_cast<std::size_t>(batch_at[i])] = batch[i];
  for (std::size_t i = 0; i < window.size(); ++i)
    result[static_cast<std::size_t>(g.offset_dims[i])] = window[i];
  if (!contains(result, 0)) check_slices_have_elements(g, sizes);
  return {{operand.dtype, result}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& operand = context.operands[0];
  const ir::Literal& indices = context.operands[1];
  const GatherDimensions g = gather_dimensions(context.op);
  const IndexVectors vectors = index_vectors(g);
  const ir::Dims& dims = operand.type().dims;
  const auto& sizes = context.op.attributes().get<ir::Dims>("slice_sizes");
  const ir::Dims strides = ir::row_major_strides(dims);
  const ir::Dims window_strides =
      extents(strides, remaining_dimensions(operand.type().rank(), dropped_dims(g)));
  const ir::Dims batch_at = remaining_dimensions(result.type().rank(), g.offset_dims);
  const std::size_t size = ir::size_bytes(operand.type().dtype);
  for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    ir::Dims start = vectors.window_start(indices, extents(index, batch_at), operand.type().rank());
    for (std::size_t d = 0; d < start.size(); ++d)
      if (!contains(g.operand_batching_dims, static_cast<std::int64_t>(d)))
        start[d] = std::clamp<std::int64_t>(start[d], 0, dims[d] - sizes[d]);
    const std::int64_t from =
        linear_index(start, strides) + linear_index(extents(index, g.offset_dims), window_strides);
    copy_element(result.mutable_bytes(), at, operand.bytes(), from, size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value operand = context.op.operand(0), indices = context.op.operand(1);
  const GatherDimensions g = gather_dimensions(context.op);
  const auto& sizes = context.op.attributes().get<ir::Dims>("slice_sizes");
  // gather clamps, scatter skips what is outside.
  ir::Dims limits;
  for (std::int64_t d : g.start_index_map)
    limits.push_back(operand.dims()[static_cast<std::size_t>(d)] - sizes[static_cast<std::size_t>(d)]);
  const ir::Value inside =
      clamp_components(builder, indices, g.index_vector_dim, ir::Dims(limits.size(), 0), limits);
  const ScatterDimensions s = {.update_window_dims = g.offset_dims,
                               .inserted_window_dims = g.collapsed_slice_dims,
                               .input_batching_dims = g.operand_batching_dims,
                               .scatter_indices_batching_dims = g.start_indices_batching_dims,
                               .scatter_dims_to_operand_dims = g.start_index_map,
                               .index_vector_dim = g.index_vector_dim};
  const ScatterOptions options = {.indices_are_sorted =
                                      context.op.attributes().get<bool>("indices_are_sorted")};
  return {
      scatter_add(builder, full(builder, operand.type(), 0), inside, context.result_gradients[0], s, options),
      ir::Value()};
}

std::string print_attributes(const ir::Op& op) {
  const GatherDimensions g = gather_dimensions(op);
  std::string text;
  append_list(text, "offset_dims", g.offset_dims);
  append_list(text, "collapsed_slice_dims", g.collapsed_slice_dims);
  append_list(text, "operand_batching_dims", g.operand_batching_dims);
  append_list(text, "start_indices_batching_dims", g.start_indices_batching_dims);
  append_list(text, "start_index_map", g.start_index_map);
  const auto& sizes = op.attributes().get<ir::Dims>("slice_sizes");
  return fmt::format(
      "dimension_numbers = #stablehlo.gather<{}{}index_vector_dim = {}>, indices_are_sorted = {}, "
      "slice_sizes = array<i64{}{}>",
      text, text.empty() ? "" : ", ", g.index_vector_dim, op.attributes().get<bool>("indices_are_sorted"),
      sizes.empty() ? "" : ": ", fmt::join(sizes, ", "));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::Attributes attributes = read_gather_dimensions(text);
  attributes.set("slice_sizes", text.integers({"slice_sizes"}));
  return attributes;
}

const ir::OpDef kGather = {.name = "gather",
                           .infer = infer,
                           .gradient = gradient,
                           .reference = reference,
                           .print_attributes = print_attributes,
                           .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kGather>(); }

}  // namespace gather_folder

GatherDimensions gather_dimensions(const ir::Attributes& attributes) {
  return gather_folder::read_dimensions(attributes);
}
GatherDimensions gather_dimensions(const ir::Op& gather) { return gather_dimensions(gather.attributes()); }

ir::Attributes read_gather_dimensions(ir::OpAttributes& text) {
  ir::OpAttributes numbers = text.inside({"dimension_numbers"});
  return {{"offset_dims", numbers.integers({"offset_dims"}, {})},
          {"collapsed_slice_dims", numbers.integers({"collapsed_slice_dims"}, {})},
          {"operand_batching_dims", numbers.integers({"operand_batching_dims"}, {})},
          {"start_indices_batching_dims", numbers.integers({"start_indices_batching_dims"}, {})},
          {"start_index_map", numbers.integers({"start_index_map"}, {})},
          {"index_vector_dim", numbers.integer({"index_vector_dim"}, 0)},
          {"indices_are_sorted", text.boolean({"indices_are_sorted"}, false)}};
}

ir::Value gather(ir::Builder& builder, ir::Value operand, ir::Value start_indices,
                 const GatherDimensions& dimensions, ir::Dims slice_sizes, bool indices_are_sorted) {
  return builder
      .create(gather_folder::kGather, {operand, start_indices},
              {{"offset_dims", dimensions.offset_dims},
               {"collapsed_slice_dims", dimensions.collapsed_slice_dims},
               {"operand_batching_dims", dimensions.operand_batching_dims},
               {"start_indices_batching_dims", dimensions.start_indices_batching_dims},
               {"start_index_map", dimensions.start_index_map},
               {"index_vector_dim", dimensions.index_vector_dim},
               {"slice_sizes", std::move(slice_sizes)},
               {"indices_are_sorted", indices_are_sorted}})
      .result();
}

ir::Value gather_rows(ir::Builder& builder, ir::Value table, ir::Value ids) {
  if (table.rank() < 1 || table.dims()[0] < 1)
    invalid_argument("[gather_rows] the table must have at least one row; got {}", table.type().str());
  ir::Dims offset_dims = counting(table.rank() - 1);
  for (std::int64_t& dimension : offset_dims) dimension += ids.rank();
  ir::Dims sizes = table.dims();
  sizes[0] = 1;
  return gather(builder, table, ids,
                {.offset_dims = std::move(offset_dims),
                 .collapsed_slice_dims = {0},
                 .start_index_map = {0},
                 .index_vector_dim = ids.rank()},
                std::move(sizes));
}

bool is_gather_rows(const ir::Op& gather) {
  const GatherDimensions g = gather_dimensions(gather);
  const ir::Value table = gather.operand(0), ids = gather.operand(1);
  ir::Dims sizes = table.dims();
  if (sizes.empty()) return false;
  sizes[0] = 1;
  return g.collapsed_slice_dims == ir::Dims{0} && g.start_index_map == ir::Dims{0} &&
         g.operand_batching_dims.empty() &&
         g.offset_dims == remaining_dimensions(ids.rank() + table.rank() - 1, counting(ids.rank())) &&
         g.index_vector_dim == ids.rank() && gather.attributes().get<ir::Dims>("slice_sizes") == sizes;
}

}  // namespace cornu::inline v0::ops
