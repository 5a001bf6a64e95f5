#pragma once

#include <concepts>
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

struct TextVectorizationOptions {  // options/layers.toml
  /// Largest size of the vocabulary, with the tokens for padding and unknown words; unset: no limit.
  std::optional<std::int64_t> max_tokens = {};
  /// Least count of a term in the data of adapt(): rarer terms are unknown; must be positive. An option of
  /// Cornu's, which Keras does not have.
  std::int64_t min_frequency = 1;
  /// "lower_and_strip_punctuation", "lower", "strip_punctuation", a function std::string(std::string_view),
  /// or std::nullopt for none.
  TextStandardize standardize = "lower_and_strip_punctuation";
  /// Split into words: "whitespace", "character", a function std::vector<std::string>(std::string_view), or
  /// std::nullopt for none.
  TextSplit split = "whitespace";
  /// Largest n-gram in words (all smaller ones too), or a list of lengths; unset: single words.
  ops::OptionalIntOrInts ngrams = {};
  /// "int", "multi_hot", "count" or "tf_idf".
  std::string output_mode = "int";
  /// Number of words of a row, padded with 0 or cut, for output_mode "int"; unset: the longest row of the
  /// batch.
  std::optional<std::int64_t> output_sequence_length = {};
  /// True: vectors have max_tokens elements, also where the vocabulary is smaller.
  bool pad_to_max_tokens = false;
  /// Terms, or the path of a file with one term a line; empty: adapt() or set_vocabulary() gives them.
  StringVocabulary vocabulary = {};
  /// Inverse document frequencies of the terms of vocabulary, for output_mode "tf_idf"; unset: adapt()
  /// computes them.
  std::optional<std::vector<double>> idf_weights = {};
  /// True, for output_mode "int": rows keep their own lengths instead of being padded.
  bool ragged = false;
  /// Encoding of the texts; must be "utf-8".
  std::string encoding = "utf-8";
  /// Number of terms, from configurations only; unset: the vocabulary decides.
  std::optional<std::int64_t> vocabulary_size = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype of the layer, as a configuration lists it; has no effect on the output. Unset: the global
  /// policy's.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(TextVectorizationOptions, max_tokens, min_frequency, standardize, split, ngrams, output_mode,
             output_sequence_length, pad_to_max_tokens, vocabulary, idf_weights, ragged, encoding,
             vocabulary_size, name, trainable, dtype)

/// Maps texts to the indices of their words: standardizes and splits them, forms n-grams, and looks these up
/// in a vocabulary that is given or adapted to texts.
///
///     layers::TextVectorization vectorize({.max_tokens = 20000, .output_sequence_length = 400});
///     vectorize.adapt(texts);
///     train = texts_and_labels.batch(32).map(
///         [vectorize](const data::Strings& x, const Tensor& y) { return std::pair(vectorize(x), y); });
///
/// Semantics: texts [batch] or [batch, 1] give int64 [batch, words], padded with 0 to the longest of the
///            batch, or padded or truncated to output_sequence_length, or ragged rows; in the other modes one
///            vector for each text, as in StringLookup. Unknown words have the index 1. A single text gives a
///            vector. Lower case and punctuation are those of ASCII, as in TensorFlow.
/// Errors:    those of StringLookup.
/// Threads:   those of StringLookup; user functions are then called from several threads.
class TextVectorization : public VocabularyHandle<std::string> {
 public:
  explicit TextVectorization(TextVectorizationOptions options = {});
  explicit TextVectorization(NoOptions) : TextVectorization(TextVectorizationOptions{}) {}

  /// Errors: also InvalidArgument with `ragged`, whose result is not a tensor.
  Tensor operator()(const data::Strings& texts) const { return (*this)(data::Element(texts)).tensor(); }
  Tensor operator()(const std::same_as<std::vector<std::string>> auto& texts) const {
    return (*this)(data::Strings(texts));
  }
  data::Element operator()(const data::Element& texts) const;
};

}  // namespace cornu::inline v0::keras::layers
