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

/// A word's number. Sorted: no choice of words makes it slow, as hashes that collide would.
using WordIndex = std::map<std::string, std::int64_t, std::less<>>;

/// Reads a JSON object of words and their numbers, as imdb_word_index.json.
///
/// Errors:  those of read_file; DataLoss, with the position, for what is no such object: other values than
///          integers from 0 to 2^53, a word that stands twice, anything after the object.
WordIndex read_word_index(const StringArgument& path, const ReadLimits& limits = {});
WordIndex parse_word_index(std::span<const std::byte> bytes, StringViewArgument name);

}  // namespace cornu::inline v0::io
