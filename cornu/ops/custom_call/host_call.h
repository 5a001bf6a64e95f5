#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ops/custom_call/host_functions.h"

namespace cornu::inline v0::ops {

/// The custom call of a function of the host program (host_functions.h), such as a Python callback of JAX.
///
/// Semantics: calls the function with the operands' elements; it writes the results'. A call without side
///            effects may be dropped if no result is used, and may be merged with an equal one. A call with
///            side effects runs once wherever the program has it, in the program's order: transform::
///            order_effects gives it a token as its last operand and its last result.
/// Attributes: backend_config: the function's number, then a space and a name for messages.
///            has_side_effect. cornu.has_token: the call has a token.
///            cornu.result_types: for each result its dtype, its rank and its extents.
/// Types:     booleans, integers of 8 to 64 bits, floats of 16 to 64 bits.
/// Errors:    InvalidArgument when (I1) backend_config has no number, (I2) a type is another one,
///            (I3) a call with a token lacks it as an operand or a result.
///            FailedPrecondition at run time if the function fails, with its message.
/// Gradient:  none.
inline constexpr std::string_view kHostCall = "cornu_host_call";

/// The attribute of a call that has a token.
inline constexpr std::string_view kHasToken = "cornu.has_token";

/// The type of a host call's token, which is never read. It has an element, because values without elements
/// depend on nothing.
ir::TensorType effect_token_type();

bool is_host_call(const ir::Op& op);

/// True for a host call with side effects that has no token yet.
bool needs_token(const ir::Op& op);

/// Appends a copy of a call that needs a token, with the token as its last operand and its last result.
ir::Op& call_with_token(ir::Builder& b, const ir::Op& op, std::vector<ir::Value> operands, ir::Value token);

/// The function that a host call calls.
/// Errors: those of find_host_function.
std::shared_ptr<const HostFunctionEntry> called_function(const ir::Op& op);

/// The operands or the results that the function has: all without the token.
std::span<const ir::Value> without_token(const ir::Op& op, std::span<const ir::Value> values);

namespace custom_call_folder {

std::vector<ir::TensorType> infer_host_call(const ir::InferContext& context);
std::vector<ir::Literal> reference_host_call(const ir::ReferenceContext& context);
/// The attribute cornu.result_types.
std::vector<std::int64_t> encoded_types(std::span<const ir::TensorType> types);

}  // namespace custom_call_folder

}  // namespace cornu::inline v0::ops
