#include "cornu/ops/custom_call/host_call.h"

#include <charconv>
#include <optional>
#include <string>

#include "cornu/base/check.h"
#include "cornu/ops/custom_call/custom_call.h"

namespace cornu::inline v0::ops {
namespace {

constexpr std::string_view kResultTypes = "cornu.result_types";

std::optional<std::uint64_t> number_of(std::string_view config) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(config.data(), config.data() + config.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

bool is_host_type(const ir::TensorType& type) {
  return type.dtype == ir::DType::kI1 || ir::is_integer(type.dtype) || ir::is_float(type.dtype);
}

std::vector<ir::TensorType> decoded_types(const std::vector<std::int64_t>& numbers) {
  std::vector<ir::TensorType> types;
  std::size_t next = 0;
  const auto take = [&] {
    if (next == numbers.size()) invalid_argument("{} is cut off", kResultTypes);
    return numbers[next++];
  };
  while (next < numbers.size()) {
    ir::TensorType& type = types.emplace_back();
    type.dtype = static_cast<ir::DType>(take());
    for (std::int64_t rank = take(); rank > 0; --rank) type.dims.push_back(take());
  }
  return types;
}

}  // namespace

namespace custom_call_folder {

std::vector<std::int64_t> encoded_types(std::span<const ir::TensorType> types) {
  std::vector<std::int64_t> numbers;
  for (const ir::TensorType& type : types) {
    numbers.push_back(static_cast<std::int64_t>(type.dtype));
    numbers.push_back(type.rank());
    numbers.insert(numbers.end(), type.dims.begin(), type.dims.end());
  }
  return numbers;
}

std::vector<ir::TensorType> infer_host_call(const ir::InferContext& context) {
  const auto& config = context.attributes.get<std::string>("backend_config");
  if (!number_of(config))
    invalid_argument("(I1) backend_config must begin with the number of a function; got \"{}\"", config);
  std::vector<ir::TensorType> results =
      decoded_types(context.attributes.get<std::vector<std::int64_t>>(kResultTypes));
  const auto check = [](const ir::TensorType& type) {
    if (!is_host_type(type))
      invalid_argument("(I2) a function of the host program has no tensors of {}", type.str());
  };
  for (const ir::Value& operand : context.operands) check(operand.type());
  for (const ir::TensorType& result : results) check(result);
  const ir::TensorType token = effect_token_type();
  if (context.attributes.find(kHasToken) != nullptr &&
      (context.operands.empty() || context.operands.back().type() != token || results.empty() ||
       results.back() != token))
    invalid_argument("(I3) a call with {} has a {} as its last operand and its last result", kHasToken,
                     token.str());
  return results;
}

std::vector<ir::Literal> reference_host_call(const ir::ReferenceContext& context) {
  std::vector<const void*> operands;
  for (std::size_t i = 0; i < without_token(context.op, context.op.operands()).size(); ++i)
    operands.push_back(context.operands[i].bytes().data());
  std::vector<ir::Literal> results;
  for (const ir::Value& result : context.op.results()) results.emplace_back(result.type());
  std::vector<void*> addresses;
  for (std::size_t i = 0; i < without_token(context.op, context.op.results()).size(); ++i)
    addresses.push_back(results[i].mutable_bytes().data());
  called_function(context.op)->call(operands, addresses);
  return results;
}

}  // namespace custom_call_folder

ir::TensorType effect_token_type() { return {ir::DType::kI1, {}}; }

bool is_host_call(const ir::Op& op) {
  // pattern: a call that must neither be evaluated before the program runs nor be copied
  return op.name() == "custom_call" && call_target(op) == kHostCall;
}

bool needs_token(const ir::Op& op) {
  return is_host_call(op) && op.attributes().get<bool>("has_side_effect") &&
         op.attributes().find(kHasToken) == nullptr;
}

ir::Op& call_with_token(ir::Builder& b, const ir::Op& op, std::vector<ir::Value> operands, ir::Value token) {
  std::vector<ir::TensorType> types;
  for (const ir::Value& result : op.results()) types.push_back(result.type());
  types.push_back(effect_token_type());
  ir::Attributes attributes = op.attributes();
  attributes.set(std::string(kHasToken), true);
  attributes.set(std::string(kResultTypes), custom_call_folder::encoded_types(types));
  operands.push_back(token);
  return b.create(op.def(), std::move(operands), std::move(attributes));
}

std::shared_ptr<const HostFunctionEntry> called_function(const ir::Op& op) {
  const std::optional<std::uint64_t> number = number_of(op.attributes().get<std::string>("backend_config"));
  CORNU_CHECK(number.has_value(), "a host call without a number");
  return find_host_function(*number);
}

std::span<const ir::Value> without_token(const ir::Op& op, std::span<const ir::Value> values) {
  return op.attributes().find(kHasToken) == nullptr ? values : values.first(values.size() - 1);
}

}  // namespace cornu::inline v0::ops
