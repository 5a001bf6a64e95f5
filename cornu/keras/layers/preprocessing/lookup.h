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
#include "cornu/keras/layers/preprocessing/vocabulary.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct StringLookupOptions {  // options/layers.toml
  /// Largest size of the vocabulary, with the tokens for masked and unknown terms; unset: no limit.
  std::optional<std::int64_t> max_tokens = {};
  /// Least count of a term in the data of adapt(): rarer terms are unknown; must be positive. An option of
  /// Cornu's, which Keras does not have.
  std::int64_t min_frequency = 1;
  /// Number of indices for unknown terms; with several, a hash of the term selects one. 0: unknown terms are
  /// errors.
  std::int64_t num_oov_indices = 1;
  /// Term that stands for no value and gets index 0, or no element in vectors; unset: none.
  std::optional<std::string> mask_token = {};
  /// Term that unknown indices give with invert, and that the vocabulary lists for unknown terms; unset:
  /// none.
  std::optional<std::string> oov_token = "[UNK]";
  /// Terms, or the path of a file with one term a line; empty: adapt() or set_vocabulary() gives them.
  StringVocabulary vocabulary = {};
  /// Inverse document frequencies of the terms of vocabulary, for output_mode "tf_idf"; unset: adapt()
  /// computes them.
  std::optional<std::vector<double>> idf_weights = {};
  /// True: maps indices back to terms.
  bool invert = false;
  /// "int", "one_hot", "multi_hot", "count" or "tf_idf".
  std::string output_mode = "int";
  /// True: vectors have max_tokens elements, also where the vocabulary is smaller.
  bool pad_to_max_tokens = false;
  /// Encoding of the texts; must be "utf-8".
  std::string encoding = "utf-8";
  /// Accepted for configurations; has no effect on texts.
  std::string oov_method = "floormod";
  /// Key of the hash of unknown terms, one number or two; unset: none.
  ops::OptionalIntOrInts salt = {};
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
CORNU_FIELDS(StringLookupOptions, max_tokens, min_frequency, num_oov_indices, mask_token, oov_token,
             vocabulary, idf_weights, invert, output_mode, pad_to_max_tokens, encoding, oov_method, salt,
             vocabulary_size, name, trainable, dtype)

struct SetVocabularyOptions {  // options/layers.toml
  /// Inverse document frequencies for output_mode "tf_idf", one a term; required for that mode.
  std::optional<std::vector<double>> idf_weights = {};
};
struct GetVocabularyOptions {  // options/layers.toml
  /// True: with the tokens for masked and unknown terms.
  bool include_special_tokens = true;
};

/// The part that layers with a vocabulary of texts or integers have in common.
template <typename Key>
class VocabularyHandle : public LayerHandle {
 public:
  using LayerHandle::LayerHandle;

  /// Adapts to an array, or to each element of a list. For "tf_idf" each single term, or each row of terms, is
  /// a document.
  void adapt(const data::Element& terms) const;
  void adapt(const data::Strings& texts) const
    requires std::same_as<Key, std::string>
  {
    adapt(data::Element(texts));
  }
  /// Adapts to each batch, or each x of (x, y), of a data set or a range. A batch of terms without rows is
  /// one document.
  template <ElementRange Batches>
  void adapt(const Batches& batches, const AdaptOptions& options = {}) const {
    begin_adapt();
    for_each_batch(batches, options, [&](const data::Element& batch) { adapt_batch(batch); });
    end_adapt();
  }
  void set_vocabulary(const Vocabulary<Key>& vocabulary, const SetVocabularyOptions& options = {}) const;
  /// The vocabulary, beginning with the tokens for masked and unknown terms, or without them.
  std::vector<Key> get_vocabulary(const GetVocabularyOptions& options = {}) const;
  /// The number of terms, including special tokens.
  std::int64_t vocabulary_size() const;

 private:
  void begin_adapt() const;
  void adapt_batch(const data::Element& batch) const;
  void end_adapt() const;
};
extern template class VocabularyHandle<std::string>;
extern template class VocabularyHandle<std::int64_t>;

/// Maps texts to their index in a vocabulary, which is given or adapted to data.
///
///     layers::StringLookup lookup({.vocabulary = {"a", "b", "c", "d"}});
///     lookup({"a", "z", "d"});                                            // 1 0 4
///     dataset.map([lookup](const data::Strings& x, const Tensor& y) { return std::pair(lookup(x), y); });
///
/// The mask token has the index 0 with output_mode "int" and is dropped otherwise; next come the indices of
/// unknown terms, then the terms. Adapted terms are sorted by decreasing count, then in reverse alphabetical
/// order.
///
/// Semantics: texts of any shape, or ragged rows, give int64 of that shape ("int"), int64 [..., vocabulary]
///            ("one_hot"), or one vector for each row: 1 for each term that occurs, or its count (int64), or
///            its count times its idf weight (float32). With `invert` integers give texts. Values equal
///            TensorFlow's. It cannot be part of compiled programs; use it on texts in a data set's map, as
///            with Keras's JAX backend.
/// Errors:    InvalidArgument for options that exclude each other, for a vocabulary that contains a term
///            twice or is too long, for unknown terms if num_oov_indices = 0, and for inputs that are not
///            texts; FailedPrecondition for a call without the required vocabulary, and for adapt() if the
///            options have one; NotFound for a missing file.
/// Threads:   concurrent calls are safe, except with adapt() and set_vocabulary().
class StringLookup : public VocabularyHandle<std::string> {
 public:
  explicit StringLookup(StringLookupOptions options = {});
  explicit StringLookup(NoOptions) : StringLookup(StringLookupOptions{}) {}

  Tensor operator()(const data::Strings& texts) const { return (*this)(data::Element(texts)).tensor(); }
  Tensor operator()(const std::same_as<std::vector<std::string>> auto& texts) const {
    return (*this)(data::Strings(texts));
  }
  /// Takes texts or ragged rows of texts; with `invert` indices.
  data::Element operator()(const data::Element& input) const;
};

struct IntegerLookupOptions {  // options/layers.toml
  /// Largest size of the vocabulary, with the tokens for masked and unknown terms; unset: no limit.
  std::optional<std::int64_t> max_tokens = {};
  /// Least count of a term in the data of adapt(): rarer terms are unknown; must be positive. An option of
  /// Cornu's, which Keras does not have.
  std::int64_t min_frequency = 1;
  /// Number of indices for unknown terms; with several, a hash of the term selects one. 0: unknown terms are
  /// errors.
  std::int64_t num_oov_indices = 1;
  /// Integer that stands for no value and gets index 0, or no element in vectors; unset: none.
  std::optional<std::int64_t> mask_token = {};
  /// Integer that unknown indices give with invert, and that the vocabulary lists for unknown integers;
  /// unset: none.
  std::optional<std::int64_t> oov_token = -1;
  /// Terms, or the path of a file with one term a line; empty: adapt() or set_vocabulary() gives them.
  IntegerVocabulary vocabulary = {};
  /// Dtype of the terms; must be "int64".
  std::string vocabulary_dtype = "int64";
  /// Inverse document frequencies of the terms of vocabulary, for output_mode "tf_idf"; unset: adapt()
  /// computes them.
  std::optional<std::vector<double>> idf_weights = {};
  /// True: maps indices back to terms.
  bool invert = false;
  /// "int", "one_hot", "multi_hot", "count" or "tf_idf".
  std::string output_mode = "int";
  /// True: vectors have max_tokens elements, also where the vocabulary is smaller.
  bool pad_to_max_tokens = false;
  /// Selection of an index for unknown integers: "floormod" or "farmhash".
  std::string oov_method = "floormod";
  /// Key of the hash of unknown integers with oov_method "farmhash", one number or two; unset: none.
  ops::OptionalIntOrInts salt = {};
  /// Number of terms, from configurations only; unset: the vocabulary decides.
  std::optional<std::int64_t> vocabulary_size = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype of vectors inside a model; indices are int64. Unset: the global policy's.
  std::optional<DType> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(IntegerLookupOptions, max_tokens, min_frequency, num_oov_indices, mask_token, oov_token,
             vocabulary, vocabulary_dtype, idf_weights, invert, output_mode, pad_to_max_tokens, oov_method,
             salt, vocabulary_size, name, trainable, dtype, input_shape)

/// Maps integers to their index in a vocabulary like StringLookup; may be part of a model.
///
/// Semantics: those of StringLookup; with `invert` indices give terms (int64). In programs vectors have the
///            layer's dtype, as in Keras, and the vocabulary is the layer's when the program is traced.
/// Errors:    those of StringLookup. In programs Unimplemented for num_oov_indices = 0 (an unknown term could
///            not be reported) and for oov_method "farmhash".
class IntegerLookup : public VocabularyHandle<std::int64_t> {
 public:
  explicit IntegerLookup(IntegerLookupOptions options = {});
  explicit IntegerLookup(NoOptions) : IntegerLookup(IntegerLookupOptions{}) {}

  using LayerHandle::operator();
  /// Takes numbers, tensors or ragged rows of them.
  template <std::same_as<data::Element> E>
  data::Element operator()(const E& input) const {
    return looked_up(input);
  }

 private:
  data::Element looked_up(const data::Element& input) const;
};

}  // namespace cornu::inline v0::keras::layers
