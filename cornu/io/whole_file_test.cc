#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cornu/io/file.h"
#include "cornu/io/safetensors.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kPage = 4096;

/// Memory that begins with a page, with bytes that tell their places.
std::unique_ptr<std::byte, decltype(&std::free)> numbered_bytes(std::size_t size) {
  std::unique_ptr<std::byte, decltype(&std::free)> bytes(
      static_cast<std::byte*>(std::aligned_alloc(kPage, (size / kPage + 1) * kPage)), &std::free);
  for (std::size_t i = 0; i < size; ++i) bytes.get()[i] = static_cast<std::byte>((i * 2654435761u) >> 13);
  return bytes;
}

TEST(WholeFileTest, LargePartsAreTheSameByWhateverWayTheyGo) {
  constexpr std::size_t kSize = (std::size_t{3} << 20) + 777;
  const auto bytes = numbered_bytes(kSize);
  const std::span<const std::byte> all(bytes.get(), kSize);
  // The folder of tests is often in memory, the one that they run in on a disk: ways differ.
  for (const std::filesystem::path& folder :
       {std::filesystem::temp_directory_path(), std::filesystem::path("/dev/shm"),
        std::filesystem::path("/var/tmp")}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, kPage - 1, kPage, std::size_t{12345}}) {
      const std::string path = (folder / "cornu_whole_file_test").string();
      WholeFile file(path);
      file.write(all.first(first));
      file.write(all.subspan(first, (std::size_t{2} << 20) + 5));
      file.write(all.subspan(first + (std::size_t{2} << 20) + 5));
      file.commit();
      const std::vector<std::byte> read = read_file(path, {});
      EXPECT_TRUE(std::equal(read.begin(), read.end(), all.begin(), all.end())) << folder << ", " << first;
      // Memory and file are not in step.
      WholeFile shifted(path);
      shifted.write(all.first(3));
      shifted.write(all.subspan(7));
      shifted.commit();
      EXPECT_EQ(std::filesystem::file_size(path), kSize - 4);
      EXPECT_EQ(read_file(path, {})[3], all[7]);
      std::filesystem::remove(path);
    }
  }
}

TEST(WholeFileTest, LargeArraysOfSafetensorsBeginWithAPageAndAreReadBack) {
  constexpr std::int64_t kCount = 400'000;
  const auto bytes = numbered_bytes(2 * 4 * kCount + 4);
  const std::vector<std::int64_t> one = {1}, many = {kCount};
  const std::byte* const at = bytes.get();
  const std::pair<std::string, ArrayView> arrays[] = {
      {"a", {ElementType::kF32, many, {at, 4 * kCount}}},
      {"b", {ElementType::kF32, one, {at + 4 * kCount, 4}}},
      {"c", {ElementType::kF32, many, {at + 4 * kCount + 4, 4 * kCount}}}};
  const std::string path = (std::filesystem::path("/var/tmp") / "cornu_whole_file_test.safetensors").string();
  write_safetensors(path, arrays, {});
  const SafetensorsFile file(open_random_access(path));
  EXPECT_EQ(file.entries().at("a").offset % kPage, 0U);
  for (const auto& [name, array] : arrays) {
    std::vector<std::byte> read(array.data.size());
    file.read(file.entries().at(name), read);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), array.data.begin())) << name;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cornu::inline v0::io
