#pragma once

#include <span>

#include "cornu/ir/op_text.h"

namespace cornu::inline v0::ops {

/// The ops with attributes or short forms that the reader of text cannot read by their kind, and those with
/// regions; generated from the folders' *_text.cc.
std::span<const ir::OpText> all_op_texts();

}  // namespace cornu::inline v0::ops
