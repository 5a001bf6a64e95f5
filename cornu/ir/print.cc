#include "cornu/ir/print.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/decompositions.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ir {
namespace {

/// The number of elements above which they are written as a hexadecimal blob.
constexpr std::int64_t kMaxListedElements = 64;

std::string hex_bits(const Literal& literal, std::int64_t i) {
  const std::size_t size = size_bytes(literal.type().dtype);
  std::uint64_t bits = 0;
  std::memcpy(&bits, literal.bytes().data() + static_cast<std::size_t>(i) * size,
              size);  // x86-64 is little-endian
  return fmt::format("0x{:0{}X}", bits, 2 * size);
}

/// The shortest exponent form that parses to the same bits (MLIR requires a decimal point).
std::string float_str(const Literal& literal, std::int64_t i) {
  const DType dtype = literal.type().dtype;
  const double value = literal.at(i);
  if (!std::isfinite(value)) return hex_bits(literal, i);
  for (int digits = 1; digits <= 16; ++digits) {
    std::string text = fmt::format("{:.{}e}", value, digits);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);  // whatever the locale
    if (Literal::scalar(dtype, read).at(0) == value) return text;
  }
  return hex_bits(literal, i);
}

/// "(1.0e+00,2.0e+00)"
std::string complex_str(const Literal& literal, std::int64_t i) {
  const std::complex<double> value = complex_at(literal, i);
  const DType dtype = real_dtype(literal.type().dtype);
  return fmt::format("({},{})", float_str(Literal::scalar(dtype, value.real()), 0),
                     float_str(Literal::scalar(dtype, value.imag()), 0));
}

std::string element_str(const Literal& literal, std::int64_t i) {
  const DType dtype = literal.type().dtype;
  if (is_complex(dtype)) return complex_str(literal, i);
  if (is_float(dtype) || is_small_float(dtype)) return float_str(literal, i);
  if (is_small_integer(dtype)) return fmt::format("{}", literal.at(i));
  if (dtype == DType::kI1) return literal.data<bool>()[static_cast<std::size_t>(i)] ? "true" : "false";
  std::string text;
  visit_dtype(dtype, [&]<typename T>() {
    text = fmt::format("{}", +literal.data<T>()[static_cast<std::size_t>(i)]);
  });
  return text;
}

std::string nested_str(const Literal& literal, std::size_t dimension, std::int64_t& next) {
  if (dimension == literal.type().dims.size()) return element_str(literal, next++);
  std::string text = "[";
  for (std::int64_t i = 0; i < literal.type().dims[dimension]; ++i)
    text += (i ? ", " : "") + nested_str(literal, dimension + 1, next);
  return text + "]";
}

std::string blob_str(const Literal& literal) {
  std::string text = "\"0x";
  for (std::byte byte : literal.bytes()) text += fmt::format("{:02X}", std::to_integer<unsigned>(byte));
  return text + "\"";
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\' || c < 0x20 || c >= 0x7f) {
      result += fmt::format("\\{:02X}", c);
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "\"";
}

/// A function's or an attribute's name: in quotes if it is no plain word, as names in bytecode may be.
std::string name_str(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_word = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '$'; };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_word) ? name
                                                                                               : quoted(name);
}

std::string attribute_str(const Attribute& attribute) {
  struct Visitor {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return fmt::format("{} : i64", value); }
    std::string operator()(double value) const {
      const Literal literal = Literal::scalar(DType::kF64, value);
      return float_str(literal, 0) + " : f64";
    }
    std::string operator()(const std::string& value) const { return quoted(value); }
    std::string operator()(const std::vector<std::int64_t>& value) const {
      return value.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(value, ", "));
    }
    std::string operator()(const Literal& value) const {
      return dense_str(value) + " : " + value.type().str();
    }
    std::string operator()(DType value) const { return std::string(stablehlo_name(value)); }
  };
  return std::visit(Visitor{}, attribute);
}

/// True for attributes with a dialect before their name, which the parser keeps for other tools:
/// mhlo.sharding.
bool is_kept(std::string_view name) { return name.find('.') != std::string_view::npos; }

std::string attributes_str(const Attributes& attributes, bool kept = false) {
  std::string text;
  for (const auto& [name, value] : attributes)
    if (is_kept(name) == kept)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name_str(name), attribute_str(value));
  return text;
}

template <typename Range, typename F>
std::string joined(const Range& range, F&& f) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : ", ") + f(item);
  return text;
}

std::string types_str(std::span<const Value> values) {
  return joined(values, [](const Value& v) { return v.type().str(); });
}

/// "tensor<..>" for one result, "(tensor<..>, tensor<..>)" for none or several.
std::string result_types_str(std::span<const Value> values) {
  return values.size() == 1 ? values[0].type().str() : fmt::format("({})", types_str(values));
}

/// Prints the functions of a module and the decompositions that they need, each once.
class ModulePrinter {
 public:
  explicit ModulePrinter(bool prints_locations = false) : prints_locations_(prints_locations) {}

  void print(const Function& function, bool is_private, std::span<const std::int64_t> donations = {}) {
    names_.clear();
    next_name_ = 0;
    std::string arguments;
    for (const Value& argument : function.body.arguments()) {
      const std::string name = fmt::format("%arg{}", argument.index());
      names_[argument] = name;
      arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", name, argument.type().str());
      const auto i = static_cast<std::size_t>(argument.index());
      if (i < donations.size() && donations[i] != kNotDonated)
        arguments += fmt::format(" {{tf.aliasing_output = {} : i32}}", donations[i]);
    }
    const std::span<const Value> results = function.body.results();
    const std::string returns = results.empty() ? "" : " -> " + result_types_str(results);
    text_ += fmt::format("  func.func {}@{}({}){} {{\n", is_private ? "private " : "",
                         name_str(function.name), arguments, returns);
    for (const auto& op : function.body.ops()) print_op(*op, 4);
    text_ += results.empty() ? "    return\n"
                             : fmt::format("    return {} : {}\n", names_str(results), types_str(results));
    text_ += "  }\n";
  }

  std::string finish() {
    // Printing a decomposition may add more of them at the end of the list.
    for (std::size_t i = 0; i < decompositions_.size(); ++i) {
      const std::unique_ptr<Function> function = decompositions_.build(i);
      print(*function, true);
    }
    return "module {\n" + text_ + "}\n";
  }

 private:
  std::string name(const Value& value) {
    const auto found = names_.find(value);
    CORNU_CHECK(found != names_.end(), "printing a use before its definition: {}", value.type().str());
    return found->second;
  }
  std::string names_str(std::span<const Value> values) {
    return joined(values, [&](const Value& v) { return name(v); });
  }

  /// "%3 = " or "%3:2 = ", after naming the results.
  std::string define_results(const Op& op) {
    const std::size_t count = op.results().size();
    if (count == 0) return "";
    const std::string base = fmt::format("%{}", next_name_++);
    for (std::size_t i = 0; i < count; ++i)
      names_[op.result(i)] = count == 1 ? base : fmt::format("{}#{}", base, i);
    return count == 1 ? base + " = " : fmt::format("{}:{} = ", base, count);
  }

  /// True for elementwise ops without attributes, which have StableHLO's short form if all types are equal.
  static bool has_short_form(const Op& op) {
    if (!op.def().elementwise || !op.def().is_stablehlo() || !op.attributes().empty() ||
        op.operands().empty())
      return false;
    for (const Value& operand : op.operands())
      if (operand.type() != op.result().type()) return false;
    return op.regions().empty() && op.results().size() == 1;
  }

  std::string properties(const Op& op) {
    if (op.def().print_attributes != nullptr) return op.def().print_attributes(op);
    return attributes_str(op.attributes());
  }

  static std::string kept_attributes(const Op& op) {
    const std::string kept = attributes_str(op.attributes(), true);
    return kept.empty() ? "" : " {" + kept + "}";
  }

  void print_op(const Op& op, int indent) {
    const std::string operands = names_str(op.operands());
    std::string line;
    if (has_short_form(op)) {
      line = fmt::format("stablehlo.{} {} : {}", op.name(), operands, op.result().type().str());
    } else if (!op.def().is_stablehlo()) {
      const std::string callee = decompositions_.name_of(op);
      const std::string attributes = op.attributes().empty() ? ""
                                                             : fmt::format("composite_attributes = {{{}}}, ",
                                                                           attributes_str(op.attributes()));
      line = fmt::format("\"stablehlo.composite\"({}) <{{{}decomposition = @{}, name = {}}}> : ({}) -> {}",
                         operands, attributes, callee, quoted(op.name()), types_str(op.operands()),
                         result_types_str(op.results()));
    } else {
      const std::string inside = properties(op);
      line = fmt::format("\"stablehlo.{}\"({}){}{}{} : ({}) -> {}", op.name(), operands,
                         inside.empty() ? "" : " <{" + inside + "}>", regions(op, indent),
                         kept_attributes(op), types_str(op.operands()), result_types_str(op.results()));
    }
    if (prints_locations_ && !op.location().empty()) line += fmt::format(" loc({})", quoted(op.location()));
    // Results are named last: the regions, printed before, continue the same numbers.
    text_ += std::string(static_cast<std::size_t>(indent), ' ') + define_results(op) + line + "\n";
  }

  std::string regions(const Op& op, int indent) {
    if (op.regions().empty()) return "";
    std::string result = " (";
    for (std::size_t i = 0; i < op.regions().size(); ++i)
      result += (i ? ", " : "") + region(op.region(i), indent);
    return result + ")";
  }

  std::string region(const Block& block, int indent) {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    std::string arguments;
    for (const Value& argument : block.arguments()) {
      names_[argument] = fmt::format("%{}", next_name_++);
      arguments +=
          fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", names_[argument], argument.type().str());
    }
    std::string outside;
    std::swap(outside, text_);
    for (const auto& op : block.ops()) print_op(*op, indent + 4);
    std::swap(outside, text_);
    return fmt::format("{{\n{}  ^bb0{}:\n{}{}    \"stablehlo.return\"({}) : ({}) -> ()\n{}}}", margin,
                       arguments.empty() ? "" : "(" + arguments + ")", outside, margin,
                       names_str(block.results()), types_str(block.results()), margin);
  }

  bool prints_locations_;
  std::string text_;
  std::unordered_map<Value, std::string, ValueHash> names_;
  int next_name_ = 0;
  Decompositions decompositions_;
};

void check_donations(const Function& function, std::span<const std::int64_t> donations) {
  const std::span<const Value> arguments = function.body.arguments(), results = function.body.results();
  if (donations.size() != arguments.size())
    invalid_argument("function \"{}\" has {} arguments; got {} donations", function.name, arguments.size(),
                     donations.size());
  std::vector<bool> taken(results.size());
  for (std::size_t i = 0; i < donations.size(); ++i) {
    if (donations[i] == kNotDonated) continue;
    const auto result = static_cast<std::size_t>(donations[i]);
    if (donations[i] < 0 || result >= results.size() || results[result].type() != arguments[i].type() ||
        taken[result])
      invalid_argument(
          "argument {} of function \"{}\", {}, cannot be donated to result {}: it is no free result of this "
          "type",
          i, function.name, arguments[i].type().str(), donations[i]);
    taken[result] = true;
  }
}

}  // namespace

std::string dense_str(const Literal& literal) {
  const std::int64_t count = literal.type().num_elements();
  if (count == 0) return "dense<>";
  if (literal.is_splat()) return "dense<" + element_str(literal, 0) + ">";
  // i1 blobs are packed into bits, so booleans are always listed.
  if (count > kMaxListedElements && literal.type().dtype != DType::kI1)
    return "dense<" + blob_str(literal) + ">";
  std::int64_t next = 0;
  return "dense<" + nested_str(literal, 0, next) + ">";
}

std::string to_stablehlo(const Function& function) {
  ModulePrinter printer;
  printer.print(function, false);
  return printer.finish();
}

std::string to_stablehlo(const Function& function, std::span<const std::int64_t> donations) {
  check_donations(function, donations);
  ModulePrinter printer;
  printer.print(function, false, donations);
  return printer.finish();
}

std::string to_stablehlo_with_locations(const Function& function, std::span<const std::int64_t> donations) {
  check_donations(function, donations);
  ModulePrinter printer(true);
  printer.print(function, false, donations);
  return printer.finish();
}

std::string to_stablehlo(const Module& module) {
  ModulePrinter printer;
  for (const auto& function : module.functions) printer.print(*function, function->name != "main");
  return printer.finish();
}

}  // namespace cornu::inline v0::ir
