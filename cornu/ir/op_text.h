#pragma once

#include <string_view>

#include "cornu/ir/attribute.h"

namespace cornu::inline v0::ir {

class OpAttributes;
class ShortForm;

/// Data for parsing an op that its definition does not contain: a row for each op.
struct OpText {
  /// The op's name, as in its definition.
  std::string_view name;
  bool has_regions = false;
  /// The attributes, see text/op_attributes.h; null: each by its kind, under its own name.
  Attributes (*read_attributes)(OpAttributes&) = nullptr;
  /// Parses a short form with regions, see text/short_form.h; null: the op has none.
  void (*read_short_form)(ShortForm&) = nullptr;
};

}  // namespace cornu::inline v0::ir
