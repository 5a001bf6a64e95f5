#include "cornu/data/components.h"

#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::data {
namespace {

Element combine_level(Leaves elements, const CombineLeaves& combine, std::size_t& component) {
  const Element& first = *elements.front();
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i]->is_structure() != first.is_structure() || elements[i]->size() != first.size() ||
        elements[i]->names() != first.names())
      invalid_argument("[batch] the elements of a batch need one structure; the first is {}, element {} {}",
                       first.type_str(), i, elements[i]->type_str());
  if (!first.is_structure()) return combine(elements, component++);
  std::vector<Element> parts;
  std::vector<const Element*> column(elements.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    for (std::size_t i = 0; i < elements.size(); ++i) column[i] = &elements[i]->parts()[k];
    parts.push_back(combine_level(column, combine, component));
  }
  return with_parts(first, std::move(parts));
}

}  // namespace

Element combine_components(std::span<const Element> elements, const CombineLeaves& combine) {
  std::vector<const Element*> all;
  all.reserve(elements.size());
  for (const Element& element : elements) all.push_back(&element);
  std::size_t component = 0;
  return combine_level(all, combine, component);
}

TensorType numeric_type(const Element& leaf) {
  if (leaf.is_number()) return {leaf.number().dtype, {}};
  if (leaf.is_numeric()) return leaf.tensor().type();
  invalid_argument("[batch] a component holds numbers in one element and {} in another", leaf.type_str());
}

}  // namespace cornu::inline v0::data
