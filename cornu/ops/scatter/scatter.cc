#include "cornu/ops/scatter/scatter.h"

#include <algorithm>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/gather/index_vectors.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/scatter/scatter_gradient.h"

namespace cornu::inline v0::ops {
namespace scatter_folder {
namespace {

ScatterDimensions read_dimensions(const ir::Attributes& attributes) {
  return {.update_window_dims = attributes.get<ir::Dims>("update_window_dims"),
          .inserted_window_dims = attributes.get<ir::Dims>("inserted_window_dims"),
          .input_batching_dims = attributes.get<ir::Dims>("input_batching_dims"),
          .scatter_indices_batching_dims = attributes.get<ir::Dims>("scatter_indices_batching_dims"),
          .scatter_dims_to_operand_dims = attributes.get<ir::Dims>("scatter_dims_to_operand_dims"),
          .index_vector_dim = attributes.get<std::int64_t>("index_vector_dim")};
}

IndexVectors index_vectors(const ScatterDimensions& dimensions) {
  return {.index_map = dimensions.scatter_dims_to_operand_dims,
          .operand_batching_dims = dimensions.input_batching_dims,
          .indices_batching_dims = dimensions.scatter_indices_batching_dims,
          .index_vector_dim = dimensions.index_vector_dim};
}

/// The inputs' dimensions that a window does not have.
ir::Dims dropped_dims(const ScatterDimensions& dimensions) {
  return concatenated(dimensions.inserted_window_dims, dimensions.input_batching_dims);
}

void check_dimensions(const ScatterDimensions& s, const ir::TensorType& input, const ir::TensorType& indices,
                      const ir::TensorType& update) {
  if (input.rank() != static_cast<std::int64_t>(s.update_window_dims.size() + dropped_dims(s).size()))
    invalid_argument(
        "(C2) rank {} must be the number of update_window_dims {}, inserted_window_dims {} and "
        "input_batching_dims {}",
        input.rank(), s.update_window_dims, s.inserted_window_dims, s.input_batching_dims);
  if (!is_unique(s.update_window_dims) || !is_sorted(s.update_window_dims))
    invalid_argument("(C7) update_window_dims must be sorted and not repeat; got {}", s.update_window_dims);
  if (!all_in_range(s.update_window_dims, update.rank()))
    invalid_argument("(C8) update_window_dims {} must be dimensions of {}", s.update_window_dims,
                     update.str());
  if (!is_unique(dropped_dims(s)))
    invalid_argument("(C9) inserted_window_dims {} and input_batching_dims {} must not repeat",
                     s.inserted_window_dims, s.input_batching_dims);
  if (!is_sorted(s.inserted_window_dims))
    invalid_argument("(C10) inserted_window_dims must be sorted; got {}", s.inserted_window_dims);
  if (!all_in_range(s.inserted_window_dims, input.rank()))
    invalid_argument("(C11) inserted_window_dims {} must be dimensions of {}", s.inserted_window_dims,
                     input.str());
  if (!is_sorted(s.input_batching_dims))
    invalid_argument("(C12) input_batching_dims must be sorted; got {}", s.input_batching_dims);
  if (!all_in_range(s.input_batching_dims, input.rank()))
    invalid_argument("(C13) input_batching_dims {} must be dimensions of {}", s.input_batching_dims,
                     input.str());
  if (!is_unique(s.scatter_indices_batching_dims))
    invalid_argument("(C14) scatter_indices_batching_dims must not repeat; got {}",
                     s.scatter_indices_batching_dims);
  if (!all_in_range(s.scatter_indices_batching_dims, indices.rank()))
    invalid_argument("(C15) scatter_indices_batching_dims {} must be dimensions of {}",
                     s.scatter_indices_batching_dims, indices.str());
  if (contains(s.scatter_indices_batching_dims, s.index_vector_dim))
    invalid_argument("(C16) index_vector_dim {} must not be in scatter_indices_batching_dims {}",
                     s.index_vector_dim, s.scatter_indices_batching_dims);
  if (s.input_batching_dims.size() != s.scatter_indices_batching_dims.size())
    invalid_argument("(C17) input_batching_dims {} and scatter_indices_batching_dims {} must have one size",
                     s.input_batching_dims, s.scatter_indices_batching_dims);
  if (extents(input.dims, s.input_batching_dims) != extents(indices.dims, s.scatter_indices_batching_dims))
    invalid_argument("(C18) extents of {} along {} and of {} along {} must agree", input.str(),
                     s.input_batching_dims, indices.str(), s.scatter_indices_batching_dims);
  if (s.index_vector_dim < 0 || s.index_vector_dim > indices.rank())
    invalid_argument("(C22) index_vector_dim {} must lie in [0, {}]", s.index_vector_dim, indices.rank());
  if (static_cast<std::int64_t>(s.scatter_dims_to_operand_dims.size()) !=
      index_vectors(s).num_components(indices.dims))
    invalid_argument(
        "(C19) scatter_dims_to_operand_dims {} must have {} entries, one a component of an index vector",
        s.scatter_dims_to_operand_dims, index_vectors(s).num_components(indices.dims));
  if (!is_unique(concatenated(s.scatter_dims_to_operand_dims, s.input_batching_dims)))
    invalid_argument("(C20) scatter_dims_to_operand_dims {} and input_batching_dims {} must not repeat",
                     s.scatter_dims_to_operand_dims, s.input_batching_dims);
  if (!all_in_range(s.scatter_dims_to_operand_dims, input.rank()))
    invalid_argument("(C21) scatter_dims_to_operand_dims {} must be dimensions of {}",
                     s.scatter_dims_to_operand_dims, input.str());
}

void check_updates_shape(const ScatterDimensions& s, const ir::TensorType& input,
                         const ir::TensorType& indices, const ir::TensorType& update) {
  const ir::Dims batch = index_vectors(s).batch_dims(indices.dims);
  if (extents(update.dims, remaining_dimensions(update.rank(), s.update_window_dims)) != batch)
    invalid_argument("(C4) updates {} must have the indices' extents {} outside update_window_dims {}",
                     update.str(), ir::shape_str(batch), s.update_window_dims);
  const ir::Dims largest = extents(input.dims, remaining_dimensions(input.rank(), dropped_dims(s)));
  const ir::Dims window = extents(update.dims, s.update_window_dims);
  for (std::size_t d = 0; d < window.size(); ++d)
    if (window[d] > largest[d])
      invalid_argument("(C4) windows {} must not be larger than the inputs' {}", ir::shape_str(window),
                       ir::shape_str(largest));
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.size() < 3 || context.operands.size() % 2 == 0)
    invalid_argument("(C5) there must be as many updates as inputs and at least one; got {} operands",
                     context.operands.size());
  const std::size_t count = (context.operands.size() - 1) / 2;
  const ir::TensorType& indices = context.type(count);
  if (!ir::is_integer(indices.dtype))
    invalid_argument("(I2) scatter_indices must be integers; got {}", indices.str());
  std::vector<ir::TensorType> results, scalars;
  for (std::size_t i = 0; i < count; ++i) {
    const ir::TensorType& input = context.type(i);
    const ir::TensorType& update = context.type(count + 1 + i);
    if (input.dims != context.type(0).dims)
      invalid_argument("(C1) inputs must have one shape; got {} and {}", context.type(0).str(), input.str());
    if (update.dims != context.type(count + 1).dims)
      invalid_argument("(C3) updates must have one shape; got {} and {}", context.type(count + 1).str(),
                       update.str());
    if (update.dtype != input.dtype)
      invalid_argument("(C6) updates must have their input's dtype; got {} for {}", update.str(),
                       input.str());
    results.push_back(input);
    scalars.push_back({input.dtype, {}});
  }
  const ScatterDimensions s = read_dimensions(context.attributes);
  check_dimensions(s, context.type(0), indices, context.type(count + 1));
  check_updates_shape(s, context.type(0), indices, context.type(count + 1));
  if (context.regions.size() != 1)
    invalid_argument("(C23) there must be one update_computation; got {}", context.regions.size());
  check_scalar_body(*context.regions[0], scalars, "(C23) update_computation");
  return results;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const std::size_t count = context.op.results().size();
  const ir::Literal& indices = context.operands[count];
  const auto updates = context.operands.subspan(count + 1);
  const ScatterDimensions s = scatter_dimensions(context.op);
  const IndexVectors vectors = index_vectors(s);
  std::vector<ir::Literal> results;
  for (std::size_t i = 0; i < count; ++i) {
    results.emplace_back(context.operands[i].type());
    std::copy(context.operands[i].bytes().begin(), context.operands[i].bytes().end(),
              results[i].mutable_bytes().begin());
  }
  const ir::Dims& dims = results[0].type().dims;
  const ir::Dims strides = ir::row_major_strides(dims);
  const ir::Dims window_dims = remaining_dimensions(results[0].type().rank(), dropped_dims(s));
  const ir::Dims batch_at = remaining_dimensions(updates[0].type().rank(), s.update_window_dims);
  for_each_index(updates[0].type().dims, [&](const ir::Dims& index, std::int64_t at) {
    ir::Dims target = vectors.window_start(indices, extents(index, batch_at), results[0].type().rank());
    // A start this far off has no element inside; adding to it could overflow.
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (target[d] <= -dims[d] || target[d] >= dims[d]) return;
    for (std::size_t i = 0; i < window_dims.size(); ++i)
      target[static_cast<std::size_t>(window_dims[i])] +=
          index[static_cast<std::size_t>(s.update_window_dims[i])];
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (target[d] < 0 || target[d] >= dims[d]) return;  // outside: skipped
    combine_elements(context, context.op.region(0), results, linear_index(target, strides), updates, at);
  });
  return results;
}

std::string print_attributes(const ir::Op& op) {
  const ScatterDimensions s = scatter_dimensions(op);
  std::string text;
  append_list(text, "update_window_dims", s.update_window_dims);
  append_list(text, "inserted_window_dims", s.inserted_window_dims);
  append_list(text, "input_batching_dims", s.input_batching_dims);
  append_list(text, "scatter_indices_batching_dims", s.scatter_indices_batching_dims);
  append_list(text, "scatter_dims_to_operand_dims", s.scatter_dims_to_operand_dims);
  return fmt::format(
      "indices_are_sorted = {}, scatter_dimension_numbers = #stablehlo.scatter<{}{}index_vector_dim = {}>, "
      "unique_indices = {}",
      op.attributes().get<bool>("indices_are_sorted"), text, text.empty() ? "" : ", ", s.index_vector_dim,
      op.attributes().get<bool>("unique_indices"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  ir::OpAttributes numbers = text.inside({"scatter_dimension_numbers"});
  return {{"update_window_dims", numbers.integers({"update_window_dims"}, {})},
          {"inserted_window_dims", numbers.integers({"inserted_window_dims"}, {})},
          {"input_batching_dims", numbers.integers({"input_batching_dims"}, {})},
          {"scatter_indices_batching_dims", numbers.integers({"scatter_indices_batching_dims"}, {})},
          {"scatter_dims_to_operand_dims", numbers.integers({"scatter_dims_to_operand_dims"}, {})},
          {"index_vector_dim", numbers.integer({"index_vector_dim"}, 0)},
          {"indices_are_sorted", text.boolean({"indices_are_sorted"}, false)},
          {"unique_indices", text.boolean({"unique_indices"}, false)}};
}

const ir::OpDef kScatter = {.name = "scatter",
                            .infer = infer,
                            .gradient = scatter_gradient,
                            .reference = reference,
                            .print_attributes = print_attributes,
                            .has_regions = true,
                            .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kScatter>(); }

}  // namespace scatter_folder

ScatterDimensions scatter_dimensions(const ir::Op& scatter) {
  return scatter_folder::read_dimensions(scatter.attributes());
}

std::vector<ir::Value> scatter(ir::Builder& builder, std::vector<ir::Value> inputs, ir::Value scatter_indices,
                               std::vector<ir::Value> updates, const ScatterDimensions& dimensions,
                               const ScatterBody& body, ScatterOptions options) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(make_scalar_body(builder, inputs, body));
  inputs.push_back(scatter_indices);
  inputs.insert(inputs.end(), updates.begin(), updates.end());
  ir::Attributes attributes = {{"update_window_dims", dimensions.update_window_dims},
                               {"inserted_window_dims", dimensions.inserted_window_dims},
                               {"input_batching_dims", dimensions.input_batching_dims},
                               {"scatter_indices_batching_dims", dimensions.scatter_indices_batching_dims},
                               {"scatter_dims_to_operand_dims", dimensions.scatter_dims_to_operand_dims},
                               {"index_vector_dim", dimensions.index_vector_dim},
                               {"indices_are_sorted", options.indices_are_sorted},
                               {"unique_indices", options.unique_indices}};
  const ir::Op& op =
      builder.create(scatter_folder::kScatter, std::move(inputs), std::move(attributes), std::move(regions));
  return {op.results().begin(), op.results().end()};
}

ir::Value scatter_add(ir::Builder& builder, ir::Value input, ir::Value scatter_indices, ir::Value updates,
                      const ScatterDimensions& dimensions, ScatterOptions options) {
  const auto body = [](ir::Builder& inner, std::span<const ir::Value> values) {
    return std::vector<ir::Value>{add(inner, values[0], values[1])};
  };
  return scatter(builder, {input}, scatter_indices, {updates}, dimensions, body, options)[0];
}

namespace {

/// The dimensions of a scatter of whole rows [i..., :] into `table` by ids [i...].
ScatterDimensions row_dimensions(ir::Value table, ir::Value ids) {
  ir::Dims window_dims = counting(table.rank() - 1);
  for (std::int64_t& dimension : window_dims) dimension += ids.rank();
  return {.update_window_dims = std::move(window_dims),
          .inserted_window_dims = {0},
          .scatter_dims_to_operand_dims = {0},
          .index_vector_dim = ids.rank()};
}

}  // namespace

ir::Value scatter_add_rows(ir::Builder& builder, ir::Value table, ir::Value ids, ir::Value updates) {
  if (table.rank() < 1)
    invalid_argument("[scatter_add_rows] the table must have rows; got {}", table.type().str());
  return scatter_add(builder, table, ids, updates, row_dimensions(table, ids));
}

ir::Value scatter_rows(ir::Builder& builder, ir::Value table, ir::Value ids, ir::Value updates) {
  if (table.rank() < 1)
    invalid_argument("[scatter_rows] the table must have rows; got {}", table.type().str());
  const auto body = [](ir::Builder&, std::span<const ir::Value> values) {
    return std::vector<ir::Value>{values[1]};
  };
  return scatter(builder, {table}, ids, {updates}, row_dimensions(table, ids), body)[0];
}

bool is_scatter_add_rows(const ir::Op& scatter) {
  if (scatter.results().size() != 1 || simple_body_kind(scatter.region(0)) != "add") return false;
  const ScatterDimensions s = scatter_dimensions(scatter);
  const ir::Value table = scatter.operand(0), ids = scatter.operand(1), updates = scatter.operand(2);
  if (table.rank() < 1) return false;
  const ir::Dims window_dims = remaining_dimensions(ids.rank() + table.rank() - 1, counting(ids.rank()));
  return s.inserted_window_dims == ir::Dims{0} && s.scatter_dims_to_operand_dims == ir::Dims{0} &&
         s.input_batching_dims.empty() && s.update_window_dims == window_dims &&
         s.index_vector_dim == ids.rank() &&
         extents(updates.dims(), window_dims) == ir::Dims(table.dims().begin() + 1, table.dims().end());
}

}  // namespace cornu::inline v0::ops
