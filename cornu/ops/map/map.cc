#include "cornu/ops/map/map.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace map_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 0, kAnyNumber);
  if (context.operands.empty()) invalid_argument("(C2) there must be at least one input");
  const ir::TensorType& first = context.type(0);
  for (const ir::Value& input : context.operands)
    if (input.dims() != first.dims)
      invalid_argument("(C1) inputs must have one shape; got {} and {}", first.str(), input.type().str());
  const auto& dimensions = context.attributes.get<ir::Dims>("dimensions");
  if (dimensions != counting(first.rank()))
    invalid_argument("(C3) dimensions must be {}; got {}", counting(first.rank()), dimensions);
  bool fits = context.regions.size() == 1 &&
              context.regions[0]->arguments().size() == context.operands.size() &&
              context.regions[0]->results().size() == 1 && context.regions[0]->results()[0].rank() == 0;
  for (std::size_t i = 0; fits && i < context.operands.size(); ++i)
    fits = context.regions[0]->arguments()[i].type() == ir::TensorType{context.type(i).dtype, {}};
  if (!fits) invalid_argument("(C4) the computation must map a scalar of each input to a scalar");
  return {{context.regions[0]->results()[0].dtype(), first.dims}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  for (std::int64_t i = 0; i < result.type().num_elements(); ++i) {
    std::vector<ir::Literal> arguments;
    for (const ir::Literal& input : context.operands) {
      ir::Literal element(ir::TensorType{input.type().dtype, {}});
      copy_element(element.mutable_bytes(), 0, input.bytes(), i, ir::size_bytes(input.type().dtype));
      arguments.push_back(std::move(element));
    }
    const std::vector<ir::Literal> mapped = context.evaluate(context.op.region(0), arguments);
    copy_element(result.mutable_bytes(), i, mapped[0].bytes(), 0, ir::size_bytes(result.type().dtype));
  }
  return {result};
}

/// The computation on whole tensors.
std::vector<ir::Value> expand(const ir::ExpandContext& context) {
  const auto type = infer({context.operands, context.attributes, context.regions})[0];
  const ir::Block& body = *context.regions[0];
  return is_elementwise(body) ? apply_to_tensors(context.builder, body, context.operands, type.dims)
                              : std::vector<ir::Value>();
}

std::string print_attributes(const ir::Op& op) {
  const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
  return dimensions.empty() ? "dimensions = array<i64>"
                            : fmt::format("dimensions = array<i64: {}>", fmt::join(dimensions, ", "));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimensions", text.integers({"dimensions"})}};
}

const ir::OpDef kMap = {.name = "map",
                        .infer = infer,
                        .reference = reference,
                        .print_attributes = print_attributes,
                        .has_regions = true,
                        .read_attributes = read_attributes,
                        .expand = expand};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kMap>(); }

}  // namespace map_folder

bool is_elementwise(const ir::Block& body) {
  // These may have scalars beside tensors, so they are not marked.
  constexpr std::string_view kAlso[] = {"constant", "select", "clamp"};
  return std::all_of(body.ops().begin(), body.ops().end(), [&](const auto& op) {
    return op->regions().empty() && (op->def().elementwise || std::ranges::count(kAlso, op->name()) > 0) &&
           op->results().size() == 1 && op->result().rank() == 0;
  });
}

std::vector<ir::Value> apply_to_tensors(ir::Builder& builder, const ir::Block& body,
                                        std::span<const ir::Value> arguments, const ir::Dims& dims) {
  ir::ValueMap map;
  for (std::size_t i = 0; i < arguments.size(); ++i) map[body.arguments()[i]] = arguments[i];
  const auto whole = [&](ir::Value value) {
    const auto found = map.find(value);
    return found != map.end() ? found->second : broadcast_scalar(builder, value, dims);
  };
  for (const auto& op : body.ops()) {
    std::vector<ir::Value> operands;
    for (const ir::Value& operand : op->operands()) operands.push_back(whole(operand));
    const ir::Value made = builder.create(op->def(), std::move(operands), op->attributes()).result();
    map[op->result()] = op->operands().empty() ? broadcast_scalar(builder, made, dims) : made;
  }
  std::vector<ir::Value> results;
  for (const ir::Value& result : body.results()) results.push_back(whole(result));
  return results;
}

ir::Value map(ir::Builder& builder, std::vector<ir::Value> inputs, const MapBody& computation) {
  auto region = std::make_unique<ir::Block>();
  for (const ir::Value& input : inputs) region->add_argument({input.dtype(), {}});
  ir::Builder inner(*region);
  inner.set_location(builder.location());
  region->set_results({computation(inner, region->arguments())});
  const ir::Dims dimensions = inputs.empty() ? ir::Dims() : counting(inputs[0].rank());
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(std::move(region));
  return builder.create(map_folder::kMap, std::move(inputs), {{"dimensions", dimensions}}, std::move(regions))
      .result();
}

}  // namespace cornu::inline v0::ops
