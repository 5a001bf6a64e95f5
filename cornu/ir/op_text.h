#pragma once

#include <string_view>

#include "cornu/ir/attribute.h"

namespace cornu::inline v0::ir {

class OpAttributes;
class ShortForm;

/// What the reader of text must know of an op besides its definition: a row a op.
struct OpText {
  static constexpr int kAnyNumber = -1;

  /// The definition's.
  std::string_view name;
  /// What a program says is held against these before the shape rule sees it, which may rely on the first.
  int min_operands = 0;
  int max_operands = kAnyNumber;
  bool has_regions = false;
  /// The attributes, see text/op_attributes.h; null: each by its kind, under its own name.
  Attributes (*read_attributes)(OpAttributes&) = nullptr;
  /// Reads a short form with regions, see text/short_form.h; null: there is none.
  void (*read_short_form)(ShortForm&) = nullptr;
};

}  // namespace cornu::inline v0::ir
