#include "cornu/ops/token_forms.h"

#include "cornu/base/check.h"
#include "cornu/ir/token.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/forms.h"

namespace cornu::inline v0::ops {
namespace {

std::vector<ir::Value> make_token(const ir::ExpandContext& context) {
  for (const ir::Value& operand : context.operands)
    if (operand.type() != ir::token_type())
      invalid_argument("operands must be tokens; got {}", operand.type().str());
  return {constant(context.builder, ir::Literal(ir::token_type()))};
}

const ir::OpDef kCreateToken = {.name = "create_token", .infer = infer_form, .expand = make_token};
const ir::OpDef kAfterAll = {.name = "after_all", .infer = infer_form, .expand = make_token};

}  // namespace

const ir::OpDef* find_token_form(std::string_view full_name) {
  if (full_name == "stablehlo.create_token") return &kCreateToken;
  return full_name == "stablehlo.after_all" ? &kAfterAll : nullptr;
}

}  // namespace cornu::inline v0::ops
