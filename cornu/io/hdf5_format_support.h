#pragma once

#include <cstdint>
#include <string_view>

/// Constants of the HDF5 file format, version 0 of the superblock, with offsets and lengths of 8 bytes.
namespace cornu::inline v0::io::hdf5_format {

inline constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
inline constexpr std::uint64_t kUndefined = ~std::uint64_t{0};
inline constexpr std::uint64_t kSuperblockSize = 96;
inline constexpr std::uint64_t kSymbolEntrySize = 40;
inline constexpr std::uint64_t kHeaderPrefixSize = 16;
/// Node sizes of groups as written by h5py: symbol table nodes have twice kLeafK entries, trees twice
/// kInternalK.
inline constexpr std::uint16_t kLeafK = 4;
inline constexpr std::uint16_t kInternalK = 16;
inline constexpr std::uint64_t kSymbolNodeSize = 8 + 2 * kLeafK * kSymbolEntrySize;
inline constexpr std::uint64_t kTreeNodeSize = 24 + (2 * kInternalK + 1) * 8 + 2 * kInternalK * 8;
inline constexpr std::uint64_t kLocalHeapSize = 32;
inline constexpr std::uint64_t kSmallestGlobalHeap = 4096;

enum MessageType : std::uint16_t {
  kNil = 0x0000,
  kDataspace = 0x0001,
  kLinkInfo = 0x0002,
  kDatatype = 0x0003,
  kOldFillValue = 0x0004,
  kFillValue = 0x0005,
  kLink = 0x0006,
  kExternalFiles = 0x0007,
  kLayout = 0x0008,
  kFilters = 0x000B,
  kAttribute = 0x000C,
  kContinuation = 0x0010,
  kSymbolTable = 0x0011,
  kModificationTime = 0x0012,
};

enum DatatypeClass : std::uint8_t {
  kFixedPoint = 0,
  kFloatingPoint = 1,
  kString = 3,
  kOpaque = 5,
  kEnumeration = 8,
  kVariableLength = 9,
};

inline constexpr std::uint64_t padded(std::uint64_t size) { return (size + 7) / 8 * 8; }

}  // namespace cornu::inline v0::io::hdf5_format
