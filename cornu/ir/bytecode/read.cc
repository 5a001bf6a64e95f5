#include "cornu/ir/bytecode/read.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/bytecode/structure.h"
#include "cornu/ir/bytecode/vhlo.h"
#include "cornu/ir/text/op_maker.h"

namespace cornu::inline v0::ir {
namespace bytecode {
namespace {

using text::Syntax;
using text::SyntaxKind;

/// Memory of a function's record and of a region, in addition to the bytes.
constexpr std::size_t kFunctionBytes = 512, kRegionBytes = 1024;

struct FunctionBytes {
  std::string name;
  std::size_t position = 0;
  std::size_t region = 0, end = 0;  // of its body
  std::vector<TensorType> results;
  std::vector<Attributes> argument_attributes, result_attributes;
  bool is_private = false;
  bool is_open = false;  // being read: a call of it now is a cycle
};

class Reader {
 public:
  Reader(std::string_view program, FindOp find_op, const ParseOptions& options)
      : source_(program, options.name, text::SourceForm::kBytecode),
        budget_{.depth = options.max_depth,
                .num_ops = options.max_ops,
                .num_inlined_bytes = options.max_inlined_bytes,
                .num_splat_bytes = options.max_splat_bytes,
                .charge = options.charge},
        sections_(source_, budget_),
        attributes_(sections_, source_, budget_),
        structure_(sections_, source_, budget_, attributes_),
        find_op_(find_op),
        maker_(source_, find_op, budget_) {}

  ParsedModule read();

 private:
  Syntax fields_of(const OpHeader& header, std::string_view op);

  void scan_module(Attributes& module_attributes);
  void scan_op_of_module(ByteReader& bytes, Attributes& module_attributes);
  void scan_mesh(const OpHeader& header, Attributes& module_attributes);
  void scan_function(ByteReader& bytes, const OpHeader& header);
  ByteReader open_own_region(ByteReader& bytes, const OpHeader& header) const;

  void read_function(FunctionBytes& function, ParsedModule& parsed);
  FunctionBytes& find_function(const Syntax& callee);
  std::vector<Value> inline_function(FunctionBytes& function, Builder& builder,
                                     std::span<const Value> operands, std::size_t call);

  /// Reads a region of one block: its arguments are `given`, or new ones of the builder's block.
  std::vector<Value> read_region(ByteReader& bytes, Builder& builder, const std::vector<Value>* given);
  void read_arguments(ByteReader& bytes, Builder& builder, const std::vector<Value>* given);
  /// Returns the operands of a return; empty for other ops, whose results it defines.
  std::optional<std::vector<Value>> read_op(ByteReader& bytes, Builder& builder);
  void read_regions(ByteReader& bytes, const OpHeader& header, text::OpParts& parts);
  void read_sharding_op(const OpHeader& header, const std::vector<Value>& operands);
  std::vector<Value> make(Builder& builder, text::OpParts& parts, std::string_view op);
  std::vector<Value> call(Builder& builder, const text::OpParts& parts, std::string_view attribute);
  void define(Value value, std::size_t position);
  void define_tuple(std::vector<Value> elements, std::size_t position);
  bool read_tuple_op(const OpHeader& header);
  std::vector<Value> operands_of(const OpHeader& header, bool is_return);

  const text::Source source_;
  text::ReadBudget budget_;
  const Sections sections_;
  AttributeReader attributes_;
  StructureReader structure_;
  const FindOp find_op_;
  const text::OpMaker maker_;
  std::vector<FunctionBytes> functions_;
  std::unordered_map<std::string, std::size_t> function_numbers_;
  std::vector<Value> values_;                                   // of the open regions, by number
  std::unordered_map<std::size_t, std::vector<Value>> tuples_;  // elements of those that are tuples
  std::size_t next_value_ = 0;
  std::size_t num_values_left_ = 0;  // that regions may declare
};

/// The attributes as StableHLO's text has them: some properties of VHLO are fields of one attribute there.
Syntax Reader::fields_of(const OpHeader& header, std::string_view op) {
  Syntax fields;
  fields.kind = SyntaxKind::kFields;
  for (const auto& [name, number] : header.attributes) {
    std::optional<Syntax> value = attributes_.value(number);
    if (!value.has_value()) continue;
    // The default, which text leaves out.
    if (name == "has_dynamic_root" && value->is(SyntaxKind::kBool) && value->integer == 0) continue;
    const GroupedProperty* const in_group = find_group(op, name);
    if (in_group == nullptr) {
      fields.fields.push_back({name, std::move(*value)});
      continue;
    }
    auto group = std::find_if(fields.fields.begin(), fields.fields.end(),
                              [&](const auto& field) { return field.name == in_group->group; });
    if (group == fields.fields.end()) {
      budget_.take_node();
      fields.fields.emplace_back(std::string(in_group->group));
      group = std::prev(fields.fields.end());
      group->value.kind = SyntaxKind::kFields;
      group->value.begin = header.position;
    }
    group->value.fields.push_back({std::string(in_group->field), std::move(*value)});
  }
  return fields;
}

/// The region of a module or of a function, whose values are numbered on their own.
ByteReader Reader::open_own_region(ByteReader& bytes, const OpHeader& header) const {
  if (header.num_regions != 1 || !header.is_isolated)
    source_.fail_at(header.position, fmt::format("[{}] must have one region of its own", header.name));
  return structure_.open_regions(bytes, header);
}

void Reader::scan_module(Attributes& module_attributes) {
  ByteReader top = sections_.ops();
  const auto [count, has_arguments] = top.varint_with_flag();
  const OpHeader module = structure_.read_header(top, 0);
  if (count != 1 || has_arguments || module.name != "builtin.module")
    source_.fail_at(module.position, "there must be one module");
  const text::NodesOfScope nodes(budget_);
  for (const auto& [name, number] : module.attributes)
    if (const std::optional<Syntax> value = attributes_.value(number))
      module_attributes.set(name, text::to_attribute(source_, *value));
  ByteReader bytes = open_own_region(top, module);
  structure_.read_region(bytes);
  for (std::uint64_t left = bytes.varint_with_flag().first; left > 0; --left)
    scan_op_of_module(bytes, module_attributes);
  if (functions_.empty()) source_.fail_at(module.position, "there is no function in this bytecode");
}

void Reader::scan_op_of_module(ByteReader& bytes, Attributes& module_attributes) {
  const OpHeader header = structure_.read_header(bytes, 0);
  if (header.name == text::kMesh && header.num_regions == 0)
    scan_mesh(header, module_attributes);
  else if (header.name == "vhlo.func_v1")
    scan_function(bytes, header);
  else
    source_.fail_at(
        header.position,
        Error(ErrorCode::kUnimplemented,
              fmt::format("Cornu has no operation \"{}\" of modules: write the program as a portable "
                          "artifact, with jax.export or stablehlo.serialize_portable_artifact",
                          header.name)));
}

/// Names the devices of shardings.
void Reader::scan_mesh(const OpHeader& header, Attributes& module_attributes) {
  const text::NodesOfScope nodes(budget_);
  std::string name, mesh;
  for (const auto& [key, number] : header.attributes) {
    const std::optional<Syntax> value = attributes_.value(number);
    if (!value.has_value()) continue;
    if (key == "sym_name") name = value->text;
    if (key == "mesh") mesh = value->text;
  }
  module_attributes.set(fmt::format("{} @{}", text::kMesh, name), std::move(mesh));
}

void Reader::scan_function(ByteReader& bytes, const OpHeader& header) {
  budget_.take_bytes(kFunctionBytes);
  const text::NodesOfScope nodes(budget_);
  FunctionBytes function;
  function.position = header.position;
  for (const auto& [name, number] : header.attributes) {
    if (name == "function_type") {
      function.results = attributes_.function_results(number);
      continue;
    }
    const std::optional<Syntax> value = attributes_.value(number);
    if (!value.has_value()) continue;
    if (name == "sym_name" && value->is(SyntaxKind::kString)) function.name = value->text;
    if (name == "sym_visibility") function.is_private = value->text == "private";
    if (name != "arg_attrs" && name != "res_attrs") continue;
    for (const Syntax& each : value->items) {
      Attributes& attributes =
          (name == "arg_attrs" ? function.argument_attributes : function.result_attributes).emplace_back();
      for (const auto& [key, of_each] : each.fields)
        attributes.set(key, text::to_attribute(source_, of_each));
    }
  }
  const ByteReader region = open_own_region(bytes, header);
  function.region = region.position();
  function.end = region.end();
  if (!function_numbers_.emplace(function.name, functions_.size()).second)
    source_.fail_at(header.position, fmt::format("two functions are called \"{}\"", function.name));
  functions_.push_back(std::move(function));
}

ParsedModule Reader::read() {
  ParsedModule parsed;
  parsed.name = source_.name();
  scan_module(parsed.attributes);
  std::unordered_set<std::string> references;
  for (const FunctionBytes& function : functions_)
    structure_.add_references({source_, function.region, function.end}, references);
  for (FunctionBytes& function : functions_)
    if (!function.is_private || !references.contains(function.name)) read_function(function, parsed);
  budget_.report();
  return parsed;
}

void Reader::read_function(FunctionBytes& function, ParsedModule& parsed) {
  Function& made = parsed.module.add_function(function.name);
  ByteReader bytes(source_, function.region, function.end);
  num_values_left_ = function.end - function.region;
  values_.clear();
  tuples_.clear();
  next_value_ = 0;
  function.is_open = true;
  Builder builder(made.body);
  std::vector<Value> results = read_region(bytes, builder, nullptr);
  function.is_open = false;
  bool fits = results.size() == function.results.size();
  for (std::size_t i = 0; fits && i < results.size(); ++i) fits = results[i].type() == function.results[i];
  if (!fits)
    source_.fail_at(function.position,
                    fmt::format("the function \"{}\" returns other values than it says", function.name));
  made.body.set_results(std::move(results));
  if (parsed.module.functions.size() > 1 && function.name != "main") return;
  parsed.argument_attributes = std::move(function.argument_attributes);
  parsed.argument_attributes.resize(made.body.arguments().size());
  parsed.result_attributes = std::move(function.result_attributes);
  parsed.result_attributes.resize(made.body.results().size());
}

FunctionBytes& Reader::find_function(const Syntax& callee) {
  const auto found = function_numbers_.find(callee.text);
  if (found == function_numbers_.end())
    source_.fail_at(callee.begin, fmt::format("there is no function \"{}\"", callee.text));
  return functions_[found->second];
}

std::vector<Value> Reader::inline_function(FunctionBytes& function, Builder& builder,
                                           std::span<const Value> operands, std::size_t call) {
  if (function.is_open) source_.fail_at(call, fmt::format("the function \"{}\" calls itself", function.name));
  const text::Level level(source_, call, budget_);
  budget_.num_inlined_bytes -= static_cast<std::int64_t>(function.end - function.region);
  if (budget_.num_inlined_bytes < 0) source_.fail_at(call, "functions are called too often");
  budget_.take_bytes(function.end - function.region);
  num_values_left_ += function.end - function.region;
  ByteReader bytes(source_, function.region, function.end);
  std::vector<Value> outer;
  std::swap(values_, outer);
  auto outer_tuples = std::exchange(tuples_, {});
  const std::size_t outer_next = std::exchange(next_value_, 0);
  function.is_open = true;
  const std::vector<Value> given(operands.begin(), operands.end());
  std::vector<Value> results = read_region(bytes, builder, &given);
  function.is_open = false;
  std::swap(values_, outer);
  tuples_ = std::move(outer_tuples);
  next_value_ = outer_next;
  return results;
}

std::vector<Value> Reader::read_region(ByteReader& bytes, Builder& builder, const std::vector<Value>* given) {
  const std::size_t begin = bytes.position();
  const std::size_t num_values = structure_.read_region(bytes);
  const std::size_t num_outer = values_.size();
  // Each value has a type in the file: all regions together cannot declare more of them than it has bytes.
  if (num_values > num_values_left_) source_.fail_at(begin, "a region declares too many values");
  num_values_left_ -= num_values;
  budget_.take_bytes(num_values * sizeof(Value));
  values_.resize(num_outer + num_values);
  const std::size_t outer_next = std::exchange(next_value_, num_outer);
  const auto [num_ops, has_arguments] = bytes.varint_with_flag();
  if (has_arguments)
    read_arguments(bytes, builder, given);
  else if (given != nullptr && !given->empty())
    source_.fail_at(begin, "the function takes other arguments");
  std::optional<std::vector<Value>> results;
  for (std::uint64_t left = num_ops; left > 0; --left) {
    if (results.has_value()) bytes.fail("an operation follows a return");
    results = read_op(bytes, builder);
  }
  if (!results.has_value()) bytes.fail("a region must end with a return");
  values_.resize(num_outer);
  next_value_ = outer_next;
  return std::move(*results);
}

void Reader::read_arguments(ByteReader& bytes, Builder& builder, const std::vector<Value>* given) {
  const std::size_t at = bytes.position();
  const std::vector<std::size_t> types = structure_.read_arguments(bytes);
  bool fits = given == nullptr || given->size() == types.size();
  for (std::size_t i = 0; fits && i < types.size(); ++i) {
    const TensorType& type = attributes_.tensor_type(types[i]);
    if (given != nullptr) {
      fits = (*given)[i].type() == type;
      define((*given)[i], at);
    } else {
      budget_.take_value(type);
      define(builder.block().add_argument(type), at);
    }
  }
  if (!fits) source_.fail_at(at, "the function takes other arguments");
}

void Reader::define(Value value, std::size_t position) {
  if (next_value_ >= values_.size()) source_.fail_at(position, "a region has more values than it declares");
  tuples_.erase(next_value_);
  values_[next_value_++] = value;
}

/// The first element is the value with the tuple's number, so that it counts as defined.
void Reader::define_tuple(std::vector<Value> elements, std::size_t position) {
  if (elements.empty()) text::refuse_empty_tuple(source_, position);
  const std::size_t number = next_value_;
  define(elements[0], position);
  tuples_.emplace(number, std::move(elements));
}

/// Reads a get_tuple_element, and refuses other ops that use tuples; false for an op without them.
bool Reader::read_tuple_op(const OpHeader& header) {
  const auto is_tuple = [&](std::size_t number) { return tuples_.contains(number); };
  if (std::none_of(header.operands.begin(), header.operands.end(), is_tuple)) return false;
  if (header.name != "vhlo.get_tuple_element_v1" || header.operands.size() != 1 ||
      header.result_types.size() != 1)
    source_.fail_at(header.position,
                    Error(ErrorCode::kUnimplemented,
                          fmt::format("\"{}\" has a tuple as its operand, which only get_tuple_element may",
                                      header.name)));
  const std::vector<Value>& elements = tuples_.at(header.operands[0]);
  const Syntax fields = fields_of(header, "get_tuple_element");
  const Syntax* const index = fields.find("index");
  if (index == nullptr || !index->is(SyntaxKind::kInteger) || index->integer < 0 ||
      std::cmp_greater_equal(index->integer, elements.size()))
    source_.fail_at(header.position, fmt::format("(C1) index must be in [0, {})", elements.size()));
  const Value element = elements[static_cast<std::size_t>(index->integer)];
  if (element.type() != attributes_.tensor_type(header.result_types[0]))
    source_.fail_at(header.position, "(C2) the result is not the tuple's element");
  define(element, header.position);
  return true;
}

/// The values of an op's operands; a tuple that is returned is the list of its elements.
std::vector<Value> Reader::operands_of(const OpHeader& header, bool is_return) {
  std::vector<Value> operands;
  for (const std::size_t number : header.operands) {
    if (!values_[number])
      source_.fail_at(header.position, fmt::format("value {} is used before its definition", number));
    const auto tuple = is_return ? tuples_.find(number) : tuples_.end();
    if (tuple == tuples_.end()) {
      operands.push_back(values_[number]);
      continue;
    }
    text::take_tuple_elements(source_, header.position, budget_, tuple->second.size());
    operands.insert(operands.end(), tuple->second.begin(), tuple->second.end());
  }
  return operands;
}

std::optional<std::vector<Value>> Reader::read_op(ByteReader& bytes, Builder& builder) {
  const text::NodesOfScope nodes(budget_);
  const OpHeader header = structure_.read_header(bytes, values_.size());
  const bool is_return = header.name == "vhlo.return_v1" || header.name == text::kShardyReturn;
  text::OpParts parts;
  parts.position = header.position;
  parts.operands = operands_of(header, is_return);
  if (is_return) return std::move(parts.operands);
  if (read_tuple_op(header)) return std::nullopt;
  const bool is_shardy = header.name.starts_with("sdy."),
             is_kept = is_shardy && find_op_(header.name) != nullptr;
  if ((is_shardy && !is_kept) || header.name == "builtin.unrealized_conversion_cast") {
    read_sharding_op(header, parts.operands);
    return std::nullopt;
  }
  constexpr std::string_view kVhlo = "vhlo.";
  const std::string_view op = is_kept ? header.name
                              : header.name.starts_with(kVhlo)
                                  ? without_version(header.name.substr(kVhlo.size()))
                                  : "";
  if (op.empty())
    source_.fail_at(
        header.position,
        Error(ErrorCode::kUnimplemented,
              fmt::format("\"{}\" is no operation of VHLO: write the program as a portable artifact, "
                          "with jax.export or stablehlo.serialize_portable_artifact",
                          header.name)));
  parts.name = is_kept ? std::string(op) : fmt::format("stablehlo.{}", op);
  parts.fields = fields_of(header, op);
  parts.has_result_types = true;
  std::optional<std::vector<TensorType>> of_tuple;
  if (header.result_types.size() == 1) of_tuple = attributes_.tuple_types(header.result_types[0]);
  if (of_tuple.has_value())
    parts.result_types = std::move(*of_tuple);
  else
    for (const std::size_t type : header.result_types)
      parts.result_types.push_back(attributes_.tensor_type(type));
  read_regions(bytes, header, parts);
  const LocationScope layer(builder, header.location);
  std::vector<Value> results = op == "tuple" ? parts.operands : make(builder, parts, op);
  maker_.check_results(parts, results);
  if (of_tuple.has_value()) {
    define_tuple(std::move(results), header.position);
    return std::nullopt;
  }
  for (const Value& result : results) define(result, header.position);
  return std::nullopt;
}

/// Shardy's ops that are not kept, and the casts between its types and those of VHLO. In a program of one
/// partition a sharding changes nothing.
void Reader::read_sharding_op(const OpHeader& header, const std::vector<Value>& operands) {
  if (header.num_regions != 0 ||
      (header.name != text::kShardingConstraint && header.name.starts_with("sdy.")))
    source_.fail_at(
        header.position,
        Error(ErrorCode::kUnimplemented, fmt::format("Cornu has no operation \"{}\": it runs programs of one "
                                                     "partition",
                                                     header.name)));
  bool fits = operands.size() == header.result_types.size();
  for (std::size_t i = 0; fits && i < operands.size(); ++i)
    fits = operands[i].type() == attributes_.tensor_type(header.result_types[i]);
  if (!fits) source_.fail_at(header.position, fmt::format("\"{}\" changes a type", header.name));
  for (const Value& operand : operands) define(operand, header.position);
}

void Reader::read_regions(ByteReader& bytes, const OpHeader& header, text::OpParts& parts) {
  if (header.num_regions == 0) return;
  ByteReader regions = structure_.open_regions(bytes, header);
  std::vector<Value> outer;
  std::unordered_map<std::size_t, std::vector<Value>> outer_tuples;
  if (header.is_isolated) {  // values are numbered from 0 again
    std::swap(values_, outer);
    std::swap(tuples_, outer_tuples);
  }
  for (std::size_t i = 0; i < header.num_regions; ++i) {
    const text::Level level(source_, regions.position(), budget_);
    budget_.take_bytes(kRegionBytes);
    parts.regions.push_back(std::make_unique<Block>());
    Builder inner(*parts.regions.back());
    parts.regions.back()->set_results(read_region(regions, inner, nullptr));
  }
  if (header.is_isolated) {
    std::swap(values_, outer);
    std::swap(tuples_, outer_tuples);
  } else {
    bytes = regions;
  }
}

std::vector<Value> Reader::make(Builder& builder, text::OpParts& parts, std::string_view op) {
  if (op == "call") return call(builder, parts, "callee");
  if (op != "composite") return maker_.make(builder, parts);
  if (!parts.regions.empty())
    source_.fail_at(parts.position,
                    Error(ErrorCode::kUnimplemented, "composites with regions are not supported"));
  if (std::optional<std::vector<Value>> made = maker_.make_composite(builder, parts)) return std::move(*made);
  return call(builder, parts, "decomposition");
}

std::vector<Value> Reader::call(Builder& builder, const text::OpParts& parts, std::string_view attribute) {
  const Syntax& callee = maker_.field(parts, attribute, SyntaxKind::kString);
  return inline_function(find_function(callee), builder, parts.operands, parts.position);
}

}  // namespace
}  // namespace bytecode

bool is_bytecode(std::string_view program) { return program.starts_with(bytecode::kMagic); }

ParsedModule read_bytecode(std::string_view program, FindOp find_op, const ParseOptions& options) {
  return bytecode::Reader(program, find_op, options).read();
}

}  // namespace cornu::inline v0::ir
