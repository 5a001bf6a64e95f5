#include "cornu/ir/builder.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::ir {

Op& Builder::create(const OpDef& def, std::vector<Value> operands, Attributes attributes,
                    std::vector<std::unique_ptr<Block>> regions) {
  for (const Value& operand : operands)
    CORNU_CHECK(static_cast<bool>(operand), "{}: empty operand", def.name);
  std::vector<TensorType> types;
  try {
    types = def.infer(InferContext{operands, attributes, regions});
    for (const TensorType& type : types) check_type(type);
  } catch (const Error& error) {
    throw error.said_by(def.name).with({.layer = location_});
  }
  auto op = std::make_unique<Op>(def, std::move(operands), std::move(attributes), std::move(regions),
                                 std::move(types));
  op->set_location(location_);
  return block_->append(std::move(op));
}

std::string Builder::set_location(std::string location) {
  std::swap(location_, location);
  return location;
}

}  // namespace cornu::inline v0::ir
