#include "cornu/transform/split_complex.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/complex_functions.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/decomposition_parts/decomposition_parts.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/fft/fft.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace complex_splitter {
namespace {

using ops::ComplexParts;
using Values = std::vector<ir::Value>;
using Regions = std::vector<std::unique_ptr<ir::Block>>;

bool is_complex(ir::Value value) { return ir::is_complex(value.dtype()); }

bool has_complex(std::span<const ir::Value> values) {
  return std::any_of(values.begin(), values.end(), [](ir::Value value) { return is_complex(value); });
}

bool has_complex(const ir::Block& block);

bool has_complex(const ir::Op& op) {
  return has_complex(op.operands()) || has_complex(op.results()) ||
         std::any_of(op.regions().begin(), op.regions().end(),
                     [](const auto& region) { return has_complex(*region); });
}

bool has_complex(const ir::Block& block) {
  return has_complex(block.arguments()) || has_complex(block.results()) ||
         std::any_of(block.ops().begin(), block.ops().end(), [](const auto& op) { return has_complex(*op); });
}

// patterns: the form of ops in real and imaginary parts. Elementwise functions are in ops/complex_functions.

/// Ops that compute the real parts of the result from the operands' real parts, and so the imaginary parts.
/// Those with a region do so if it adds.
constexpr std::string_view kByParts[] = {"all_gather",
                                         "all_reduce",
                                         "all_to_all",
                                         "broadcast_in_dim",
                                         "collective_broadcast",
                                         "collective_permute",
                                         "collective_reduce",
                                         "concatenate",
                                         "dynamic_slice",
                                         "dynamic_update_slice",
                                         "gather",
                                         "optimization_barrier",
                                         "pad",
                                         "reduce",
                                         "reduce_scatter",
                                         "reduce_window",
                                         "reshape",
                                         "reverse",
                                         "scatter",
                                         "select",
                                         "slice",
                                         "transpose"};

/// Ops whose regions take and return values of the operands' types.
constexpr std::string_view kWithRegions[] = {"case",          "if",      "map",  "reduce",
                                             "reduce_window", "scatter", "sort", "while"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

ir::TensorType part_type(const ir::TensorType& type) { return {ir::real_dtype(type.dtype), type.dims}; }

/// The interleaved numbers of which these are the parts; empty if they are computed.
ir::Value source_of_parts(const ComplexParts& z) {
  const ir::Op* const maker = z.re.op();
  if (maker == nullptr || maker != z.im.op() || maker->name() != "cornu.split_parts") return {};
  return z.re == maker->result(0) && z.im == maker->result(1) ? maker->operand(0) : ir::Value();
}

/// f32[d...] twice -> f32[d..., 2]
ir::Value interleaved(ir::Builder& b, const ComplexParts& z) {
  const ir::Value pairs = source_of_parts(z);
  return pairs ? pairs : ops::join_parts(b, z.re, z.im);
}

ComplexParts separated(ir::Builder& b, ir::Value x) {
  const Values parts = ops::split_parts(b, x);
  return {parts[0], parts[1]};
}

/// The attributes with the dtype of the parts for a complex one.
ir::Attributes part_attributes(const ir::Op& op) {
  ir::Attributes attributes = op.attributes();
  for (const auto& [name, value] : op.attributes())
    if (const auto* dtype = std::get_if<ir::DType>(&value)) attributes.set(name, ir::real_dtype(*dtype));
  return attributes;
}

/// A region on the parts of complex scalars: one that adds, or overwrites; null for others.
std::unique_ptr<ir::Block> part_body(const ir::Block& body) {
  const bool adds = ops::simple_body_kind(body) == "add";
  const bool overwrites =
      body.arguments().size() == 2 && body.results().size() == 1 && body.results()[0] == body.arguments()[1];
  if (!adds && !overwrites) return nullptr;
  auto result = std::make_unique<ir::Block>();
  const ir::TensorType type = part_type(body.arguments()[0].type());
  const ir::Value x = result->add_argument(type), y = result->add_argument(type);
  ir::Builder b(*result);
  result->set_results({adds ? ops::add(b, x, y) : y});
  return result;
}

class Splitter {
 public:
  std::unique_ptr<ir::Function> split(const ir::Function& function) {
    auto result = std::make_unique<ir::Function>();
    result->name = function.name;
    ir::Builder b(result->body);
    std::vector<ir::Value> complex_arguments;
    for (const ir::Value& argument : function.body.arguments()) {
      ir::TensorType type = part_type(argument.type());
      if (is_complex(argument)) type.dims.push_back(2);
      map_[argument] = result->body.add_argument(std::move(type));
    }
    for (const ir::Value& argument : function.body.arguments())
      if (is_complex(argument)) parts_[argument] = separated(b, map_.at(argument));
    split_ops(b, function.body);
    Values results;
    for (const ir::Value& value : function.body.results())
      results.push_back(is_complex(value) ? interleaved(b, parts(value)) : mapped(map_, value));
    result->body.set_results(std::move(results));
    return result;
  }

 private:
  const ComplexParts& parts(ir::Value value) const { return parts_.at(value); }

  /// The copies of values, two for a complex one.
  Values expanded(std::span<const ir::Value> values) const {
    Values result;
    for (const ir::Value& value : values) {
      if (is_complex(value)) {
        result.push_back(parts(value).re);
        result.push_back(parts(value).im);
      } else {
        result.push_back(mapped(map_, value));
      }
    }
    return result;
  }

  void set_expanded(std::span<const ir::Value> values, std::span<const ir::Value> copies) {
    std::size_t next = 0;
    for (const ir::Value& value : values) {
      if (is_complex(value)) {
        parts_[value] = {copies[next], copies[next + 1]};
        next += 2;
      } else {
        map_[value] = copies[next++];
      }
    }
  }

  void split_ops(ir::Builder& b, const ir::Block& block) {
    for (const auto& op : block.ops()) {
      if (!has_complex(*op)) {
        clone_op(b, *op, map_);
        continue;
      }
      const ir::LocationScope location(b, op->location());
      split_op(b, *op);
    }
  }

  void split_op(ir::Builder& b, const ir::Op& op) {
    if (split_decomposition(b, op)) return;
    if (op.def().is_composite())
      return split_built(b, op, [&](ir::Builder& scratch, std::span<const ir::Value> operands) {
        return decompose(scratch, op, operands);
      });
    if (split_conversion(b, op) || split_function(b, op) || split_product(b, op) || split_moved(b, op) ||
        split_by_parts(b, op))
      return;
    if (contains(kWithRegions, op.name())) return split_regions(b, op);
    if (op.name() == "cholesky")
      return split_built(b, op, [&](ir::Builder& scratch, std::span<const ir::Value> x) -> Values {
        return {ops::cholesky_loop(scratch, x[0], op.attributes().get<bool>("lower"))};
      });
    if (op.name() == "triangular_solve")
      return split_built(b, op, [&](ir::Builder& scratch, std::span<const ir::Value> x) -> Values {
        return {ops::triangular_solve_loop(scratch, x[0], x[1], ops::triangular_system(op))};
      });
    if (op.name() == "custom_call")
      return split_built(b, op, [&](ir::Builder& scratch, std::span<const ir::Value> x) -> Values {
        if (ops::is_eigenvalue_call(op)) {  // of no elements
          Values empty;
          for (const ir::Value& result : op.results()) empty.push_back(ops::full(scratch, result.type(), 0));
          return empty;
        }
        return ops::call_target(op) == "Qr" ? ops::householder_qr_loop(scratch, x[0])
                                            : Values{ops::householder_product_loop(scratch, x[0], x[1])};
      });
    fail(ErrorCode::kUnimplemented, {.layer = op.location()},
         "[{}] is not supported with complex numbers on this device", op.name());
  }

  /// Replaces an op by the ops on complex numbers that `build` makes of its operands.
  template <typename Build>
  void split_built(ir::Builder& b, const ir::Op& op, const Build& build) {
    ir::Block scratch;
    for (const ir::Value& operand : op.operands()) {
      const ir::Value argument = scratch.add_argument(operand.type());
      if (is_complex(operand))
        parts_[argument] = parts(operand);
      else
        map_[argument] = mapped(map_, operand);
    }
    ir::Builder scratch_builder(scratch);
    const Values results = build(scratch_builder, scratch.arguments());
    split_ops(b, scratch);
    set_expanded(op.results(), expanded(results));
  }

  /// Devices have kernels for the decompositions of whole matrices; loops serve matrices without elements.
  bool split_decomposition(ir::Builder& b, const ir::Op& op) {
    if (!ops::is_decomposition(op) || op.operand(0).type().num_elements() == 0 ||
        op.operands().back().type().num_elements() == 0)
      return false;
    Values operands;
    for (const ir::Value& operand : op.operands())
      operands.push_back(is_complex(operand) ? interleaved(b, parts(operand)) : mapped(map_, operand));
    const Values results = ops::decomposition_parts(b, op, std::move(operands));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (is_complex(op.result(i)))
        parts_[op.result(i)] = separated(b, results[i]);
      else
        map_[op.result(i)] = results[i];
    }
    return true;
  }

  /// Ops that make complex numbers of real ones, and back.
  bool split_conversion(ir::Builder& b, const ir::Op& op) {
    const std::string_view name = op.name();
    if (name == "real") return set(op, parts(op.operand(0)).re);
    if (name == "imag") return set(op, parts(op.operand(0)).im);
    if (name == "complex") return set(op, {mapped(map_, op.operand(0)), mapped(map_, op.operand(1))});
    if (name == "constant") {
      const auto& value = op.attributes().get<ir::Literal>("value");
      return set(op, {ops::constant(b, ir::real_part(value)), ops::constant(b, ir::imag_part(value))});
    }
    if (name == "iota") {
      const ir::Value re = b.create(op.def(), {}, part_attributes(op)).result();
      return set(op, {re, ops::full(b, re.type(), 0)});
    }
    if (name == "convert") return split_convert(b, op);
    if (name == "fft") return split_fft(b, op);
    if (name == "bitcast_convert") return split_bitcast(b, op);
    return false;
  }

  bool split_convert(ir::Builder& b, const ir::Op& op) {
    const ir::DType dtype = ir::real_dtype(op.result().dtype());
    const ir::Value x = op.operand(0);
    const ir::Value re = ops::convert(b, is_complex(x) ? parts(x).re : mapped(map_, x), dtype);
    if (!is_complex(op.result())) return set(op, re);
    return set(op, {re, is_complex(x) ? ops::convert(b, parts(x).im, dtype) : ops::full(b, re.type(), 0)});
  }

  bool split_fft(ir::Builder& b, const ir::Op& op) {
    const ir::Value x = op.operand(0);
    const ir::Value result = ops::fft_parts(b, is_complex(x) ? interleaved(b, parts(x)) : mapped(map_, x),
                                            ops::fft_type(op), ops::fft_length(op));
    return is_complex(op.result()) ? set(op, separated(b, result)) : set(op, result);
  }

  bool split_bitcast(ir::Builder& b, const ir::Op& op) {
    const ir::Value x = op.operand(0), result = op.result();
    ir::Value from = is_complex(x) ? interleaved(b, parts(x)) : mapped(map_, x);
    const int num_words = ir::bit_width(ir::real_dtype(result.dtype())) / ir::bit_width(from.dtype());
    if (is_complex(result) && !is_complex(x) && num_words > 1) {  // the words of both parts are one dimension
      ir::Dims words = from.dims();
      words.back() = 2;
      words.push_back(num_words);
      from = ops::reshape(b, from, words);
    }
    ir::Dims dims = result.dims();
    if (is_complex(result)) dims.push_back(2);
    const ir::Value bits =
        ops::reshape(b, ops::bitcast_convert(b, from, ir::real_dtype(result.dtype())), dims);
    return is_complex(result) ? set(op, separated(b, bits)) : set(op, bits);
  }

  bool split_function(ir::Builder& b, const ir::Op& op) {
    if (op.operands().empty() || !op.regions().empty() || !is_complex(op.operand(0))) return false;
    std::vector<ComplexParts> operands;
    for (const ir::Value& operand : op.operands())
      if (is_complex(operand)) operands.push_back(parts(operand));
    if (op.name() == "abs") return set(op, ops::complex_abs(b, operands[0]));
    if (op.name() == "compare")
      return set(op, ops::complex_compare(b, operands[0], operands[1],
                                          op.attributes().get<std::string>("comparison_direction")));
    const ComplexParts result = ops::complex_function(b, op.name(), operands);
    return result.re ? set(op, result) : false;
  }

  bool split_product(ir::Builder& b, const ir::Op& op) {
    if (op.name() != "dot_general" && op.name() != "convolution") return false;
    if (!is_complex(op.operand(0)) || !is_complex(op.operand(1))) return false;
    const ComplexParts x = parts(op.operand(0)), y = parts(op.operand(1));
    const auto product = [&](ir::Value left, ir::Value right) {
      return b.create(op.def(), {left, right}, part_attributes(op)).result();
    };
    return set(op, {ops::subtract(b, product(x.re, y.re), product(x.im, y.im)),
                    ops::add(b, product(x.re, y.im), product(x.im, y.re))});
  }

  /// True for a constant whose real and imaginary part are one number.
  static bool has_equal_parts(const ComplexParts& z) {
    return ops::is_constant(z.re) && ops::is_constant(z.im) &&
           z.re.op()->attributes() == z.im.op()->attributes();
  }

  bool split_pad(ir::Builder& b, const ir::Op& op, ir::Value pairs) {
    const ComplexParts& value = parts(op.operand(1));
    if (!has_equal_parts(value)) return false;
    const auto padding = [&](std::string_view name) {
      ir::Dims extents = op.attributes().get<ir::Dims>(name);
      extents.push_back(0);
      return extents;
    };
    return set(op, separated(b, ops::pad(b, pairs, value.re, padding("edge_padding_low"),
                                         padding("edge_padding_high"), padding("interior_padding"))));
  }

  /// Sums of rows of interleaved numbers: one pass over them in place of two.
  bool split_sum(ir::Builder& b, const ir::Op& op, ir::Value pairs) {
    if (op.operands().size() != 2) return false;
    const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
    const ComplexParts& init = parts(op.operand(1));
    const bool keeps_last = std::ranges::count(dimensions, op.operand(0).rank() - 1) == 0;
    Regions regions;
    regions.push_back(part_body(op.region(0)));
    if (!keeps_last || !has_equal_parts(init) || regions[0] == nullptr) return false;
    return set(
        op, separated(b, b.create(op.def(), {pairs, init.re}, op.attributes(), std::move(regions)).result()));
  }

  /// Ops that move or add whole runs of interleaved numbers.
  bool split_moved(ir::Builder& b, const ir::Op& op) {
    constexpr std::string_view kMoved[] = {"concatenate", "pad",   "reduce",   "reshape",
                                           "reverse",     "slice", "transpose"};
    if (!contains(kMoved, op.name()) || !is_complex(op.operand(0))) return false;
    const bool has_initial = op.name() == "reduce" || op.name() == "pad";
    Values pairs;
    for (const ir::Value& operand : op.operands().first(has_initial ? 1 : op.operands().size())) {
      pairs.push_back(source_of_parts(parts(operand)));
      if (!pairs.back()) return false;
    }
    if (op.name() == "reduce") return split_sum(b, op, pairs[0]);
    if (op.name() == "pad") return split_pad(b, op, pairs[0]);
    const ir::Value moved = moved_pairs(b, op, pairs);
    return moved ? set(op, separated(b, moved)) : false;
  }

  /// Interleaved numbers moved as `op` moves complex ones; empty for a form that parts are faster for.
  static ir::Value moved_pairs(ir::Builder& b, const ir::Op& op, const Values& pairs) {
    const auto list = [&](std::string_view name) { return op.attributes().get<ir::Dims>(name); };
    if (op.name() == "concatenate")
      return ops::concatenate(b, pairs, op.attributes().get<std::int64_t>("dimension"));
    if (op.name() == "reverse") return ops::reverse(b, pairs[0], list("dimensions"));
    if (op.name() == "reshape") {
      ir::Dims dims = op.result().dims();
      dims.push_back(2);
      return ops::reshape(b, pairs[0], std::move(dims));
    }
    if (op.name() == "transpose") {
      ir::Dims permutation = list("permutation");
      permutation.push_back(static_cast<std::int64_t>(permutation.size()));
      return ops::transpose(b, pairs[0], std::move(permutation));
    }
    ir::Dims start = list("start_indices"), limit = list("limit_indices"), strides = list("strides");
    if (std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride != 1; }))
      return {};
    start.push_back(0);
    limit.push_back(2);
    strides.push_back(1);
    return ops::slice(b, pairs[0], std::move(start), std::move(limit), std::move(strides));
  }

  bool split_by_parts(ir::Builder& b, const ir::Op& op) {
    if (!contains(kByParts, op.name()) ||
        !std::all_of(op.results().begin(), op.results().end(), [](ir::Value v) { return is_complex(v); }))
      return false;
    Values copies[2];
    for (const int part : {0, 1}) {
      Values operands;
      for (const ir::Value& operand : op.operands()) {
        if (is_complex(operand))
          operands.push_back(part == 0 ? parts(operand).re : parts(operand).im);
        else
          operands.push_back(mapped(map_, operand));
      }
      Regions regions;
      for (const auto& region : op.regions()) {
        regions.push_back(part_body(*region));
        if (regions.back() == nullptr) return false;
      }
      const ir::Op& copy = b.create(op.def(), std::move(operands), part_attributes(op), std::move(regions));
      copies[part].assign(copy.results().begin(), copy.results().end());
    }
    for (std::size_t i = 0; i < op.results().size(); ++i) parts_[op.result(i)] = {copies[0][i], copies[1][i]};
    return true;
  }

  /// A region's copy; a comparator's arguments are pairs of elements, and so are their parts.
  std::unique_ptr<ir::Block> split_region(const ir::Block& region, bool has_pairs) {
    auto copy = std::make_unique<ir::Block>();
    const std::size_t step = has_pairs ? 2 : 1;
    for (std::size_t i = 0; i < region.arguments().size(); i += step) {
      const std::span<const ir::Value> group = region.arguments().subspan(i, step);
      for (const ir::Value& argument : group) map_[argument] = copy->add_argument(part_type(argument.type()));
      if (!is_complex(group[0])) continue;
      for (const ir::Value& argument : group)
        parts_[argument] = {map_.at(argument), copy->add_argument(part_type(argument.type()))};
    }
    ir::Builder b(*copy);
    split_ops(b, region);
    copy->set_results(expanded(region.results()));
    return copy;
  }

  void split_regions(ir::Builder& b, const ir::Op& op) {
    Regions regions;
    for (const auto& region : op.regions()) regions.push_back(split_region(*region, op.name() == "sort"));
    const ir::Op& copy = b.create(op.def(), expanded(op.operands()), op.attributes(), std::move(regions));
    set_expanded(op.results(), copy.results());
  }

  bool set(const ir::Op& op, ir::Value copy) {
    map_[op.result()] = copy;
    return true;
  }
  bool set(const ir::Op& op, const ComplexParts& copy) {
    parts_[op.result()] = copy;
    return true;
  }

  ValueMap map_;
  std::unordered_map<ir::Value, ComplexParts, ir::ValueHash> parts_;
};

}  // namespace
}  // namespace complex_splitter

std::unique_ptr<ir::Function> split_complex(const ir::Function& function) {
  using namespace complex_splitter;
  return has_complex(function.body) ? Splitter().split(function) : nullptr;
}

}  // namespace cornu::inline v0::transform
