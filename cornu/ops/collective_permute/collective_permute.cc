#include "cornu/ops/collective_permute/collective_permute.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/print.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace collective_permute_folder {
namespace {

void check_once(std::vector<std::int64_t> values, const char* label, const char* what) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) invalid_argument("({}) {} must differ; got {} twice", label, what, *twice);
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  std::vector<std::int64_t> sources, targets;
  for (const auto& [source, target] : source_target_pairs(context.attributes)) {
    if (source < 0 || target < 0)
      invalid_argument("(C4) replicas are numbered from 0; got the pair {}, {}", source, target);
    sources.push_back(source);
    targets.push_back(target);
  }
  check_once(std::move(sources), "C2", "sources");
  check_once(std::move(targets), "C3", "targets");
  return {context.type(0)};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  if (!context.result_gradients[0]) return {{}};
  SourceTargetPairs pairs = source_target_pairs(context.op.attributes());
  for (auto& [source, target] : pairs) std::swap(source, target);
  return {collective_permute(context.builder, context.result_gradients[0], pairs,
                             context.op.attributes().get<std::int64_t>("channel_id"))};
}

/// Runs replica 0 alone.
std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const SourceTargetPairs pairs = source_target_pairs(context.op.attributes());
  if (pairs.empty()) return {ir::Literal(context.op.result().type())};
  if (pairs.size() != 1 || pairs[0] != std::pair<std::int64_t, std::int64_t>(0, 0))
    fail(
        ErrorCode::kUnimplemented,
        "[collective_permute] one replica runs here, and source_target_pairs name others: the program is for "
        "several devices");
  return {context.operands[0]};
}

std::string print_attributes(const ir::Op& op) {
  const auto& pairs = op.attributes().get<ir::Literal>("source_target_pairs");
  return fmt::format("{}source_target_pairs = {} : {}", print_channel(op), ir::dense_str(pairs),
                     pairs.type().str());
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"source_target_pairs", text.literal({"source_target_pairs"})}, {"channel_id", read_channel(text)}};
}

const ir::OpDef kCollectivePermute = {.name = "collective_permute",
                                      .infer = &infer,
                                      .gradient = &gradient,
                                      .reference = &reference,
                                      .print_attributes = &print_attributes,
                                      .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCollectivePermute>(); }

}  // namespace collective_permute_folder

SourceTargetPairs source_target_pairs(const ir::Attributes& attributes) {
  const auto& matrix = attributes.get<ir::Literal>("source_target_pairs");
  if (matrix.type().dtype != ir::DType::kI64 || matrix.type().rank() != 2 || matrix.type().dims[1] != 2)
    invalid_argument("(C1) source_target_pairs must be an i64 matrix of two columns; got {}",
                     matrix.type().str());
  SourceTargetPairs pairs;
  const std::span<const std::int64_t> values = matrix.data<std::int64_t>();
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) pairs.emplace_back(values[i], values[i + 1]);
  return pairs;
}

ir::Value collective_permute(ir::Builder& builder, ir::Value x, const SourceTargetPairs& pairs,
                             std::int64_t channel_id) {
  std::vector<std::int64_t> values;
  for (const auto& [source, target] : pairs) values.insert(values.end(), {source, target});
  const ir::Dims dims = {static_cast<std::int64_t>(pairs.size()), 2};
  return builder
      .create(
          collective_permute_folder::kCollectivePermute, {x},
          {{"source_target_pairs", ir::Literal::of<std::int64_t>(dims, values)}, {"channel_id", channel_id}})
      .result();
}

}  // namespace cornu::inline v0::ops
