#include "cornu/ir/text/op_attributes.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::ir {

using text::Syntax;
using text::SyntaxKind;

OpAttributes::OpAttributes(const text::Source& source, std::size_t position, std::string name,
                           const Syntax& fields, std::span<const Syntax> loose,
                           std::span<const TensorType> operand_types,
                           std::span<const TensorType> result_types)
    : source_(source),
      position_(position),
      name_(std::move(name)),
      fields_(fields),
      was_read_(fields.fields.size()),
      loose_(loose),
      operand_types_(operand_types),
      result_types_(result_types) {}

void OpAttributes::fail(std::size_t position, const Error& error) const { source_.fail_at(position, error); }

void OpAttributes::fail(std::size_t position, const std::string& message) const {
  source_.fail_at(position, fmt::format("[{}] {}", name_, message));
}

void OpAttributes::fail_kind(Names names, const Syntax& found, std::string_view what) const {
  fail(found.begin, fmt::format("{} must be {}", *names.begin(), what));
}

const TensorType& OpAttributes::operand_type(std::size_t i) const {
  if (i >= operand_types_.size()) fail(position_, "there are too few operands");
  return operand_types_[i];
}

const TensorType& OpAttributes::result_type(std::size_t i) const {
  if (i >= result_types_.size()) fail(position_, "the result's type must be given");
  return result_types_[i];
}

const Syntax* OpAttributes::find(Names names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < fields_.fields.size(); ++i)
      if (fields_.fields[i].name == name) {
        was_read_[i] = true;
        return &fields_.fields[i].value;
      }
  return nullptr;
}

const Syntax& OpAttributes::get(Names names) {
  const Syntax* const found = find(names);
  if (found == nullptr) fail(position_, fmt::format("the attribute {} is missing", *names.begin()));
  return *found;
}

std::int64_t OpAttributes::integer(Names names) {
  const Syntax& found = get(names);
  if (!found.is(SyntaxKind::kInteger)) fail_kind(names, found, "a whole number");
  return found.integer;
}

std::int64_t OpAttributes::integer(Names names, std::int64_t otherwise) {
  return find(names) == nullptr ? otherwise : integer(names);
}

bool OpAttributes::boolean(Names names, bool otherwise) {
  const Syntax* const found = find(names);
  if (found == nullptr) return otherwise;
  if (!found->is(SyntaxKind::kBool)) fail_kind(names, *found, "true or false");
  return found->integer != 0;
}

std::string OpAttributes::word(Names names) {
  const Syntax& found = get(names);
  if (!found.is(SyntaxKind::kWord)) fail_kind(names, found, "one word");
  return found.text;
}

Dims OpAttributes::integers_of(const Syntax& syntax) const {
  if (syntax.is(SyntaxKind::kIntegers)) return syntax.integers;
  if (!syntax.is(SyntaxKind::kLiteral) || syntax.literal->type().rank() != 1)
    fail(syntax.begin, "expected a list of whole numbers");
  const auto list = [](auto values) { return Dims(values.begin(), values.end()); };
  if (syntax.literal->type().dtype == DType::kI1) return list(syntax.literal->data<bool>());
  if (syntax.literal->type().dtype != DType::kI64) fail(syntax.begin, "expected a list of whole numbers");
  return list(syntax.literal->data<std::int64_t>());
}

Dims OpAttributes::integers(Names names) { return integers_of(get(names)); }

Dims OpAttributes::integers(Names names, Dims otherwise) {
  const Syntax* const found = find(names);
  return found == nullptr ? std::move(otherwise) : integers_of(*found);
}

OpAttributes::Pairs OpAttributes::pairs(Names names, std::size_t rank) {
  const Syntax* const found = find(names);
  if (found == nullptr) return {Dims(rank, 0), Dims(rank, 0)};
  Pairs pairs;
  if (found->is(SyntaxKind::kLiteral)) {
    const Literal& literal = *found->literal;
    if (literal.type().rank() != 2 || literal.type().dims[1] != 2 || literal.type().dtype != DType::kI64)
      fail_kind(names, *found, "of type tensor<Nx2xi64>");
    const std::span<const std::int64_t> values = literal.data<std::int64_t>();
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      pairs.first.push_back(values[i]);
      pairs.second.push_back(values[i + 1]);
    }
    return pairs;
  }
  if (found->is(SyntaxKind::kIntegers) && found->integers.empty()) return pairs;
  if (!found->is(SyntaxKind::kList)) fail_kind(names, *found, "a list of pairs");
  for (const Syntax& item : found->items) {
    if (!item.is(SyntaxKind::kIntegers) || item.integers.size() != 2)
      fail_kind(names, *found, "a list of pairs");
    pairs.first.push_back(item.integers[0]);
    pairs.second.push_back(item.integers[1]);
  }
  return pairs;
}

Literal OpAttributes::literal(Names names) {
  const Syntax& found = get(names);
  if (!found.is(SyntaxKind::kLiteral)) fail_kind(names, found, "a literal: dense<...> : tensor<...>");
  return *found.literal;
}

OpAttributes OpAttributes::inside(Names names) {
  static const auto& none = *new Syntax;
  const Syntax* const found = find(names);
  if (found != nullptr && !found->is(SyntaxKind::kFields)) fail_kind(names, *found, "a list of fields");
  return {source_, found == nullptr ? position_ : found->begin, name_, found == nullptr ? none : *found};
}

void OpAttributes::ignore(Names names) {
  for (const std::string_view name : names) find({name});
}

void OpAttributes::keep_unread(Attributes& attributes) const {
  // XLA adds these to any op that it converts from HLO: layouts in memory, which change no value.
  constexpr std::string_view kLayouts[] = {"result_layout", "xla_shape"};
  for (std::size_t i = 0; i < fields_.fields.size(); ++i) {
    const auto& [name, value] = fields_.fields[i];
    if (was_read_[i] || std::find(std::begin(kLayouts), std::end(kLayouts), name) != std::end(kLayouts))
      continue;
    if (name.find('.') == std::string::npos)
      fail(value.begin, fmt::format("has no attribute \"{}\" that Cornu knows", name));
    attributes.set(name, text::to_attribute(source_, value));
  }
}

}  // namespace cornu::inline v0::ir
