#include "cornu/transform/widen_small_types.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/literal.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/small_types.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/small_floats.h"

namespace cornu::inline v0::transform {
namespace small_types {
namespace {

using ir::Builder;
using ir::DType;
using ir::Value;

bool has_small(std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(), [](Value value) { return ir::is_small(value.dtype()); });
}

bool has_small(const ir::Block& block) {
  return has_small(block.arguments()) || has_small(block.results()) ||
         std::any_of(block.ops().begin(), block.ops().end(), [](const auto& op) {
           return has_small(op->operands()) || has_small(op->results()) ||
                  std::any_of(op->regions().begin(), op->regions().end(),
                              [](const auto& region) { return has_small(*region); });
         });
}

/// Ops whose results are elements of their operands, or of what their regions return.
constexpr std::string_view kMoves[] = {"broadcast_in_dim",
                                       "case",
                                       "clamp",
                                       "concatenate",
                                       "dynamic_slice",
                                       "dynamic_update_slice",
                                       "gather",
                                       "if",
                                       "map",
                                       "maximum",
                                       "minimum",
                                       "pad",
                                       "reduce",
                                       "reduce_window",
                                       "reshape",
                                       "reverse",
                                       "scatter",
                                       "select",
                                       "select_and_scatter",
                                       "slice",
                                       "sort",
                                       "transpose",
                                       "while"};

bool moves(std::string_view name) {
  return std::find(std::begin(kMoves), std::end(kMoves), name) != std::end(kMoves);
}

DType wide(DType dtype) { return ir::is_small(dtype) ? ir::computing_dtype(dtype) : dtype; }
ir::TensorType wide(const ir::TensorType& type) { return {wide(type.dtype), type.dims}; }

Value converted(Builder& b, Value x, DType dtype) {
  return x.dtype() == dtype ? x : ops::convert(b, x, dtype);
}
Value like(Builder& b, Value x, double value) { return ops::full(b, x.type(), value); }

/// An integer's low bits, sign- or zero-extended.
Value wrapped(Builder& b, Value x, DType small) {
  const double unused = 8 - ir::bit_width(small);
  const Value up = ops::shift_left(b, x, like(b, x, unused));
  return ir::is_signed_small_integer(small) ? ops::shift_right_arithmetic(b, up, like(b, x, unused))
                                            : ops::shift_right_logical(b, up, like(b, x, unused));
}

/// A result in the wide dtype as a number of the small one.
Value narrowed(Builder& b, Value x, DType small) {
  return ir::is_small_float(small) ? round_to_small_float(b, x, small) : wrapped(b, x, small);
}

/// An integer's bits without the copies of the sign.
Value plain_bits(Builder& b, Value x, DType small) {
  const Value bits = x.dtype() == DType::kU8 ? x : ops::bitcast_convert(b, x, DType::kU8);
  return ops::and_(b, bits, like(b, bits, (1 << ir::bit_width(small)) - 1));
}

/// Numbers of any dtype in the wide dtype of a small one.
Value convert_to_small(Builder& b, Value x, DType small) {
  if (ir::is_small_float(small))
    return round_to_small_float(b, x.dtype() == DType::kF64 ? x : converted(b, x, DType::kF32), small);
  const DType storage = ir::storage_dtype(small);
  if (!ir::is_float(x.dtype())) return wrapped(b, converted(b, x, storage), small);
  const int digits = ir::bit_width(small) - (ir::is_signed_small_integer(small) ? 1 : 0);
  const double end = 1 << digits, begin = ir::is_signed_small_integer(small) ? -end : 0;
  const Value y = converted(b, x, storage);  // saturates too
  return ops::maximum(b, ops::minimum(b, y, like(b, y, end - 1)), like(b, y, begin));
}

DType unsigned_of(int bits) {
  return bits == 8 ? DType::kU8 : bits == 16 ? DType::kU16 : bits == 32 ? DType::kU32 : DType::kU64;
}

/// The elements along the last dimension side by side in one of 8 bits or more, the first in the lowest bits.
Value packed(Builder& b, Value bits, int width, DType whole) {
  ir::Dims dims = bits.dims();
  const ir::TensorType wide_type{whole, dims};
  const Value shift =
      ops::multiply(b, ops::iota(b, wide_type, bits.rank() - 1), ops::full(b, wide_type, width));
  const Value shifted = ops::shift_left(b, converted(b, bits, whole), shift);
  return ops::reduce_sum(b, shifted, {bits.rank() - 1});  // no two have a bit in common
}

/// Each element as `count` of fewer bits along a new last dimension.
Value unpacked(Builder& b, Value whole, int width, std::int64_t count) {
  ir::Dims dims = whole.dims();
  dims.push_back(count);
  const Value spread = ops::broadcast_in_dim(b, whole, dims, ops::counting(whole.rank()));
  const Value shift = ops::multiply(b, ops::iota(b, spread.type(), whole.rank()), like(b, spread, width));
  const Value bits = ops::shift_right_logical(b, spread, shift);
  return converted(b, ops::and_(b, bits, like(b, bits, (1 << width) - 1)), DType::kU8);
}

class Widener {
 public:
  std::unique_ptr<ir::Function> run(const ir::Function& function) {
    auto copy = std::make_unique<ir::Function>();
    copy->name = function.name;
    Builder builder(copy->body);
    for (const Value& argument : function.body.arguments()) {
      const bool is_small = ir::is_small(argument.dtype());
      const Value stored = copy->body.add_argument(
          is_small ? ir::TensorType{ir::storage_dtype(argument.dtype()), argument.dims()} : argument.type());
      map_[argument] = stored;
      if (ir::is_small_float(argument.dtype()))
        map_[argument] = decode_small_float(builder, stored, argument.dtype());
      else if (is_small)  // callers may leave anything in the bits that the type does not have
        map_[argument] = wrapped(builder, stored, argument.dtype());
    }
    copy_ops(builder, function.body);
    std::vector<Value> results;
    for (const Value& result : function.body.results()) {
      const Value made = mapped(map_, result);
      results.push_back(ir::is_small_float(result.dtype()) ? encode_small_float(builder, made, result.dtype())
                                                           : made);
    }
    copy->body.set_results(std::move(results));
    return copy;
  }

 private:
  void copy_ops(Builder& builder, const ir::Block& block) {
    for (const auto& op : block.ops()) copy_op(builder, *op);
  }

  void copy_op(Builder& builder, const ir::Op& op) {
    const ir::LocationScope location(builder, op.location());
    std::vector<Value> operands = mapped(map_, op.operands());
    if (Value special = special_result(builder, op, operands)) {
      map_[op.result()] = special;
      return;
    }
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op.regions()) regions.push_back(copy_region(*region));
    const ir::Op& made =
        builder.create(op.def(), std::move(operands), wide_attributes(op), std::move(regions));
    for (std::size_t i = 0; i < op.results().size(); ++i) {
      const DType dtype = op.result(i).dtype();
      map_[op.result(i)] = ir::is_small(dtype) && !moves(op.name()) ? narrowed(builder, made.result(i), dtype)
                                                                    : made.result(i);
    }
  }

  std::unique_ptr<ir::Block> copy_region(const ir::Block& region) {
    auto copy = std::make_unique<ir::Block>();
    for (const Value& argument : region.arguments())
      map_[argument] = copy->add_argument(wide(argument.type()));
    Builder inner(*copy);
    copy_ops(inner, region);
    copy->set_results(mapped(map_, region.results()));
    return copy;
  }

  static ir::Attributes wide_attributes(const ir::Op& op) {
    ir::Attributes attributes;
    for (const auto& [name, value] : op.attributes()) {
      const auto* const dtype = std::get_if<DType>(&value);
      attributes.set(name, dtype == nullptr ? value : ir::Attribute(wide(*dtype)));
    }
    return attributes;
  }

  /// The result of ops that are more than the same op in wide types; empty for others.
  static Value special_result(Builder& b, const ir::Op& op, std::span<const Value> operands) {
    if (op.results().size() != 1 || (!has_small(op.operands()) && !has_small(op.results()))) return {};
    const std::string_view name = op.name();  // patterns: ops on bits, and those that make small types
    const DType from = op.operands().empty() ? DType::kI1 : op.operand(0).dtype(), to = op.result().dtype();
    if (name == "constant") return constant_of(b, op);
    if (name == "convert")
      return ir::is_small(to) ? convert_to_small(b, operands[0], to) : converted(b, operands[0], to);
    if (name == "bitcast_convert") return bitcast(b, operands[0], from, op.result().type());
    if (!ir::is_small_integer(from)) return {};
    if (name == "popcnt") return from_plain_bits(b, ops::popcnt(b, plain_bits(b, operands[0], from)), from);
    if (name == "count_leading_zeros") {
      const Value zeros = ops::count_leading_zeros(b, plain_bits(b, operands[0], from));
      return from_plain_bits(b, ops::subtract(b, zeros, like(b, zeros, 8 - ir::bit_width(from))), from);
    }
    if (name == "shift_right_logical") {
      const Value amount = plain_bits(b, operands[1], from);
      return from_plain_bits(b, ops::shift_right_logical(b, plain_bits(b, operands[0], from), amount), from);
    }
    return {};
  }

  static Value from_plain_bits(Builder& b, Value bits, DType small) {
    const DType storage = ir::storage_dtype(small);
    return wrapped(b, bits.dtype() == storage ? bits : ops::bitcast_convert(b, bits, storage), small);
  }

  static Value constant_of(Builder& b, const ir::Op& op) {
    const auto& literal = op.attributes().get<ir::Literal>("value");
    const DType small = literal.type().dtype;
    ir::Literal stored(ir::TensorType{wide(small), literal.type().dims});
    if (ir::is_small_integer(small)) {
      std::ranges::copy(literal.bytes(), stored.mutable_bytes().begin());
    } else {
      for (std::int64_t i = 0; i < stored.type().num_elements(); ++i)
        stored.mutable_data<float>()[static_cast<std::size_t>(i)] = static_cast<float>(literal.at(i));
    }
    return ops::constant(b, stored);
  }

  /// By the bits of both sides as unsigned integers.
  static Value bitcast(Builder& b, Value x, DType from, const ir::TensorType& to) {
    const int from_width = ir::bit_width(from), to_width = ir::bit_width(to.dtype);
    Value bits = x;
    if (ir::is_small_float(from))
      bits = encode_small_float(b, x, from);
    else if (ir::is_small_integer(from))
      bits = plain_bits(b, x, from);
    else if (from_width != to_width && ir::is_small_integer(to.dtype) && x.dtype() != unsigned_of(from_width))
      bits = ops::bitcast_convert(b, x, unsigned_of(from_width));
    if (from_width < 8 && to_width >= 8) {
      bits = packed(b, bits, from_width, unsigned_of(to_width));
    } else if (from_width >= 8 && to_width < 8) {
      if (bits.dtype() != unsigned_of(from_width))
        bits = ops::bitcast_convert(b, bits, unsigned_of(from_width));
      bits = unpacked(b, bits, to_width, from_width / to_width);
    } else if (from_width < to_width && to_width < 8) {
      bits = packed(b, bits, from_width, DType::kU8);
    } else if (from_width > to_width && from_width < 8) {
      bits = unpacked(b, bits, to_width, from_width / to_width);
    }
    if (ir::is_small_float(to.dtype))
      return decode_small_float(
          b, bits.dtype() == DType::kU8 ? bits : ops::bitcast_convert(b, bits, DType::kU8), to.dtype);
    if (ir::is_small_integer(to.dtype)) return from_plain_bits(b, bits, to.dtype);
    return bits.type() == to ? bits : ops::bitcast_convert(b, bits, to.dtype);
  }

  ValueMap map_;
};

}  // namespace
}  // namespace small_types

std::unique_ptr<ir::Function> widen_small_types(const ir::Function& function) {
  if (!small_types::has_small(function.body)) return nullptr;
  const std::unique_ptr<ir::Function> plain = inline_composites(function);
  return small_types::Widener().run(*plain);
}

}  // namespace cornu::inline v0::transform
