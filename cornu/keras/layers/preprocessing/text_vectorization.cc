#include "cornu/keras/layers/preprocessing/text_vectorization.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/index_lookup_support.h"
#include "cornu/keras/layers/preprocessing/tokenize_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The widths of n-grams: 3 means 1, 2 and 3; {1, 3} means these.
std::vector<std::int64_t> widths_of(const ops::OptionalIntOrInts& ngrams) {
  if (!ngrams.has_value()) return {};
  if (ngrams->is_list()) return ngrams->values();
  constexpr std::int64_t kMost = 1024;
  const std::int64_t most = ngrams->values()[0];
  if (most > kMost)
    invalid_argument({.argument = "ngrams"},
                     "[text_vectorization] ngrams must be at most {}, or a list of widths; got ngrams = {}",
                     kMost, most);
  std::vector<std::int64_t> widths;
  for (std::int64_t width = 1; width <= most; ++width) widths.push_back(width);
  return widths;
}

/// Rows of word indices.
struct NumberRows {
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> row_splits = {0};

  void end_row() { row_splits.push_back(static_cast<std::int64_t>(numbers.size())); }
  std::int64_t num_rows() const { return static_cast<std::int64_t>(row_splits.size()) - 1; }
  std::span<const std::int64_t> row(std::int64_t i) const {
    const auto begin = static_cast<std::size_t>(row_splits[static_cast<std::size_t>(i)]);
    return std::span(numbers).subspan(
        begin, static_cast<std::size_t>(row_splits[static_cast<std::size_t>(i) + 1]) - begin);
  }
  std::int64_t longest() const {
    std::int64_t length = 0;
    for (std::int64_t i = 0; i < num_rows(); ++i)
      length = std::max(length, static_cast<std::int64_t>(row(i).size()));
    return length;
  }
};

/// The rows as a block of the shape `leading` with `length` columns, truncated and padded with 0.
Tensor padded(const NumberRows& rows, Dims leading, std::int64_t length) {
  leading.push_back(length);
  ir::check_type({DType::kI64, leading});
  std::vector<std::int64_t> values(static_cast<std::size_t>(rows.num_rows() * length));
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    const std::span<const std::int64_t> row = rows.row(i);
    const auto count = std::min(row.size(), static_cast<std::size_t>(length));
    std::copy_n(row.begin(), count, values.begin() + static_cast<std::ptrdiff_t>(i * length));
  }
  return Tensor::adopt(leading, std::move(values));
}

NumberRows cut(const NumberRows& rows, std::int64_t length) {
  NumberRows result;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    const std::span<const std::int64_t> row = rows.row(i);
    result.numbers.insert(
        result.numbers.end(), row.begin(),
        row.begin() + static_cast<std::ptrdiff_t>(std::min(row.size(), static_cast<std::size_t>(length))));
    result.end_row();
  }
  return result;
}

constexpr const char* kOp = "text_vectorization";

class TextVectorizationLayer : public VocabularyLayer<std::string> {
 public:
  explicit TextVectorizationLayer(const TextVectorizationOptions& options)
      : VocabularyLayer(layer_settings("TextVectorization", options),
                        {.op = kOp,
                         .max_tokens = options.max_tokens,
                         .min_frequency = options.min_frequency,
                         .num_oov_indices = 1,
                         .mask_token = std::string(),
                         .oov_token = "[UNK]",
                         .invert = false,
                         .output_mode = options.output_mode,
                         .pad_to_max_tokens = options.pad_to_max_tokens,
                         .oov_method = "floormod",
                         .salt = {}},
                        options),
        tokenizer_(options.standardize, options.split, widths_of(options.ngrams)),
        length_(options.output_sequence_length),
        is_ragged_(options.ragged) {
    const bool is_int = lookup_.mode() == CategoryMode::kInt;
    if (length_.has_value() && *length_ < 0)
      option_error("output_sequence_length", "must not be negative", fmt::format("{}", *length_));
    if (length_.has_value() && !is_int) option_error("output_sequence_length is of output_mode \"int\"");
    if (is_ragged_ && !is_int) option_error("ragged is of output_mode \"int\"");
    if (options.encoding != "utf-8") option_error("encoding", "must be \"utf-8\"", options.encoding);
  }

  data::Element vectorized(const data::Element& input) const {
    lookup_.check_ready();
    if (input.is_structure() || input.is_dataset() || input.is_numeric())
      invalid_argument("[text_vectorization] takes texts; got {}", input.type_str());
    if (input.is_ragged()) {
      if (tokenizer_.splits())
        invalid_argument(
            "[text_vectorization] texts that are to be split are no ragged rows; set split = std::nullopt");
      return result_of(ragged_numbers(input.ragged()), {input.ragged().num_rows()});
    }
    if (!tokenizer_.splits()) return unsplit(input);
    const Dims leading = leading_shape(input);
    Tokenizer::Scratch scratch;
    NumberRows rows;
    for_each_text(kOp, input, [&](std::string_view text) { append(tokenizer_(text, scratch), rows); });
    return result_of(rows, leading);
  }

  data::Element call_element(const data::Element& input) const override { return vectorized(input); }
  void see(const data::Element& input, bool is_array) override {
    if (!tokenizer_.splits()) {
      lookup_.see(input.is_ragged() ? input : data::Element(processed(input, is_array)), false);
      return;
    }
    leading_shape(input);
    Tokenizer::Scratch scratch;
    for_each_text(kOp, input,
                  [&](std::string_view text) { lookup_.see_document(tokenizer_(text, scratch)); });
  }

 protected:
  Tensor call(const Tensor&, const CallContext&) override {
    fail(ErrorCode::kUnimplemented,
         "[text_vectorization] texts are no part of programs: call the layer on texts, or in the map() of "
         "the data set that the model is trained on");
  }
  void add_to_config(Config& fields) const override {
    lookup_.add_to_config(fields);
    fields.set("vocabulary_size", lookup_.vocabulary_size());
  }

 private:
  /// The shape without the axis of the texts, if there is one.
  static Dims leading_shape(const data::Element& input) {
    if (!input.is_text() && !input.is_strings())
      invalid_argument("[text_vectorization] takes texts; got {}", input.type_str());
    Dims shape = leaf_shape(input);
    if (shape.size() > 1) {
      if (shape.back() != 1)
        invalid_argument(
            "[text_vectorization] texts that are to be split must be of shape (batch,) or (batch, 1); got {}",
            ir::shape_str(shape));
      shape.pop_back();
    }
    return shape;
  }

  void append(const std::vector<std::string_view>& words, NumberRows& rows) const {
    for (const std::string_view word : words) rows.numbers.push_back(lookup_.number_of(word));
    rows.end_row();
  }

  NumberRows ragged_numbers(const data::Ragged& ragged) const {
    const data::Element& values = ragged.values();
    if (!values.is_strings() || values.strings().shape().size() != 1)
      invalid_argument("[text_vectorization] takes ragged rows of single words; got {}", values.type_str());
    Tokenizer::Scratch scratch;
    NumberRows rows;
    for (std::size_t i = 0; i + 1 < ragged.row_splits().size(); ++i) {
      std::vector<std::string> standardized;
      for (std::int64_t at = ragged.row_splits()[i]; at < ragged.row_splits()[i + 1]; ++at)
        standardized.push_back(tokenizer_.standardized(values.strings()[at]));
      append(tokenizer_.ngrams({standardized.begin(), standardized.end()}, scratch), rows);
    }
    return rows;
  }

  /// `leading` is empty for one text.
  data::Element result_of(const NumberRows& rows, const Dims& leading) const {
    if (lookup_.mode() != CategoryMode::kInt) {
      if (leading.empty())
        return lookup_.encoder()(rows.numbers, {static_cast<std::int64_t>(rows.numbers.size())});
      if (leading.size() > 1 || lookup_.mode() == CategoryMode::kOneHot)
        invalid_argument(
            "[text_vectorization] with this output_mode texts must be of shape (batch,) or (batch, 1); they "
            "are of shape {}",
            ir::shape_str(leading));
      return lookup_.encoder().rows(rows.numbers, rows.row_splits);
    }
    if (!is_ragged_) return padded(rows, leading, length_.value_or(rows.longest()));
    const NumberRows kept = length_.has_value() ? cut(rows, *length_) : rows;
    if (leading.empty()) return Tensor(kept.numbers);
    if (leading.size() > 1)
      fail(ErrorCode::kUnimplemented,
           "[text_vectorization] ragged rows of texts of shape {} are not supported", ir::shape_str(leading));
    return data::Ragged(Tensor(kept.numbers), kept.row_splits);
  }

  /// Texts that are not split: each is one word, and those along the last axis form a row for n-grams.
  /// `as_column`: texts of a single axis are rows of one word each.
  data::Strings processed(const data::Element& input, bool as_column) const {
    auto storage = std::make_shared<data::Strings::Storage>();
    Dims shape = leaf_shape(input);
    if (as_column && shape.size() == 1) shape.push_back(1);
    std::vector<std::string> texts;
    for_each_text(kOp, input, [&](std::string_view text) { texts.push_back(tokenizer_.standardized(text)); });
    if (!tokenizer_.has_ngrams() || shape.empty()) return {std::move(shape), texts};
    const auto length = static_cast<std::size_t>(shape.back());
    Tokenizer::Scratch scratch;
    for (std::size_t begin = 0; length > 0 && begin < texts.size(); begin += length) {
      const auto row = texts.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::vector<std::string_view> words(row, row + static_cast<std::ptrdiff_t>(length));
      const std::vector<std::string_view>& ngrams = tokenizer_.ngrams(words, scratch);
      shape.back() = static_cast<std::int64_t>(ngrams.size());
      for (const std::string_view ngram : ngrams) storage->push(ngram);
    }
    return {std::move(shape), std::move(storage)};
  }

  data::Element unsplit(const data::Element& input) const {
    data::Element found = lookup_(data::Element(processed(input, false)));
    if (!length_.has_value() || leaf_shape(found).empty()) return found;
    const Tensor numbers = found.tensor();
    Dims leading = numbers.shape();
    const std::int64_t width = leading.back();
    leading.pop_back();
    NumberRows rows{.numbers = numbers.to_vector<std::int64_t>()};
    for (std::int64_t end = width; width > 0 && end <= numbers.num_elements(); end += width)
      rows.row_splits.push_back(end);
    return padded(rows, leading, is_ragged_ ? std::min(*length_, width) : *length_);
  }

  Tokenizer tokenizer_;
  std::optional<std::int64_t> length_;
  bool is_ragged_;
};

}  // namespace

TextVectorization::TextVectorization(TextVectorizationOptions options)
    : VocabularyHandle(std::make_shared<TextVectorizationLayer>(std::move(options))) {}

data::Element TextVectorization::operator()(const data::Element& texts) const {
  return static_cast<TextVectorizationLayer&>(*operator->()).vectorized(texts);
}

}  // namespace cornu::inline v0::keras::layers
