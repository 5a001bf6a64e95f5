// Runs every target over its committed corpus: each file as it is, cut off at every length, and with bytes
// changed from a fixed seed.
//
// Usage: fuzz_replay CORPUS
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

namespace {

using Buffer = std::vector<std::byte>;

Buffer read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

int run_with_damage(const cornu::fuzz::Target& target, const Buffer& content) {
  constexpr std::size_t kMaxCuts = 600;
  constexpr int kNumChanges = 400;
  int runs = 1;
  target.run(content);
  const std::size_t step = content.size() / kMaxCuts + 1;
  for (std::size_t size = 0; size < content.size(); size += step, ++runs) {
    // A buffer of its own, so that a sanitizer sees reads beyond it.
    const Buffer cut(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size));
    target.run(cut);
  }
  std::mt19937 random(1);
  for (int i = 0; i < kNumChanges && !content.empty(); ++i, ++runs) {
    Buffer changed = content;
    for (unsigned count = 1 + random() % 3; count > 0; --count)
      changed[random() % changed.size()] = static_cast<std::byte>(random());
    target.run(changed);
  }
  return runs;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_replay CORPUS\n");
    return EXIT_FAILURE;
  }
  for (const cornu::fuzz::Target& target : cornu::fuzz::targets()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target.name;
    int files = 0;
    int runs = 0;
    if (std::filesystem::is_directory(folder)) {
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        runs += run_with_damage(target, read_all(entry.path()));
        ++files;
      }
    }
    std::printf("%-12s %d files, %d runs\n", std::string(target.name).c_str(), files, runs);
    if (files == 0) {
      std::fprintf(stderr, "the target %s has no corpus in %s\n", std::string(target.name).c_str(),
                   folder.c_str());
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
