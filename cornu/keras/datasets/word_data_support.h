#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cornu/io/npz.h"
#include "cornu/keras/datasets/datasets.h"

/// Code shared by the data sets of texts; not part of the interface.
namespace cornu::inline v0::keras::datasets::detail {

/// Texts as the ranks of their words, each with a label.
struct WordRows {
  Sequences x;
  std::vector<std::int64_t> labels;
};

/// See imdb::LoadDataOptions.
struct WordOptions {
  const char* op;  // for errors: "imdb"
  std::optional<std::int64_t> num_words;
  std::int64_t skip_top;
  std::optional<std::int64_t> maxlen;
  std::optional<std::int32_t> start_char;
  std::optional<std::int32_t> oov_char;
  std::int32_t index_from;
};
template <typename Options>
WordOptions word_options(const char* op, const Options& options) {
  return {op,
          options.num_words,
          options.skip_top,
          options.maxlen,
          options.start_char,
          options.oov_char,
          options.index_from};
}

/// Errors: NotFound, naming the file to download, unless the file exists.
void require_word_file(const char* op, const std::string& path, const char* people_get, const char* checksum);
/// The arrays x and y with a suffix. Errors: DataLoss for invalid words and labels.
WordRows read_word_rows(const char* op, const io::NpzFile& file, const std::string& suffix,
                        const std::string& path, std::int64_t num_labels);
/// Shuffles like NumPy's RandomState.
void shuffle_rows(WordRows& part, std::mt19937& bits);
/// Shifts the numbers, adds start characters, and removes long texts and rare words. Errors: InvalidArgument.
void prepare_words(std::span<WordRows> parts, const WordOptions& options);
imdb::Reviews to_reviews(WordRows part);

}  // namespace cornu::inline v0::keras::datasets::detail
