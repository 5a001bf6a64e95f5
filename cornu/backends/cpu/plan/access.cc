#include <algorithm>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/ir/op_def.h"
#include "cornu/transform/evaluate.h"

namespace cornu::backends::cpu {
namespace {

using ir::Dims;

std::int64_t extent_product(const Dims& dims, std::size_t begin, std::size_t end) {
  std::int64_t n = 1;
  for (std::size_t i = begin; i < end; ++i) n *= dims[i];
  return n;
}

Index zero_index(std::size_t num_loops) { return Index{std::vector<std::int64_t>(num_loops, 0), 0, {}}; }

void add_scaled(Index& to, const Index& from, std::int64_t scale) {
  for (std::size_t l = 0; l < to.coefficients.size(); ++l) to.coefficients[l] += scale * from.coefficients[l];
  to.constant += scale * from.constant;
}

/// A reshape is affine when every operand dimension is a product of neighbouring result dimensions: its index is then the row-major
/// combination of theirs.
std::optional<IndexMap> reshape_map(const Dims& operand, const Dims& result, const IndexMap& map, std::size_t num_loops) {
  IndexMap out;
  std::size_t r = 0;
  for (std::int64_t extent : operand) {
    Index index = zero_index(num_loops);
    if (extent != 1) {
      std::size_t end = r;
      std::int64_t product = 1;
      while (end < result.size() && product < extent) product *= result[end++];
      if (product != extent) return std::nullopt;
      for (std::size_t d = r; d < end; ++d) {
        if (!map[d].dynamic.empty()) return std::nullopt;
        add_scaled(index, map[d], extent_product(result, d + 1, end));
      }
      r = end;
    }
    out.push_back(std::move(index));
  }
  return out;
}

}  // namespace

IndexMap identity_map(std::size_t rank) {
  IndexMap map(rank, zero_index(rank));
  for (std::size_t d = 0; d < rank; ++d) map[d].coefficients[d] = 1;
  return map;
}

bool is_identity(const IndexMap& map, const Dims& loop_extents) {
  if (map.size() != loop_extents.size()) return false;
  for (std::size_t d = 0; d < map.size(); ++d) {
    if (map[d].constant != 0 || !map[d].dynamic.empty()) return false;
    for (std::size_t l = 0; l < loop_extents.size(); ++l)
      if ((l < map[d].coefficients.size() ? map[d].coefficients[l] : 0) != (d == l ? 1 : 0) && loop_extents[l] != 1) return false;
  }
  return true;
}

std::optional<IndexMap> operand_map(const ir::Op& view, const IndexMap& map) {
  const ir::Attributes& a = view.attributes();
  const Dims& operand = view.operand(0).dims();
  const std::size_t num_loops = map.empty() ? 0 : map[0].coefficients.size();
  const std::string_view name = view.name();
  if (name == "reshape") {
    if (map.empty()) return IndexMap(operand.size(), zero_index(0));
    return reshape_map(operand, view.result().dims(), map, num_loops);
  }
  if (name == "broadcast_in_dim") {
    const auto& dims = a.get<Dims>("broadcast_dimensions");
    IndexMap out;
    for (std::size_t d = 0; d < operand.size(); ++d)
      out.push_back(operand[d] == 1 ? zero_index(num_loops) : map[static_cast<std::size_t>(dims[d])]);
    return out;
  }
  if (name == "transpose") {
    const auto& permutation = a.get<Dims>("permutation");
    IndexMap out(operand.size());
    for (std::size_t d = 0; d < operand.size(); ++d) out[static_cast<std::size_t>(permutation[d])] = map[d];
    return out;
  }
  IndexMap out = map;
  if (name == "slice") {
    const auto& start = a.get<Dims>("start_indices");
    const auto& strides = a.get<Dims>("strides");
    for (std::size_t d = 0; d < operand.size(); ++d) {
      if (!map[d].dynamic.empty() && strides[d] != 1) return std::nullopt;
      out[d] = zero_index(num_loops);
      out[d].dynamic = map[d].dynamic;
      add_scaled(out[d], map[d], strides[d]);
      out[d].constant += start[d];
    }
    return out;
  }
  if (name == "reverse") {
    for (std::int64_t d : a.get<Dims>("dimensions")) {
      const auto i = static_cast<std::size_t>(d);
      if (!map[i].dynamic.empty()) return std::nullopt;
      out[i] = zero_index(num_loops);
      add_scaled(out[i], map[i], -1);
      out[i].constant += operand[i] - 1;
    }
    return out;
  }
  if (name == "dynamic_slice") {
    for (std::size_t d = 0; d < operand.size(); ++d) out[d].dynamic.push_back({view.operand(d + 1), operand[d] - view.result().dims()[d]});
    return out;
  }
  return std::nullopt;
}

OpClass classify(const ir::Op& op) {
  const std::string_view n = op.name();
  if (n == "broadcast_in_dim" || n == "reshape" || n == "transpose" || n == "slice" || n == "reverse" || n == "dynamic_slice")
    return OpClass::kView;
  if (n == "while" || n == "if" || n == "case") return OpClass::kControl;
  bool half = false;
  for (const ir::Value& v : op.operands()) half = half || v.dtype() == ir::DType::kF16 || v.dtype() == ir::DType::kBF16;
  for (const ir::Value& v : op.results()) half = half || v.dtype() == ir::DType::kF16 || v.dtype() == ir::DType::kBF16;
  if (n == "constant" || (n == "iota" && !half)) return OpClass::kLeaf;
  if (half) return OpClass::kReference;
  if (n == "remainder" && ir::is_float(op.result().dtype())) return OpClass::kReference;  // an exact one takes a loop
  // The emitter has no code for these.
  for (const char* name :
       {"tan", "cbrt", "atan2", "round_nearest_even", "round_nearest_afz", "popcnt", "count_leading_zeros", "reduce_precision"})
    if (n == name) return OpClass::kReference;
  if (op.def().elementwise || n == "select" || n == "clamp" || n == "convert" || n == "compare") return OpClass::kElementwise;
  if (n == "bitcast_convert")
    return ir::size_bytes(op.operand(0).dtype()) == ir::size_bytes(op.result().dtype()) ? OpClass::kElementwise : OpClass::kReference;
  if (n == "dot_general")
    return ir::is_float(op.result().dtype()) && op.operand(0).dtype() == op.result().dtype() && op.operand(1).dtype() == op.result().dtype()
               ? OpClass::kDot
               : OpClass::kReference;
  if (n == "reduce") {
    if (!transform::captured_values(op).empty()) return OpClass::kReference;
    for (const auto& inner : op.region(0).ops()) {
      const OpClass c = classify(*inner);
      if (c != OpClass::kElementwise && !(c == OpClass::kLeaf && inner->name() == "constant")) return OpClass::kReference;
    }
    return OpClass::kReduce;
  }
  return OpClass::kReference;
}

double elementwise_cost(const ir::Op& op) {
  const std::string_view n = op.name();
  const bool floating = ir::is_float(op.result().dtype());
  if (n == "power") return 40;
  for (const char* costly : {"exponential", "exponential_minus_one", "log", "log_plus_one", "tanh", "logistic", "sine", "cosine"})
    if (n == costly) return 20;
  if (n == "divide" || n == "remainder" || n == "sqrt" || n == "rsqrt") return floating ? 6 : 20;
  return 1;
}

}  // namespace cornu::backends::cpu
