#include "cornu/ir/verify.h"

#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ir {
namespace {

class Verifier {
 public:
  explicit Verifier(const Function& function) : function_(function) {}

  void run() { verify_block(function_.body, nullptr); }

 private:
  [[noreturn]] void reject(const Op* op, const std::string& what) {
    const std::string where = op == nullptr ? "" : fmt::format(", op \"{}\"", op->name());
    invalid_argument({.layer = op == nullptr ? "" : op->location()}, "function \"{}\"{}: {}", function_.name,
                     where, what);
  }

  void use(const Value& value, const Op* op, std::string_view what, std::size_t i) {
    if (!value) reject(op, fmt::format("{} {} is empty", what, i));
    if (!visible_.contains(value))
      reject(op, fmt::format("{} {} is not defined before its use, or not visible there", what, i));
  }

  /// Values of a block are visible in it and in the regions inside, after their definition.
  void verify_block(const Block& block, const Op* parent) {
    for (const Value& argument : block.arguments()) visible_.insert(argument);
    for (const auto& op : block.ops()) verify_op(*op);
    for (std::size_t i = 0; i < block.results().size(); ++i)
      use(block.results()[i], parent, "returned value", i);
    for (const Value& argument : block.arguments()) visible_.erase(argument);
    for (const auto& op : block.ops())
      for (const Value& result : op->results()) visible_.erase(result);
  }

  void verify_op(const Op& op) {
    for (std::size_t i = 0; i < op.operands().size(); ++i) use(op.operand(i), &op, "operand", i);
    for (const auto& region : op.regions()) verify_block(*region, &op);
    std::vector<TensorType> types;
    try {
      types = op.def().infer(InferContext{op.operands(), op.attributes(), op.regions()});
    } catch (const Error& error) {
      reject(&op, error.what());
    }
    if (types.size() != op.results().size())
      reject(&op, fmt::format("has {} results, must have {}", op.results().size(), types.size()));
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (types[i] != op.result(i).type())
        reject(&op, fmt::format("result {} is {}, must be {}", i, op.result(i).type().str(), types[i].str()));
    }
    for (const Value& result : op.results()) visible_.insert(result);
  }

  const Function& function_;
  std::unordered_set<Value, ValueHash> visible_;
};

}  // namespace

void verify(const Function& function) { Verifier(function).run(); }

void verify(const Module& module) {
  std::unordered_set<std::string> names;
  for (const auto& function : module.functions) {
    if (!names.insert(function->name).second)
      invalid_argument("two functions are called \"{}\"", function->name);
    verify(*function);
  }
}

}  // namespace cornu::inline v0::ir
