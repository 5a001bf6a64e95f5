#include "cornu/tensor/transformations.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::detail {
namespace {

/// Elements begin, begin + step, ... below `end` along the axis.
std::vector<Tensor> strided(const std::vector<Tensor>& elements, std::int64_t axis, const Slice& slice) {
  std::vector<Tensor> parts;
  parts.reserve(elements.size());
  for (const Tensor& element : elements) {
    std::vector<Index> key(static_cast<std::size_t>(axis), Slice());
    key.emplace_back(slice);
    parts.push_back(ops::get_item(element, key));
  }
  return parts;
}

std::int64_t extent_of(const Tensor& x, std::int64_t axis) {
  return x.shape()[static_cast<std::size_t>(axis)];
}

/// Even elements, and odd elements between them: there are as many, or one even element more.
Tensor interleaved(const Tensor& even, const Tensor& odd, std::int64_t axis) {
  const std::int64_t pairs = extent_of(odd, axis), count = extent_of(even, axis) + pairs;
  const auto head = [&](std::int64_t begin, std::int64_t end) {
    return strided({even}, axis, {.begin = begin, .end = end})[0];
  };
  Dims shape = odd.shape();
  shape[static_cast<std::size_t>(axis)] = 2 * pairs;
  const Tensor joined = ops::reshape(ops::stack({head(0, pairs), odd}, axis + 1), shape);
  return count == 2 * pairs ? joined : ops::concatenate({joined, head(pairs, pairs + 1)}, axis);
}

/// f(a, b), whose results must have b's types.
std::vector<Tensor> combined(CombineFn f, const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  std::vector<Tensor> results = f(a, b);
  if (results.size() != b.size())
    invalid_argument("[associative_scan] f must return {} tensors; got {}", b.size(), results.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    if (results[i].shape() != b[i].shape() || results[i].dtype() != b[i].dtype())
      invalid_argument("[associative_scan] f must return the types of its arguments; got {} for {}",
                       type_str(results[i].type()), type_str(b[i].type()));
  return results;
}

std::vector<Tensor> scanned(CombineFn f, const std::vector<Tensor>& elements, std::int64_t axis) {
  const std::int64_t count = extent_of(elements[0], axis);
  if (count < 2) return elements;
  const std::vector<Tensor> pairs =
      combined(f, strided(elements, axis, {.begin = 0, .end = count - 1, .step = 2}),
               strided(elements, axis, {.begin = 1, .end = {}, .step = 2}));
  const std::vector<Tensor> odd = scanned(f, pairs, axis);
  std::vector<Tensor> even = strided(elements, axis, {.begin = 0, .end = 1});
  if (count > 2) {
    const std::vector<Tensor> before =
        count % 2 == 0 ? strided(odd, axis, {.begin = 0, .end = count / 2 - 1}) : odd;
    const std::vector<Tensor> later =
        combined(f, before, strided(elements, axis, {.begin = 2, .end = {}, .step = 2}));
    for (std::size_t i = 0; i < even.size(); ++i) even[i] = ops::concatenate({even[i], later[i]}, axis);
  }
  std::vector<Tensor> results;
  results.reserve(even.size());
  for (std::size_t i = 0; i < even.size(); ++i) results.push_back(interleaved(even[i], odd[i], axis));
  return results;
}

void check_directions(const std::vector<Tensor>& primals, const std::vector<Tensor>& tangents) {
  if (primals.size() != tangents.size())
    invalid_argument("[jvp] tangents must have as many tensors as primals; got {} and {}", tangents.size(),
                     primals.size());
  for (std::size_t i = 0; i < primals.size(); ++i)
    if (primals[i].shape() != tangents[i].shape() || primals[i].dtype() != tangents[i].dtype())
      invalid_argument("[jvp] tangent {} must have its primal's type; got {} for {}", i,
                       type_str(tangents[i].type()), type_str(primals[i].type()));
}

}  // namespace

std::vector<Tensor> associative_scan(CombineFn f, std::vector<Tensor> elements,
                                     const AssociativeScanOptions& options) {
  if (elements.empty()) invalid_argument("[associative_scan] elems must have at least one tensor");
  const std::int64_t rank = elements[0].rank();
  const std::int64_t axis = options.axis < 0 ? options.axis + rank : options.axis;
  for (const Tensor& element : elements)
    if (axis < 0 || axis >= element.rank() || extent_of(element, axis) != extent_of(elements[0], axis))
      invalid_argument({.argument = "axis"},
                       "[associative_scan] all tensors must have one extent along axis {}; got the shapes {} "
                       "and {}",
                       options.axis, ir::shape_str(elements[0].shape()), ir::shape_str(element.shape()));
  if (extent_of(elements[0], axis) == 0) return elements;
  const auto turned = [&](std::vector<Tensor> tensors) {
    for (Tensor& tensor : tensors) tensor = ops::flip(tensor, {.axis = axis});
    return tensors;
  };
  return options.reverse ? turned(scanned(f, turned(std::move(elements)), axis)) : scanned(f, elements, axis);
}

std::vector<Tensor> jvp(ResultsFn f, const std::vector<Tensor>& primals, const std::vector<Tensor>& tangents,
                        std::vector<Tensor>& results) {
  check_directions(primals, tangents);
  // The gradient g(u) of the results with cotangents u is linear in u: its gradient along the tangents is the
  // product, whatever u is.
  GradientTape outer;
  std::vector<Tensor> cotangents, gradients, used, directions;
  {
    GradientTape inner;
    std::vector<Tensor> sources = primals;
    inner.watch(sources);
    results = f(sources);
    for (const Tensor& result : results) cotangents.push_back(ops::zeros_like(result));
    outer.watch(cotangents);
    gradients =
        inner.gradient(Targets(results), std::span<const Tensor>(sources), {.output_gradients = cotangents});
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;  // the results do not depend on this primal
    used.push_back(gradients[i]);
    directions.push_back(tangents[i]);
  }
  if (used.empty()) return cotangents;
  return outer.gradient(
      Targets(used), std::span<const Tensor>(cotangents),
      {.output_gradients = directions, .unconnected_gradients = UnconnectedGradients::kZero});
}

}  // namespace cornu::inline v0::detail
