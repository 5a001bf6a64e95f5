#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

/// An operand with a letter for each axis. Axes under "..." have digits as letters: '0' is the last of them,
/// '1' the one before, ...
struct Term {
  Tensor tensor;
  std::string letters;
};

struct Subscripts {
  std::vector<std::string> operands;
  std::string result;
};

class Einsum {
 public:
  Einsum(std::string_view subscripts, std::span<const Tensor> operands)
      : subscripts_(subscripts),
        operands_(operands),
        dtype_(result_dtype(operands)),
        // int8_dot converts to i32 itself.
        operand_dtype_(operands.size() == 2 && operands[0].dtype() == DType::kI8 &&
                               operands[1].dtype() == DType::kI8
                           ? DType::kI8
                           : dtype_) {
    parse();
  }

  Tensor run() {
    Term joined = prepared(0);
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      drop_unneeded(joined, i);
      joined = join(std::move(joined), prepared(i), i);
    }
    drop_unneeded(joined, terms_.size());
    return as_result(joined);
  }

 private:
  /// promote()'s of all operands; i32 when all are i8.
  static DType result_dtype(std::span<const Tensor> operands) {
    const DType dtype = promote_all(operands, "einsum");
    const bool widens = std::all_of(operands.begin(), operands.end(),
                                    [](const Tensor& x) { return x.dtype() == DType::kI8; });
    return widens ? DType::kI32 : dtype;
  }

  [[noreturn]] void fail_with(const std::string& why) const {
    std::string shapes;
    for (const Tensor& operand : operands_) {
      if (!shapes.empty()) shapes += ", ";
      shapes += ir::shape_str(operand.shape());
    }
    invalid_argument({.argument = "subscripts"}, "[einsum] {}; got subscripts = \"{}\" and shapes {}", why,
                     subscripts_, shapes);
  }

  void parse() {
    std::string text;
    for (const char c : subscripts_)
      if (c != ' ') text += c;
    const std::size_t arrow = text.find("->");
    std::vector<std::string> parts = {""};
    for (const char c : text.substr(0, arrow)) {
      if (c == ',')
        parts.emplace_back();
      else
        parts.back() += c;
    }
    if (parts.size() != operands_.size())
      fail_with(fmt::format("there are subscripts for {} operands", parts.size()));
    std::size_t num_dots = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string letters = expanded(parts[i], static_cast<std::size_t>(operands_[i].rank()), true);
      num_dots = std::max(num_dots,
                          static_cast<std::size_t>(std::count_if(letters.begin(), letters.end(), is_digit)));
      terms_.push_back({as_dtype(operands_[i], operand_dtype_), letters});
    }
    result_ = arrow == std::string::npos ? implicit_result(num_dots)
                                         : explicit_result(text.substr(arrow + 2), num_dots);
    for (const Term& term : terms_)
      for (std::size_t d = 0; d < term.letters.size(); ++d)
        note_extent(term.letters[d], term.tensor.shape()[d]);
    for (const char letter : result_)
      if (!extents_.contains(letter) && !is_digit(letter))
        fail_with(fmt::format("the result's letter '{}' is in no operand", letter));
  }

  static bool is_digit(char c) { return !std::isalpha(static_cast<unsigned char>(c)); }

  /// Replaces "..." by digits; an operand's axes must match its rank.
  std::string expanded(const std::string& part, std::size_t rank, bool is_operand) const {
    const std::size_t dots = part.find("...");
    std::string before = part.substr(0, dots), after = dots == std::string::npos ? "" : part.substr(dots + 3);
    for (const char c : before + after)
      if (is_digit(c)) fail_with(fmt::format("'{}' is no letter", c));
    const std::size_t named = before.size() + after.size();
    if (is_operand && (named > rank || (dots == std::string::npos && named != rank)))
      fail_with(fmt::format("\"{}\" names {} axes of an operand of rank {}", part, named, rank));
    std::string digits;
    if (dots != std::string::npos)
      for (std::size_t i = rank - std::min(rank, named); i-- > 0;) digits += static_cast<char>('0' + i);
    return before + digits + after;
  }

  std::string implicit_result(std::size_t num_dots) const {
    std::map<char, int> counts;
    for (const Term& term : terms_)
      for (const char letter : term.letters) ++counts[letter];
    std::string result;
    for (std::size_t i = num_dots; i-- > 0;) result += static_cast<char>('0' + i);
    for (const auto& [letter, count] : counts)
      if (count == 1 && !is_digit(letter)) result += letter;
    return result;
  }

  std::string explicit_result(const std::string& part, std::size_t num_dots) const {
    const std::size_t named = part.size() - (part.find("...") == std::string::npos ? 0 : 3);
    std::string result = expanded(part, named + num_dots, false);
    for (const char letter : result)
      if (std::count(result.begin(), result.end(), letter) > 1)
        fail_with(fmt::format("the result names '{}' twice", letter));
    return result;
  }

  void note_extent(char letter, std::int64_t extent) {
    std::int64_t& known = extents_.try_emplace(letter, extent).first->second;
    if (known == extent || extent == 1) return;
    if (known != 1) fail_with(fmt::format("axis '{}' has extents {} and {}", letter, known, extent));
    known = extent;
  }

  /// An operand with each letter once, without axes that are broadcast.
  Term prepared(std::size_t i) const {
    Term term = terms_[i];
    for (std::size_t d = 0; d < term.letters.size();) {
      const std::size_t first = term.letters.find(term.letters[d]);
      if (term.tensor.shape()[d] == 1 &&
          extents_.at(term.letters[d]) != 1) {  // broadcast: the other operands give the axis
        term.tensor = squeeze(term.tensor, static_cast<std::int64_t>(d));
        term.letters.erase(d, 1);
      } else if (first < d) {
        const DiagonalOptions axes = {.axis1 = static_cast<std::int64_t>(first),
                                      .axis2 = static_cast<std::int64_t>(d)};
        const char letter = term.letters[d];
        term.tensor = diagonal(term.tensor, axes);  // the common axis goes to the end
        term.letters.erase(d, 1);
        term.letters.erase(first, 1);
        term.letters += letter;
        d = 0;
      } else {
        ++d;
      }
    }
    return term;
  }

  /// True when an operand from `next` on, or the result, has the letter.
  bool is_needed(char letter, std::size_t next) const {
    if (result_.find(letter) != std::string::npos) return true;
    for (std::size_t i = next; i < terms_.size(); ++i)
      if (terms_[i].letters.find(letter) != std::string::npos) return true;
    return false;
  }

  /// The sum over axes in the dtype of all: of booleans `or`.
  Tensor summed(const Tensor& x, const std::vector<std::int64_t>& axes) const {
    return cast(sum(as_dtype(x, dtype_), {.axis = axes}), dtype_);
  }

  /// Sums over axes that neither a later operand nor the result needs.
  void drop_unneeded(Term& term, std::size_t next) const {
    std::vector<std::int64_t> axes;
    std::string kept;
    for (std::size_t d = 0; d < term.letters.size(); ++d) {
      if (is_needed(term.letters[d], next))
        kept += term.letters[d];
      else
        axes.push_back(static_cast<std::int64_t>(d));
    }
    if (axes.empty()) return;
    term.tensor = summed(term.tensor, axes);
    term.letters = kept;
  }

  Term join(Term x, Term y, std::size_t i) const {
    // Axes that only y has and the result does not need are summed first.
    std::vector<std::int64_t> only_y;
    std::string y_kept;
    for (std::size_t d = 0; d < y.letters.size(); ++d) {
      const bool drop = x.letters.find(y.letters[d]) == std::string::npos && !is_needed(y.letters[d], i + 1);
      if (drop)
        only_y.push_back(static_cast<std::int64_t>(d));
      else
        y_kept += y.letters[d];
    }
    if (!only_y.empty()) y = {summed(y.tensor, only_y), y_kept};
    DotDimensions dimensions;
    std::string batch, x_free, y_free;
    for (std::size_t d = 0; d < x.letters.size(); ++d) {
      const std::size_t at = y.letters.find(x.letters[d]);
      if (at == std::string::npos) {
        x_free += x.letters[d];
      } else if (is_needed(x.letters[d], i + 1)) {
        dimensions.lhs_batching.push_back(static_cast<std::int64_t>(d));
        dimensions.rhs_batching.push_back(static_cast<std::int64_t>(at));
        batch += x.letters[d];
      } else {
        dimensions.lhs_contracting.push_back(static_cast<std::int64_t>(d));
        dimensions.rhs_contracting.push_back(static_cast<std::int64_t>(at));
      }
    }
    for (const char letter : y.letters)
      if (x.letters.find(letter) == std::string::npos) y_free += letter;
    if (dtype_ == DType::kI32 && x.tensor.dtype() == DType::kI8 && y.tensor.dtype() == DType::kI8)
      return {int8_product(x.tensor, y.tensor, dimensions), batch + x_free + y_free};
    const std::array inputs = {as_dtype(x.tensor, dtype_), as_dtype(y.tensor, dtype_)};
    const OpKey key("einsum", dimensions.lhs_batching, dimensions.rhs_batching, dimensions.lhs_contracting,
                    dimensions.rhs_contracting);
    return {
        run_op(key, inputs, [&](ir::Builder& b, Values v) { return dot_general(b, v[0], v[1], dimensions); }),
        batch + x_free + y_free};
  }

  /// The axes in the result's order; axes of 1 that every operand had dropped come back.
  Tensor as_result(const Term& term) const {
    Dims order, dims;
    for (const char letter : result_) {
      const std::size_t at = term.letters.find(letter);
      if (at != std::string::npos) order.push_back(static_cast<std::int64_t>(at));
      dims.push_back(extents_.contains(letter) ? extents_.at(letter) : 1);
    }
    const bool in_order = std::is_sorted(order.begin(), order.end());
    return reshape(in_order ? term.tensor : transpose(term.tensor, order), dims);
  }

  std::string_view subscripts_;
  std::span<const Tensor> operands_;
  DType dtype_;
  DType operand_dtype_;
  std::vector<Term> terms_;
  std::string result_;
  std::map<char, std::int64_t> extents_;
};

}  // namespace

Tensor einsum(StringViewArgument subscripts, std::span<const Tensor> operands) {
  if (operands.empty()) invalid_argument("[einsum] there is no operand");
  return Einsum(subscripts, operands).run();
}
Tensor einsum(StringViewArgument subscripts, std::initializer_list<Tensor> operands) {
  return einsum(subscripts, std::span(operands.begin(), operands.size()));
}

}  // namespace cornu::inline v0::ops
