#include "cornu/ops/decomposition_parts/decomposition_parts.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {
namespace decomposition_parts_folder {
namespace {

constexpr const char *kOp = "op", *kOperands = "complex_operands";

/// The type of complex numbers for interleaved parts.
ir::TensorType complex_type(ir::TensorType type) {
  if (type.rank() == 0 || type.dims.back() != 2 ||
      (type.dtype != ir::DType::kF32 && type.dtype != ir::DType::kF64))
    invalid_argument("interleaved complex numbers must be f32 or f64 of shape [..., 2]; got {}", type.str());
  type.dims.pop_back();
  type.dtype = ir::complex_dtype(type.dtype);
  return type;
}

ir::TensorType parts_type(ir::TensorType type) {
  if (!ir::is_complex(type.dtype)) return type;
  type.dtype = ir::real_dtype(type.dtype);
  type.dims.push_back(2);
  return type;
}

/// True for each operand that is complex.
std::vector<bool> complex_operands(const ir::Attributes& attributes, std::size_t count) {
  const auto& numbers = attributes.get<ir::Dims>(kOperands);
  std::vector<bool> flags(count);
  for (const std::int64_t number : numbers) {
    if (number < 0 || std::cmp_greater_equal(number, count))
      invalid_argument("{} must name operands; got {}", kOperands, number);
    flags[static_cast<std::size_t>(number)] = true;
  }
  return flags;
}

ir::DType wider(ir::DType dtype) {
  if (dtype == ir::DType::kF32) return ir::DType::kF64;
  return dtype == ir::DType::kC64 ? ir::DType::kC128 : dtype;
}

/// Makes the op on operands that are complex already.
const ir::Op& make(ir::Builder& b, std::vector<ir::Value> operands, const ir::Attributes& attributes) {
  const auto& name = attributes.get<std::string>(kOp);
  const ir::OpDef* const def = find_op_def(name);
  if (def == nullptr || name == "cornu.decomposition_parts")
    invalid_argument("there is no decomposition \"{}\"", name);
  ir::Attributes own;
  for (const auto& [key, value] : attributes)
    if (key != kOp && key != kOperands) own.set(key, value);
  return b.create(*def, std::move(operands), std::move(own));
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  const std::vector<bool> flags = complex_operands(context.attributes, context.operands.size());
  ir::Block scratch;
  std::vector<ir::Value> operands;
  for (std::size_t i = 0; i < flags.size(); ++i)
    operands.push_back(scratch.add_argument(flags[i] ? complex_type(context.type(i)) : context.type(i)));
  ir::Builder b(scratch);
  std::vector<ir::TensorType> types;
  for (const ir::Value& result : make(b, std::move(operands), context.attributes).results())
    types.push_back(parts_type(result.type()));
  return types;
}

std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const std::vector<bool> flags = complex_operands(attributes, operands.size());
  std::vector<ir::Value> whole(operands.begin(), operands.end());
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!flags[i]) continue;
    const std::vector<ir::Value> parts = split_parts(b, operands[i]);
    whole[i] = complex(b, parts[0], parts[1]);
  }
  std::vector<ir::Value> results;
  for (const ir::Value& result : make(b, std::move(whole), attributes).results())
    results.push_back(ir::is_complex(result.dtype()) ? join_parts(b, real(b, result), imag(b, result))
                                                     : result);
  return results;
}

const ir::OpDef kParts = {.name = "cornu.decomposition_parts", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kParts>(); }

}  // namespace decomposition_parts_folder

bool is_decomposition(const ir::Op& op) {
  constexpr std::string_view kNames[] = {"cholesky", "triangular_solve", "custom_call",
                                         "cornu.lu", "cornu.eigh",       "cornu.svd"};
  return std::find(std::begin(kNames), std::end(kNames), op.name()) != std::end(kNames);
}

std::vector<ir::Value> decomposition_parts(ir::Builder& b, const ir::Op& op,
                                           std::vector<ir::Value> operands) {
  using namespace decomposition_parts_folder;
  ir::Attributes attributes = op.attributes();
  ir::Dims numbers;
  for (std::size_t i = 0; i < op.operands().size(); ++i)
    if (ir::is_complex(op.operand(i).dtype())) numbers.push_back(static_cast<std::int64_t>(i));
  attributes.set(kOp, std::string(op.name()));
  attributes.set(kOperands, std::move(numbers));
  const ir::Op& parts = b.create(kParts, std::move(operands), std::move(attributes));
  return {parts.results().begin(), parts.results().end()};
}

std::unique_ptr<ir::Block> decomposition_of_parts(const ir::Op& parts, bool is_wide) {
  using namespace decomposition_parts_folder;
  const std::vector<bool> flags = complex_operands(parts.attributes(), parts.operands().size());
  auto block = std::make_unique<ir::Block>();
  std::vector<ir::Value> operands;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const ir::TensorType& given = parts.operand(i).type();
    ir::TensorType type = flags[i] ? complex_type(given) : given;
    if (is_wide) type.dtype = wider(type.dtype);
    operands.push_back(block->add_argument(std::move(type)));
  }
  ir::Builder b(*block);
  make(b, std::move(operands), parts.attributes());
  return block;
}

}  // namespace cornu::inline v0::ops
