#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/parse.h"
#include "cornu/ir/text/short_form.h"

namespace cornu::inline v0::ir::text {

/// The position of a function, found by the first pass over the text. Its body is parsed where it is called.
struct FunctionText {
  std::string name;
  std::size_t position = 0;   // of its name
  std::size_t signature = 0;  // of the "(" of its arguments
  std::size_t end = 0;
  bool is_private = false;
  bool is_open = false;  // being parsed: a call of it now is a cycle
};

/// Maps names to values: %3 has one, %3:2 two.
using Names = std::unordered_map<std::string_view, std::vector<Value>>;

struct Signature {
  std::vector<ShortForm::Argument> arguments;
  std::vector<Attributes> argument_attributes, result_attributes;
  std::vector<TensorType> results;
};

/// Parses a module in two passes: the first finds the functions, the second parses their ops and inserts a
/// function's ops where it is called.
class Reader {
 public:
  Reader(std::string_view text, FindOp find_op, const ParseOptions& options);
  ParsedModule read();

 private:
  friend class OpReader;

  void scan_module();
  void scan_functions();
  void scan_function();
  void read_mesh();
  Signature read_signature();
  void read_function(FunctionText& function, ParsedModule& parsed);
  FunctionText& find_function(const Token& symbol);
  /// Parses the function's ops into the builder's block and returns the function's results.
  std::vector<Value> inline_function(FunctionText& function, Builder& builder,
                                     std::span<const Value> operands, std::size_t call);

  /// Parses ops up to "}" and returns the terminator's operands.
  std::vector<Value> read_ops(Builder& builder);
  std::unique_ptr<Block> read_region(std::span<const ShortForm::Argument> arguments);
  /// "(%a: type, %b: type)"
  std::vector<ShortForm::Argument> read_block_arguments();

  void define(std::string_view name, std::vector<Value> values, std::size_t position);
  Value read_value();
  /// All values of one name, such as the tensors of a tuple.
  std::vector<Value> read_all_values();
  std::vector<Value> read_values();
  void skip_location() { (void)read_location(); }
  /// The name in loc("name"), the printed form of an op's location; empty if it is missing or has another
  /// form.
  std::string read_location();

  Lexer lexer_;
  FindOp find_op_;
  ReadBudget budget_;
  std::vector<FunctionText> functions_;
  std::unordered_map<std::string, std::size_t> function_numbers_;
  std::unordered_set<std::string> references_;
  Attributes module_attributes_;
  Names names_;
  /// Names in the order of their definition; a region removes its own at its end.
  std::vector<std::string_view> defined_;
};

/// Parses one op into a builder's block, and defines the names of its results.
void read_op(Reader& reader, Builder& builder);

/// "tensor<f32>" or "(tensor<f32>, tensor<i32>)".
std::vector<TensorType> read_types(Lexer& lexer, ReadBudget& budget);
/// Parses one type of a list. It counts as a node, which takes more memory, and is freed with it.
TensorType read_listed_type(Lexer& lexer, ReadBudget& budget);
/// The same; a tuple is the list of its elements, which must be tensors.
void add_listed_types(Lexer& lexer, ReadBudget& budget, std::vector<TensorType>& types);

}  // namespace cornu::inline v0::ir::text
