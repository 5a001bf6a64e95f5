#pragma once

#include <vector>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// A stage of elements that are there: from_tensors, a window.
StagePointer elements_stage(std::vector<Element> elements);

/// The elements of such a stage; null for another one.
const std::vector<Element>* held_elements(const Stage& stage);

/// All elements of a finite stage. Errors: InvalidArgument when it has no end that is known to come.
std::vector<Element> elements_of(const Stage& stage);

}  // namespace cornu::inline v0::data
