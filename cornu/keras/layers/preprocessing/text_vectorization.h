#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/batches.h"
#include "cornu/keras/layers/preprocessing/lookup.h"
#include "cornu/keras/layers/preprocessing/vocabulary.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct TextVectorizationOptions {
  /// The most words that the vocabulary holds, with the tokens for padding and unknown ones; unset: no limit.
  std::optional<std::int64_t> max_tokens = {};
  /// "lower", "strip_punctuation", std::nullopt, or a function std::string(std::string_view).
  TextStandardize standardize = "lower_and_strip_punctuation";
  /// "character", std::nullopt, or a function std::vector<std::string>(std::string_view).
  TextSplit split = "whitespace";
  ops::OptionalIntOrInts ngrams = {};  // up to so many words, or of these numbers of words
  std::string output_mode = "int";     // "multi_hot", "count" or "tf_idf"
  std::optional<std::int64_t> output_sequence_length = {};
  bool pad_to_max_tokens = false;
  StringVocabulary vocabulary = {};
  std::optional<std::vector<double>> idf_weights = {};
  bool ragged = false;  // with "int": rows are not padded
  std::string encoding = "utf-8";
  std::optional<std::int64_t> vocabulary_size = {};  // from configurations: it follows from the vocabulary
  std::string name = {};
  bool trainable = true;
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(TextVectorizationOptions, max_tokens, standardize, split, ngrams, output_mode,
             output_sequence_length, pad_to_max_tokens, vocabulary, idf_weights, ragged, encoding,
             vocabulary_size, name, trainable, dtype)

/// Texts as the numbers of their words: standardized, split, put together to n-grams, looked up in a
/// vocabulary that is given or adapted to texts.
///
///     layers::TextVectorization vectorize({.max_tokens = 20000, .output_sequence_length = 400});
///     vectorize.adapt(texts);
///     train = texts_and_labels.batch(32).map(
///         [vectorize](const data::Strings& x, const Tensor& y) { return std::pair(vectorize(x), y); });
///
/// Semantics: texts [batch] or [batch, 1] give int64 [batch, words], padded with 0 to the longest of the
///            batch or to output_sequence_length (which also cuts), or ragged rows; in the other modes
///            one vector for a text, as StringLookup's. 1 is the number of unknown words. One text gives a
///            vector. What is lower case and punctuation is ASCII's, as in TensorFlow.
/// Errors:    as StringLookup.
/// Threads:   as StringLookup; functions of the user's are called from several threads then.
class TextVectorization : public LayerHandle {
 public:
  explicit TextVectorization(TextVectorizationOptions options = {});
  explicit TextVectorization(NoOptions) : TextVectorization(TextVectorizationOptions{}) {}

  /// Errors: also InvalidArgument with `ragged`, whose result is an element.
  Tensor operator()(const data::Strings& texts) const { return (*this)(data::Element(texts)).tensor(); }
  data::Element operator()(const data::Element& texts) const;

  /// Each text is a document (of "tf_idf").
  void adapt(const data::Element& texts) const;
  void adapt(const data::Strings& texts) const { adapt(data::Element(texts)); }
  template <ElementRange Batches>
  void adapt(const Batches& batches, const AdaptOptions& options = {}) const {
    begin_adapt();
    for_each_batch(batches, options, [&](const data::Element& batch) { adapt_batch(batch); });
    end_adapt();
  }
  void set_vocabulary(const StringVocabulary& vocabulary, const SetVocabularyOptions& options = {}) const;
  std::vector<std::string> get_vocabulary(const GetVocabularyOptions& options = {}) const;
  std::int64_t vocabulary_size() const;

 private:
  void begin_adapt() const;
  void adapt_batch(const data::Element& batch) const;
  void end_adapt() const;
};

}  // namespace cornu::inline v0::keras::layers
