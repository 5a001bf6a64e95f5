#pragma once

#include <vector>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// A stage of given elements: from_tensors, a window.
StagePointer elements_stage(std::vector<Element> elements);

/// The elements of a stage made by elements_stage; null for others.
const std::vector<Element>* held_elements(const Stage& stage);

/// All elements of a finite stage. Errors: InvalidArgument if it is infinite, or not known to be finite.
std::vector<Element> elements_of(const Stage& stage);

}  // namespace cornu::inline v0::data
