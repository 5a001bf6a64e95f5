#pragma once

#include <optional>

#include "cornu/data/element.h"

/// Elements of data sets as Model::fit takes them: x, (x,), (x, y) or (x, y, sample_weight).
namespace cornu::inline v0::keras::utils {

/// The parts of an element; unset ones are missing.
struct XYSampleWeight {
  data::Element x;
  std::optional<data::Element> y = {};
  std::optional<data::Element> sample_weight = {};
};

/// The parts of an element: a tuple of one to three parts, or anything else as x alone.
///
///     const auto [x, y, sample_weight] = utils::unpack_x_y_sample_weight(element);
///
/// Errors: InvalidArgument for a tuple of no or more than three parts.
XYSampleWeight unpack_x_y_sample_weight(const data::Element& data);

/// The element of these parts: x alone without y, but (x,) if x is itself a tuple.
/// Errors: InvalidArgument for a sample_weight without y.
data::Element pack_x_y_sample_weight(const data::Element& x, const std::optional<data::Element>& y = {},
                                     const std::optional<data::Element>& sample_weight = {});

}  // namespace cornu::inline v0::keras::utils
