#include "cornu/ir/bytecode/write.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/bytecode/sections.h"
#include "cornu/ir/bytecode/tables.h"
#include "cornu/ir/decompositions.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ir {
namespace bytecode {
namespace {

using Numbers = std::vector<std::size_t>;
using Entries = std::vector<std::pair<std::string, std::size_t>>;

/// The parts that follow an op's name, as bits.
constexpr unsigned kAttributes = 1, kResults = 2, kOperands = 4, kRegions = 16, kProperties = 64;

/// The op's name with its version in VHLO 1.7.0.
std::string versioned(const Op& made) {
  const std::string_view op = made.name();
  // The second version has the root, which newer readers know.
  if (made.attributes().find("has_dynamic_root") != nullptr && op == "collective_broadcast")
    return "collective_broadcast_v2";
  constexpr std::string_view kSecond[] = {"all_gather",  "all_reduce", "all_to_all",
                                          "dot_general", "gather",     "scatter"};
  const bool is_second = std::find(std::begin(kSecond), std::end(kSecond), op) != std::end(kSecond);
  return fmt::format("{}_v{}", op, is_second ? 2 : 1);
}

/// The enumeration of a property whose attribute is a text; nothing for other properties.
std::optional<AttributeCode> enumeration_of(std::string_view property) {
  constexpr std::pair<std::string_view, AttributeCode> kRows[] = {
      {"comparison_direction", AttributeCode::kComparisonDirection},
      {"compare_type", AttributeCode::kComparisonType},
      {"fft_type", AttributeCode::kFftType},
      {"rng_algorithm", AttributeCode::kRngAlgorithm},
      {"rng_distribution", AttributeCode::kRngDistribution},
      {"transpose_a", AttributeCode::kTranspose},
  };
  for (const auto& [name, code] : kRows)
    if (name == property) return code;
  return std::nullopt;
}

/// True for an attribute that result types or other properties imply, and for a flag that is not set: the text
/// of all_to_all has a flag that VHLO does not have.
bool is_implied(std::string_view attribute, const Attribute& value) {
  const bool* const flag = std::get_if<bool>(&value);
  if (flag != nullptr && !*flag) return true;
  constexpr std::string_view kImplied[] = {"dtype", "dims", "padding_low", "padding_high", "num_partitions"};
  return std::find(std::begin(kImplied), std::end(kImplied), attribute) != std::end(kImplied);
}

/// True for attributes with a dialect before their name, which are kept for other tools: mhlo.sharding.
bool is_kept(std::string_view attribute) { return attribute.find('.') != std::string_view::npos; }

std::vector<TensorType> types_of(std::span<const Value> values) {
  std::vector<TensorType> types;
  for (const Value& value : values) types.push_back(value.type());
  return types;
}

class Writer {
 public:
  void add_function(const Function& function, bool is_private) {
    const std::vector<TensorType> arguments = types_of(function.body.arguments());
    const std::vector<TensorType> results = types_of(function.body.results());
    const Numbers none;
    ByteWriter properties;
    properties.varint(tables_.array(none))
        .varint(tables_.type_attribute(tables_.function_type(arguments, results)))
        .varint(tables_.array(none))
        .varint(tables_.text(function.name))
        .varint(tables_.text(is_private ? "private" : ""));
    functions_ += isolated_op("vhlo", "func_v1", properties.bytes(), region_of(function.body, 0));
    ++num_functions_;
  }

  std::string finish() {
    // Writing a decomposition may add more of them.
    for (std::size_t i = 0; i < decompositions_.size(); ++i) add_function(*decompositions_.build(i), true);
    ByteWriter body;
    body.varint(1).varint(0).varint_with_flag(num_functions_, false).append(functions_);
    const std::string no_name_and_visibility = ByteWriter().varint(0).varint(0).bytes();
    const std::string module = isolated_op("builtin", "module", no_name_and_visibility, body.bytes());
    return tables_.file(ByteWriter().varint_with_flag(1, false).append(module).bytes());
  }

 private:
  /// An op of properties and one region, whose values are numbered on their own.
  std::string isolated_op(std::string_view dialect, std::string_view name, const std::string& properties,
                          const std::string& region) {
    ByteWriter op;
    op.varint(tables_.op_name(dialect, name))
        .byte(static_cast<std::uint8_t>(kRegions | kProperties))
        .varint(tables_.location(""));
    op.varint(tables_.properties(properties)).varint_with_flag(1, true);
    op.byte(static_cast<std::uint8_t>(Section::kOps)).varint(region.size());
    return op.append(region).bytes();
  }

  /// A region of one block, whose values are numbered from `base` on.
  std::string region_of(const Block& block, std::size_t base) {
    std::size_t next = base;
    const auto define = [&](std::span<const Value> values) {
      for (const Value& value : values) numbers_[value] = next++;
    };
    define(block.arguments());
    for (const auto& op : block.ops()) define(op->results());
    ByteWriter out;
    out.varint(1).varint(next - base);
    out.varint_with_flag(block.ops().size() + 1, !block.arguments().empty());
    if (!block.arguments().empty()) {
      out.varint(block.arguments().size());
      for (const Value& argument : block.arguments())
        out.varint_with_flag(tables_.tensor_type(argument.type()), false);
      out.byte(0);  // no order of uses
    }
    for (const auto& op : block.ops()) add_op(out, *op, next);
    out.varint(tables_.op_name("vhlo", "return_v1"));
    out.byte(static_cast<std::uint8_t>(block.results().empty() ? 0U : kOperands))
        .varint(tables_.location(""));
    if (!block.results().empty()) add_operands(out, block.results());
    return out.bytes();
  }

  void add_operands(ByteWriter& out, std::span<const Value> values) {
    out.varint(values.size());
    for (const Value& value : values) {
      const auto found = numbers_.find(value);
      CORNU_CHECK(found != numbers_.end(), "writing a use before its definition: {}", value.type().str());
      out.varint(found->second);
    }
  }

  /// `num_values`: the values of the regions around the op.
  void add_op(ByteWriter& out, const Op& op, std::size_t num_values) {
    const bool is_composite = !op.def().is_stablehlo();
    const std::string name = is_composite ? "composite_v1" : versioned(op);
    const std::string properties = is_composite ? composite_properties(op) : properties_of_op(op, name);
    Entries kept;
    for (const auto& [attribute, value] : op.attributes())
      if (is_kept(attribute)) kept.emplace_back(attribute, tables_.any(value));
    // A composite's region, of a gradient of its own, has no place in VHLO 1.7.0, nor in text.
    const bool has_regions = !is_composite && !op.regions().empty();
    const unsigned parts = (kept.empty() ? 0U : kAttributes) | (properties.empty() ? 0U : kProperties) |
                           (op.results().empty() ? 0U : kResults) | (op.operands().empty() ? 0U : kOperands) |
                           (has_regions ? kRegions : 0U);
    out.varint(tables_.op_name("vhlo", name)).byte(static_cast<std::uint8_t>(parts));
    out.varint(tables_.location(op.location()));
    if (!kept.empty()) out.varint(tables_.builtin_dictionary(kept));
    if (!properties.empty()) out.varint(tables_.properties(properties));
    if (!op.results().empty()) {
      out.varint(op.results().size());
      for (const Value& result : op.results()) out.varint(tables_.tensor_type(result.type()));
    }
    if (!op.operands().empty()) add_operands(out, op.operands());
    if (!has_regions) return;
    out.varint_with_flag(op.regions().size(), false);
    for (const auto& region : op.regions()) out.append(region_of(*region, num_values));
  }

  std::string composite_properties(const Op& op) {
    Entries attributes;
    for (const auto& [name, value] : op.attributes())
      if (!is_kept(name)) attributes.emplace_back(name, tables_.any(value));
    return ByteWriter()
        .varint(tables_.dictionary(attributes))
        .varint(tables_.text(decompositions_.name_of(op)))
        .varint(tables_.text(op.name()))
        .varint(tables_.integer(0, "i32"))
        .bytes();
  }

  std::string properties_of_op(const Op& op, std::string_view name) {
    const std::vector<std::string_view>& names = properties_of(name);
    for (const auto& [attribute, value] : op.attributes())
      if (!is_kept(attribute) && !is_implied(attribute, value) &&
          std::find(names.begin(), names.end(), attribute) == names.end())
        fail(ErrorCode::kUnimplemented, "[{}] has an attribute \"{}\" that cannot be written as bytecode",
             op.name(), attribute);
    ByteWriter encoding;
    for (const std::string_view property : names) encoding.varint(property_of(op, property));
    return encoding.bytes();
  }

  std::size_t property_of(const Op& op, std::string_view property) {
    if (property == "padding") return tables_.literal(padding_of(op));
    const Attribute* const value = op.attributes().find(property);
    if (value == nullptr) return default_of(op, property);
    if (const auto* text = std::get_if<std::string>(value))
      if (const std::optional<AttributeCode> code = enumeration_of(property))
        return tables_.enumerator(*code, *text);
    const bool is_i32 = property == "exponent_bits" || property == "mantissa_bits";
    if (is_i32) return tables_.integer(std::get<std::int64_t>(*value), "i32");
    if (property == "epsilon") return tables_.floating(std::get<double>(*value), DType::kF32);
    if (property == "window_reversal") {
      const auto& flags = std::get<std::vector<std::int64_t>>(*value);
      Literal literal(TensorType{DType::kI1, {static_cast<std::int64_t>(flags.size())}});
      for (std::size_t i = 0; i < flags.size(); ++i) literal.mutable_data<bool>()[i] = flags[i] != 0;
      return tables_.literal(literal);
    }
    return tables_.any(*value);
  }

  /// The pairs of padding_low and padding_high.
  static Literal padding_of(const Op& op) {
    const auto& low = op.attributes().get<Dims>("padding_low");
    const auto& high = op.attributes().get<Dims>("padding_high");
    Literal pairs(TensorType{DType::kI64, {static_cast<std::int64_t>(low.size()), 2}});
    const std::span<std::int64_t> values = pairs.mutable_data<std::int64_t>();
    for (std::size_t i = 0; i < low.size(); ++i) {
      values[2 * i] = low[i];
      values[2 * i + 1] = high[i];
    }
    return pairs;
  }

  /// The encoding of a property that the op has no attribute for.
  std::size_t default_of(const Op& op, std::string_view property) {
    constexpr std::string_view kNoTypes[] = {"accumulation_type",        "allow_imprecise_accumulation",
                                             "lhs_component_count",      "lhs_precision_type",
                                             "num_primitive_operations", "rhs_component_count",
                                             "rhs_precision_type"};
    if (std::find(std::begin(kNoTypes), std::end(kNoTypes), property) != std::end(kNoTypes))
      return tables_.no_type();
    constexpr std::string_view kEmptyLists[] = {"precision_config", "called_computations", "operand_layouts",
                                                "output_operand_aliases", "result_layouts"};
    if (std::find(std::begin(kEmptyLists), std::end(kEmptyLists), property) != std::end(kEmptyLists))
      return tables_.array({});
    if (property == "api_version")
      return tables_.enumerator(AttributeCode::kCustomCallApiVersion, "API_VERSION_ORIGINAL");
    if (property == "backend_config") return tables_.text("");
    if (property == "has_side_effect") return tables_.boolean(false);
    if (property == "compare_type") return tables_.enumerator(AttributeCode::kComparisonType, "NOTYPE");
    if (property == "channel_id") return tables_.integer(0);
    if (property == "use_global_device_ids" || property == "has_dynamic_root" || property == "is_stable")
      return tables_.boolean(false);
    fail(ErrorCode::kUnimplemented, "[{}] cannot be written as bytecode: it has no attribute \"{}\"",
         op.name(), property);
  }

  Tables tables_;
  Decompositions decompositions_;
  std::string functions_;
  std::size_t num_functions_ = 0;
  std::unordered_map<Value, std::size_t, ValueHash> numbers_;
};

}  // namespace
}  // namespace bytecode

std::string to_bytecode(const Function& function) {
  bytecode::Writer writer;
  writer.add_function(function, false);
  return writer.finish();
}

std::string to_bytecode(const Module& module) {
  bytecode::Writer writer;
  for (const auto& function : module.functions) writer.add_function(*function, function->name != "main");
  return writer.finish();
}

}  // namespace cornu::inline v0::ir
