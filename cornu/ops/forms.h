#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"

/// Tables of forms: ops that the readers write out in other ops, so that no graph contains them.
namespace cornu::inline v0::ops {

using ReadAttributes = decltype(ir::OpDef::read_attributes);

/// A row of a table.
ir::OpDef form(std::string_view name, ir::ExpandFn expand, ReadAttributes read);

/// The row with this name, or null.
const ir::OpDef* find_form(std::span<const ir::OpDef> forms, std::string_view full_name);

/// The shape rule of every form; never called.
std::vector<ir::TensorType> infer_form(const ir::InferContext& context);

/// For forms without attributes.
ir::Attributes read_nothing(ir::OpAttributes& text);

/// Throws InvalidArgument unless the form has `count` operands.
void check_operand_count(const ir::ExpandContext& context, std::size_t count);

}  // namespace cornu::inline v0::ops
