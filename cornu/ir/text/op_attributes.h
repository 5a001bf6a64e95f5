#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/text/syntax.h"

namespace cornu::inline v0::ir {

/// The attributes of an op in text, for the op's read_attributes. Each attribute is found under its names in
/// the generic and in the short form; lists are accepted in any syntax.
///
///     .read_attributes = [](OpAttributes& text) -> Attributes {
///       return {{"permutation", text.integers({"permutation", "dims"})}};
///     }
///
/// Errors: InvalidArgument with line and column if one is missing or of another kind.
class OpAttributes {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// `fields` are the attributes by name, `loose` those without a name: "LT", "[0:2]".
  OpAttributes(const text::Source& source, std::size_t position, std::string name, const text::Syntax& fields,
               std::span<const text::Syntax> loose = {}, std::span<const TensorType> operand_types = {},
               std::span<const TensorType> result_types = {});

  /// Position of the op in the source.
  std::size_t position() const { return position_; }
  const TensorType& operand_type(std::size_t i) const;
  const TensorType& result_type(std::size_t i = 0) const;
  std::size_t num_results() const { return result_types_.size(); }

  /// Null if none of the names is present.
  const text::Syntax* find(Names names);
  const text::Syntax& get(Names names);
  std::span<const text::Syntax> loose() const { return loose_; }

  std::int64_t integer(Names names);
  std::int64_t integer(Names names, std::int64_t otherwise);
  bool boolean(Names names, bool otherwise);
  /// An enumeration's name: "LT", #stablehlo<comparison_direction LT>.
  std::string word(Names names);
  Dims integers(Names names);
  Dims integers(Names names, Dims otherwise);
  /// Pairs: dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, [[0, 1], [2, 3]]; `rank` pairs of 0 if absent.
  struct Pairs {
    Dims first, second;
  };
  Pairs pairs(Names names, std::size_t rank);
  Literal literal(Names names);
  /// The fields of #stablehlo.gather<...>; empty if absent.
  OpAttributes inside(Names names);
  /// Ignores attributes that affect only performance, not the result.
  void ignore(Names names);

  Dims integers_of(const text::Syntax& syntax) const;
  [[noreturn]] void fail(std::size_t position, const std::string& message) const;
  /// Adds the position to an error.
  [[noreturn]] void fail(std::size_t position, const Error& error) const;

  /// Handles attributes that were not read. Those with a dialect before their name, such as mhlo.sharding,
  /// are kept in the op; others are rejected. Called by the parser.
  void keep_unread(Attributes& attributes) const;

 private:
  [[noreturn]] void fail_kind(Names names, const text::Syntax& found, std::string_view what) const;

  const text::Source& source_;
  std::size_t position_;
  std::string name_;
  const text::Syntax& fields_;
  std::vector<bool> was_read_;
  std::span<const text::Syntax> loose_;
  std::span<const TensorType> operand_types_, result_types_;
};

}  // namespace cornu::inline v0::ir
