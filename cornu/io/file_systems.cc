#include "cornu/io/file_systems.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/google_storage.h"
#include "cornu/io/http/http_access.h"

namespace cornu::inline v0::io {
namespace {

struct FileSystem {
  OpenWithScheme open;
  ListWithScheme list;
};

struct Registry {
  std::mutex mutex;
  std::map<std::string, FileSystem, std::less<>> all = {
      {"http", {[](const std::string& url) { return open_http(url); }, {}}},
      {"https", {[](const std::string& url) { return open_http(url); }, {}}},
      {"gs", {open_google_storage, list_google_storage}},
  };
};

Registry& registry() {
  static auto& all = *new Registry;
  return all;
}

bool is_scheme(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
         });
}

/// "https" for "https://..."; empty for a local path.
std::string_view scheme_of(std::string_view path) {
  const std::size_t colon = path.find("://");
  return colon != std::string_view::npos && is_scheme(path.substr(0, colon)) ? path.substr(0, colon)
                                                                             : std::string_view();
}

/// Empty for a local path.
std::optional<FileSystem> find_file_system(const std::string& path) {
  const std::string_view scheme = scheme_of(path);
  if (scheme.empty()) return std::nullopt;
  const std::scoped_lock lock(registry().mutex);
  const auto found = registry().all.find(scheme);
  if (found == registry().all.end())
    fail(ErrorCode::kNotFound,
         "[io] {} cannot be opened: no file system is registered for \"{}\"; register one", shown(path),
         scheme);
  return found->second;
}

class AccessStream : public ByteStream {
 public:
  explicit AccessStream(RandomAccessPointer bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(std::span<std::byte> to) override {
    const std::uint64_t left = bytes_->size() - std::min(offset_, bytes_->size());
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left));
    bytes_->read(std::min(offset_, bytes_->size()), to.first(count));
    offset_ += count;
    return count;
  }
  void seek(std::uint64_t offset) override { offset_ = offset; }
  const std::string& name() const override { return bytes_->name(); }

 private:
  RandomAccessPointer bytes_;
  std::uint64_t offset_ = 0;
};

}  // namespace

void register_file_system(const StringArgument& scheme, OpenWithScheme open, ListWithScheme list) {
  if (!is_scheme(scheme) || open == nullptr)
    invalid_argument("[io] a file system needs a function and a scheme of lower-case letters; got \"{}\"",
                     shown(scheme));
  const std::scoped_lock lock(registry().mutex);
  registry().all[scheme] = {std::move(open), std::move(list)};
}

RandomAccessPointer open_with_scheme(const StringArgument& path) {
  const std::optional<FileSystem> found = find_file_system(path);
  return found.has_value() ? found->open(path) : nullptr;
}

std::optional<std::vector<std::string>> list_with_scheme(const StringArgument& pattern) {
  const std::optional<FileSystem> found = find_file_system(pattern);
  if (!found.has_value()) return std::nullopt;
  if (found->list == nullptr)
    fail(ErrorCode::kUnimplemented, "[io] files cannot be listed at {}: name them one by one",
         shown(pattern));
  return found->list(pattern);
}

std::unique_ptr<ByteStream> stream_of(RandomAccessPointer bytes) {
  return std::make_unique<AccessStream>(std::move(bytes));
}

}  // namespace cornu::inline v0::io
