#include "cornu/ir/text/op_maker.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"

namespace cornu::inline v0::ir::text {

const OpDef& OpMaker::find_op(std::string_view name, std::size_t position) const {
  const OpDef* const op = find_op_(name);
  if (op == nullptr)
    source_.fail_at(position,
                    Error(ErrorCode::kUnimplemented, fmt::format("Cornu has no operation \"{}\"", name)));
  return *op;
}

const Syntax& OpMaker::field(const OpParts& parts, std::string_view name, SyntaxKind kind) const {
  const Syntax* const found = parts.fields.find(name);
  if (found == nullptr || !found->is(kind))
    source_.fail_at(parts.position, fmt::format("[{}] the attribute {} is missing", parts.name, name));
  return *found;
}

/// Counts the lists that the op keeps. Its own charge includes a few operands and attributes, and one result.
void OpMaker::count_lists(const OpParts& parts, std::size_t num_attributes) const {
  constexpr std::size_t kFewOperands = 8, kFewAttributes = 4;
  constexpr std::size_t kAttributeBytes =
      2 * sizeof(std::pair<std::string, Attribute>);  // the list's capacity may be twice its length
  for (std::size_t i = kFewOperands; i < parts.operands.size(); ++i)
    budget_.take_value(parts.operands[i].type());
  for (std::size_t i = 1; i < parts.result_types.size(); ++i) budget_.take_value(parts.result_types[i]);
  if (num_attributes > kFewAttributes)
    budget_.take_bytes(kAttributeBytes * (num_attributes - kFewAttributes));
}

void OpMaker::fail_custom_call(const OpParts& parts) const {
  const Syntax* const named = parts.fields.find("call_target_name");
  const std::string target = named != nullptr          ? named->text
                             : parts.loose.size() == 1 ? parts.loose[0].text
                                                       : "";
  source_.fail_at(parts.position,
                  Error(ErrorCode::kUnimplemented, fmt::format("Cornu has no custom call \"{}\"", target)));
}

/// Adds the extents that the op declares as an attribute.
void OpMaker::add_result_dims(OpParts& parts) const {
  budget_.take_node();
  Syntax dims;
  dims.kind = SyntaxKind::kIntegers;
  for (const TensorType& type : parts.result_types) {
    budget_.take_bytes(type.dims.size() * sizeof(std::int64_t));
    dims.integers.insert(dims.integers.end(), type.dims.begin(), type.dims.end());
  }
  parts.fields.fields.push_back({std::string(kResultDims), std::move(dims)});
}

std::vector<Value> OpMaker::make(Builder& builder, OpParts& parts) const {
  if (parts.name == kCustomCall && find_op_(parts.name) == nullptr) fail_custom_call(parts);
  const OpDef& op = find_op(parts.name, parts.position);
  if (parts.name == kManualComputation) add_result_dims(parts);
  count_lists(parts, parts.fields.fields.size());
  std::vector<TensorType> operand_types;
  operand_types.reserve(parts.operands.size());
  for (const Value& operand : parts.operands) operand_types.push_back(operand.type());
  OpAttributes text(source_, parts.position, parts.name, parts.fields, parts.loose, operand_types,
                    parts.result_types);
  Attributes attributes;
  if (op.read_attributes != nullptr) {
    attributes = op.read_attributes(text);
    text.keep_unread(attributes);
  } else {
    for (const auto& [name, value] : parts.fields.fields) attributes.set(name, to_attribute(source_, value));
  }
  if (op.expand != nullptr)
    if (std::vector<Value> results = expand(builder, op, parts, attributes); !results.empty()) return results;
  return create(builder, op, parts.operands, std::move(attributes), std::move(parts.regions), parts.position);
}

std::vector<Value> OpMaker::expand(Builder& builder, const OpDef& op, const OpParts& parts,
                                   const Attributes& attributes) const {
  const std::size_t num_ops = builder.block().ops().size();
  std::vector<Value> results;
  try {
    results = op.expand({builder, parts.operands, attributes, parts.regions, parts.result_types});
  } catch (const Error& error) {
    source_.fail_at(parts.position, error);
  }
  for (std::size_t i = num_ops; i < builder.block().ops().size(); ++i) {
    if (--budget_.num_ops < 0) source_.fail_at(parts.position, "there are too many operations");
    budget_.take_op();
  }
  return results;
}

std::vector<Value> OpMaker::create(Builder& builder, const OpDef& op, std::vector<Value> inputs,
                                   Attributes attributes, std::vector<std::unique_ptr<Block>> blocks,
                                   std::size_t position) const {
  if (--budget_.num_ops < 0) source_.fail_at(position, "there are too many operations");
  budget_.take_op();
  if (!op.has_regions && !blocks.empty())
    source_.fail_at(position, fmt::format("[{}] has no regions; got {}", op.name, blocks.size()));
  try {
    const Op& made = builder.create(op, std::move(inputs), std::move(attributes), std::move(blocks));
    return {made.results().begin(), made.results().end()};
  } catch (const Error& error) {
    source_.fail_at(position, error);
  }
}

std::optional<std::vector<Value>> OpMaker::make_composite(Builder& builder, const OpParts& parts) const {
  const Syntax* const named = parts.fields.find("name");
  std::string name = named != nullptr && named->is(SyntaxKind::kString) ? named->text : "";
  if (name.empty() && parts.loose.size() == 1 && parts.loose[0].is(SyntaxKind::kString))
    name = parts.loose[0].text;
  const OpDef* const op = find_op_(name);
  if (op == nullptr || op->is_stablehlo() || op->has_regions) return std::nullopt;
  const Syntax* const given = parts.fields.find("composite_attributes");
  count_lists(parts, given == nullptr ? 0 : given->fields.size());
  Attributes attributes;
  if (given != nullptr)
    for (const auto& [key, value] : given->fields) attributes.set(key, to_attribute(source_, value));
  return create(builder, *op, parts.operands, std::move(attributes), {}, parts.position);
}

void OpMaker::check_results(const OpParts& parts, std::span<const Value> results) const {
  // Without "->" the last type of a list is the last result's, if there is a result.
  if (!parts.has_result_types && (parts.result_types.empty() || results.empty())) return;
  bool fits = results.size() == parts.result_types.size() || !parts.has_result_types;
  for (std::size_t i = 1; fits && i <= std::min(results.size(), parts.result_types.size()); ++i)
    fits = results[results.size() - i].type() == parts.result_types[parts.result_types.size() - i];
  if (fits) return;
  std::string made;
  for (const Value& result : results) made += (made.empty() ? "" : ", ") + result.type().str();
  source_.fail_at(parts.position,
                  fmt::format("[{}] the results are ({}), not what stands here", parts.name, made));
}

}  // namespace cornu::inline v0::ir::text
