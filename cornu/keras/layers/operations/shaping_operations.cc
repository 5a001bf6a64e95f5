#include "cornu/keras/layers/operations/operation_call_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

template <Tensor (*kFunction)(const Tensor&, std::int64_t)>
Tensors with_k(const Call& c) {
  return {kFunction(c[0], c.get<std::int64_t>("k", 0))};
}

template <Tensor (*kFunction)(const Tensor&, std::optional<DType>)>
Tensors created_like(const Call& c) {
  return {kFunction(c[0], c.get("dtype", std::optional<DType>()))};
}

template <Tensors (*kFunction)(const Tensor&, const ops::IntOrInts&, std::int64_t)>
Tensors parts(const Call& c) {
  return kFunction(c[0], c.get<ops::IntOrInts>("indices_or_sections", 0), c.get<std::int64_t>("axis", 0));
}

template <Tensor (*kFunction)(const Tensor&, const ops::DiagonalOptions&)>
Tensors diagonals(const Call& c) {
  using O = ops::DiagonalOptions;
  return {kFunction(c[0], c.options<O>("offset", &O::offset, "axis1", &O::axis1, "axis2", &O::axis2))};
}

Tensors pad(const Call& c) {
  using O = ops::PadOptions;
  const O options = c.options<O>("mode", &O::mode, "constant_values", &O::constant_values);
  const Config* const width = c.find("pad_width");
  if (width != nullptr && width->is_integer()) return {ops::pad(c[0], width->as_integer(), options)};
  std::vector<std::pair<std::int64_t, std::int64_t>> widths;
  if (width == nullptr || !width->is_list()) saving::wrong_type({"Pad", "pad_width"}, "a list", Config());
  for (const Config& each : width->as_list()) {
    Dims both;
    saving::read_value(each, {"Pad", "pad_width"}, both);
    if (both.size() != 2) saving::wrong_type({"Pad", "pad_width"}, "pairs of integers", each);
    widths.emplace_back(both[0], both[1]);
  }
  return {ops::pad(c[0], widths, options)};
}

/// A number that is known when the program is traced, as an i32 scalar.
template <std::int64_t (*kFunction)(const Tensor&)>
Tensors counted(const Call& c) {
  return {ops::full({}, kFunction(c[0]), {.dtype = DType::kI32})};
}

}  // namespace

std::vector<OperationRow> shaping_operations() {
  return {
      {"Reshape", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::reshape(c[0], c.get<Dims>("newshape"))}; }},
      {"Ravel", kNumpyModule, "x", &of_one<&ops::ravel>},
      {"Transpose", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::transpose(c[0], {.axes = c.get("axes", Dims())})}; }},
      {"Swapaxes", kNumpyModule, "x",
       [](const Call& c) {
         return Tensors{ops::swapaxes(c[0], c.get<std::int64_t>("axis1"), c.get<std::int64_t>("axis2"))};
       }},
      {"Moveaxis", kNumpyModule, "x",
       [](const Call& c) {
         return Tensors{ops::moveaxis(c[0], c.get<ops::Axes>("source"), c.get<ops::Axes>("destination"))};
       }},
      {"BroadcastTo", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::broadcast_to(c[0], c.get<Dims>("shape"))}; }},
      {"ExpandDims", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::expand_dims(c[0], c.get<ops::Axes>("axis"))}; }},
      {"Squeeze", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::squeeze(c[0], {.axis = c.get("axis", ops::Axes())})}; }},
      {"Concatenate", kNumpyModule, "[xs]",
       [](const Call& c) {
         return Tensors{ops::concatenate(c.tensors("xs"), c.get<std::int64_t>("axis", 0))};
       }},
      {"Stack", kNumpyModule, "[x]",
       [](const Call& c) { return Tensors{ops::stack(c.tensors("x"), c.get<std::int64_t>("axis", 0))}; }},
      {"Hstack", kNumpyModule, "[xs]", [](const Call& c) { return Tensors{ops::hstack(c.tensors("xs"))}; }},
      {"Vstack", kNumpyModule, "[xs]", [](const Call& c) { return Tensors{ops::vstack(c.tensors("xs"))}; }},
      {"Append", kNumpyModule, "x1 x2",
       [](const Call& c) {
         return Tensors{ops::append(c[0], c[1], {.axis = c.get("axis", std::optional<std::int64_t>())})};
       }},
      {"Unstack", kCoreModule, "x",
       [](const Call& c) { return ops::unstack(c[0], c.get<std::int64_t>("axis", 0)); }},
      {"Split", kNumpyModule, "x", &parts<&ops::split>},
      {"ArraySplit", kNumpyModule, "x", &parts<&ops::array_split>},
      {"Tile", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::tile(c[0], c.get<ops::IntOrInts>("repeats", 1))}; }},
      {"Repeat", kNumpyModule, "x",
       [](const Call& c) {
         return Tensors{ops::repeat(c[0], c.get<ops::IntOrInts>("repeats", 1),
                                    {.axis = c.get("axis", std::optional<std::int64_t>())})};
       }},
      {"Flip", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::flip(c[0], {.axis = c.get("axis", ops::Axes())})}; }},
      {"Flipud", kNumpyModule, "x", &of_one<&ops::flipud>},
      {"Fliplr", kNumpyModule, "x", &of_one<&ops::fliplr>},
      {"Rot90", kNumpyModule, "array",
       [](const Call& c) {
         using O = ops::Rot90Options;
         return Tensors{ops::rot90(c[0], c.options<O>("k", &O::k, "axes", &O::axes))};
       }},
      {"Roll", kNumpyModule, "x",
       [](const Call& c) {
         return Tensors{
             ops::roll(c[0], c.get<ops::IntOrInts>("shift", 0), {.axis = c.get("axis", ops::Axes())})};
       }},
      {"Pad", kNumpyModule, "x constant_values?", &pad},
      {"Diag", kNumpyModule, "x", &with_k<&ops::diag>},
      {"Diagflat", kNumpyModule, "x", &with_k<&ops::diagflat>},
      {"Tril", kNumpyModule, "x", &with_k<&ops::tril>},
      {"Triu", kNumpyModule, "x", &with_k<&ops::triu>},
      {"Diagonal", kNumpyModule, "x", &diagonals<&ops::diagonal>},
      {"Trace", kNumpyModule, "x", &diagonals<&ops::trace>},
      {"Diff", kNumpyModule, "a",
       [](const Call& c) {
         using O = ops::DiffOptions;
         return Tensors{ops::diff(c[0], c.options<O>("n", &O::n, "axis", &O::axis))};
       }},
      {"Meshgrid", kNumpyModule, "*x",
       [](const Call& c) {
         return ops::meshgrid(c.tensors("x"), c.get<std::string_view>("indexing", "xy"));
       }},
      {"ZerosLike", kNumpyModule, "x", &created_like<&ops::zeros_like>},
      {"OnesLike", kNumpyModule, "x", &created_like<&ops::ones_like>},
      {"EmptyLike", kNumpyModule, "x", &created_like<&ops::empty_like>},
      {"FullLike", kNumpyModule, "x fill_value",
       [](const Call& c) {
         return Tensors{ops::full_like(c[0], c[1], {.dtype = c.get("dtype", std::optional<DType>())})};
       }},
      {"Full", kNumpyModule, "fill_value",
       [](const Call& c) {
         const DType dtype = c.get("dtype", std::optional<DType>()).value_or(c[0].dtype());
         return Tensors{ops::full(c.get<Dims>("shape"), c[0], {.dtype = dtype})};
       }},
      {"Size", kNumpyModule, "x", &counted<&ops::size>},
      {"Ndim", kNumpyModule, "x", &counted<&ops::ndim>},
      {"Linspace", kNumpyModule, "start stop",
       [](const Call& c) {
         using O = ops::LinspaceOptions;
         const O options =
             c.options<O>("num", &O::num, "endpoint", &O::endpoint, "dtype", &O::dtype, "axis", &O::axis);
         return Tensors{ops::linspace(c[0], c[1], options)};
       }},
      {"WithMask", kCoreModule, "x mask", [](const Call& c) { return Tensors{c[0].with_mask(c[1])}; }},
  };
}

}  // namespace cornu::inline v0::keras::layers
