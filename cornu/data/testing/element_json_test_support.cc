#include "cornu/data/testing/element_json_test_support.h"

namespace cornu::inline v0::data {
namespace {

/// Items [begin, ...) of a block of this shape from `axis` on, each by `item`.
template <typename F>
nlohmann::json block_json(const Dims& shape, std::size_t axis, std::int64_t& place, const F& item) {
  if (axis == shape.size()) return item(place++);
  nlohmann::json list = nlohmann::json::array();
  for (std::int64_t i = 0; i < shape[axis]; ++i) list.push_back(block_json(shape, axis + 1, place, item));
  return list;
}

nlohmann::json tensor_json(const Tensor& tensor) {
  std::int64_t place = 0;
  return block_json(tensor.shape(), 0, place, [&](std::int64_t i) -> nlohmann::json {
    if (tensor.dtype() == DType::kI1) return tensor.at(i) != 0;
    if (ir::is_float(tensor.dtype())) return tensor.at(i);
    return static_cast<std::int64_t>(tensor.at(i));
  });
}

nlohmann::json ragged_json(const Ragged& ragged) {
  const nlohmann::json values = element_json(ragged.values());
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 1; i < ragged.row_splits().size(); ++i)
    list.push_back(
        nlohmann::json(values.begin() + ragged.row_splits()[i - 1], values.begin() + ragged.row_splits()[i]));
  return list;
}

}  // namespace

nlohmann::json element_json(const Element& element) {
  if (element.is_numeric()) return tensor_json(element.tensor());
  if (element.is_text()) return element.text();
  if (element.is_ragged()) return ragged_json(element.ragged());
  if (element.is_dataset()) return {{"dataset", elements_json(Dataset(element.dataset()))}};
  if (element.is_strings()) {
    std::int64_t place = 0;
    return block_json(element.strings().shape(), 0, place,
                      [&](std::int64_t i) -> nlohmann::json { return element.strings()[i]; });
  }
  nlohmann::json parts = element.names().empty() ? nlohmann::json::array() : nlohmann::json::object();
  for (std::size_t i = 0; i < element.size(); ++i) {
    if (element.names().empty())
      parts.push_back(element_json(element[i]));
    else
      parts[element.names()[i]] = element_json(element[i]);
  }
  return parts;
}

nlohmann::json elements_json(const Dataset& dataset) {
  nlohmann::json list = nlohmann::json::array();
  for (const Element& element : dataset) list.push_back(element_json(element));
  return list;
}

}  // namespace cornu::inline v0::data
