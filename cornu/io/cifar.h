#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// Pictures of 32 x 32 with three colours, and their classes.
struct CifarBatch {
  std::vector<std::uint8_t> labels;  // 0 to 9
  std::vector<std::uint8_t> images;  // [row, colour, y, x]
};

inline constexpr std::int64_t kCifarImageBytes = std::int64_t{3} * 32 * 32;

/// Reads a file of CIFAR-10's binary version (data_batch_1.bin, test_batch.bin): records of one label byte
/// and 3,072 bytes of a picture.
///
/// Errors:  those of read_file; DataLoss if the size is not a whole number of records, or for a label above
///          9, with the record. Files of the Python version, of CIFAR-100 and archives are recognized in the
///          error.
CifarBatch read_cifar10(const StringArgument& path, const ReadLimits& limits = {});
CifarBatch parse_cifar10(std::span<const std::byte> bytes, StringViewArgument name);

/// Pictures with two labels each.
struct Cifar100Batch {
  std::vector<std::uint8_t> coarse_labels;  // 0 to 19
  std::vector<std::uint8_t> fine_labels;    // 0 to 99
  std::vector<std::uint8_t> images;         // [row, colour, y, x]
};

/// Reads a file of CIFAR-100's binary version (train.bin, test.bin): records of two label bytes and 3,072
/// bytes of a picture.
/// Errors: those of read_cifar10.
Cifar100Batch read_cifar100(const StringArgument& path, const ReadLimits& limits = {});
Cifar100Batch parse_cifar100(std::span<const std::byte> bytes, StringViewArgument name);

}  // namespace cornu::inline v0::io
