#include "cornu/io/file_systems.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/http/http_access.h"

namespace cornu::inline v0::io {
namespace {

/// A public object of Google's storage by its address there.
RandomAccessPointer open_google_storage(const std::string& path) {
  constexpr std::string_view kScheme = "gs://";
  constexpr std::string_view kPlain = "-_.~/";
  std::string url = "https://storage.googleapis.com/";
  for (const char c : path.substr(kScheme.size())) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          kPlain.find(c) != std::string_view::npos;
    url += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return open_http(url);
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, OpenWithScheme, std::less<>> open = {
      {"http", [](const std::string& url) { return open_http(url); }},
      {"https", [](const std::string& url) { return open_http(url); }},
      {"gs", open_google_storage},
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

/// "https" of "https://...": nothing for a path.
std::string_view scheme_of(std::string_view path) {
  const std::size_t colon = path.find("://");
  return colon != std::string_view::npos && is_scheme(path.substr(0, colon)) ? path.substr(0, colon)
                                                                             : std::string_view();
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

void register_file_system(const std::string& scheme, OpenWithScheme open) {
  if (!is_scheme(scheme) || open == nullptr)
    invalid_argument("[io] a file system needs a function and a scheme of lower-case letters; got \"{}\"",
                     shown(scheme));
  const std::scoped_lock lock(registry().mutex);
  registry().open[scheme] = std::move(open);
}

RandomAccessPointer open_with_scheme(const std::string& path) {
  const std::string_view scheme = scheme_of(path);
  if (scheme.empty()) return nullptr;
  OpenWithScheme open;
  {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().open.find(scheme);
    if (found == registry().open.end())
      fail(ErrorCode::kNotFound, "[io] no file system opens {}: there is none for \"{}\"; register one",
           shown(path), scheme);
    open = found->second;
  }
  return open(path);
}

std::unique_ptr<ByteStream> stream_of(RandomAccessPointer bytes) {
  return std::make_unique<AccessStream>(std::move(bytes));
}

}  // namespace cornu::inline v0::io
