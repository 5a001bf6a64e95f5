#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// Maps words to numbers. Sorted: unlike a hash table, no choice of words makes it slow.
using WordIndex = std::map<std::string, std::int64_t, std::less<>>;

/// Reads a JSON object of words and their numbers, such as imdb_word_index.json.
///
/// Errors:  those of read_file; DataLoss, with the position, for other content: values other than integers
///          from 0 to 2^53, a duplicate word, anything after the object.
WordIndex read_word_index(const StringArgument& path, const ReadLimits& limits = {});
WordIndex parse_word_index(std::span<const std::byte> bytes, StringViewArgument name);

}  // namespace cornu::inline v0::io
