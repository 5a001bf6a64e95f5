#pragma once

#include <span>

#include "cornu/ir/op_text.h"

namespace cornu::inline v0::ops {

/// What the reader of text knows of each op; generated from the folders' *_text.cc.
std::span<const ir::OpText> all_op_texts();

}  // namespace cornu::inline v0::ops
