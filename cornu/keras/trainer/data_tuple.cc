#include "cornu/keras/trainer/data_tuple.h"

#include <vector>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::utils {
namespace {

bool is_tuple(const data::Element& element) { return element.is_structure() && element.names().empty(); }

}  // namespace

XYSampleWeight unpack_x_y_sample_weight(const data::Element& data) {
  if (!is_tuple(data)) return {data};
  constexpr std::size_t kMostParts = 3;
  if (data.size() < 1 || data.size() > kMostParts)
    invalid_argument(
        {.argument = "data"},
        "[unpack_x_y_sample_weight] data must be x, (x,), (x, y) or (x, y, sample_weight); got {} "
        "parts",
        data.size());
  XYSampleWeight parts{data[0]};
  if (data.size() > 1) parts.y = data[1];
  if (data.size() > 2) parts.sample_weight = data[2];
  return parts;
}

data::Element pack_x_y_sample_weight(const data::Element& x, const std::optional<data::Element>& y,
                                     const std::optional<data::Element>& sample_weight) {
  if (!y.has_value() && sample_weight.has_value())
    invalid_argument({.argument = "sample_weight"},
                     "[pack_x_y_sample_weight] sample_weight needs y: give both");
  if (!y.has_value()) return is_tuple(x) ? data::Element(std::vector<data::Element>{x}) : x;
  std::vector<data::Element> parts = {x, *y};
  if (sample_weight.has_value()) parts.push_back(*sample_weight);
  return data::Element(std::move(parts));
}

}  // namespace cornu::inline v0::keras::utils
