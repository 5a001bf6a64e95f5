#include "cornu/io/http/http_access.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/module_loader.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/http/module_interface.h"

namespace cornu::inline v0::io {
namespace {

[[noreturn]] void refuse_http(const std::string& why) {
  fail(ErrorCode::kFailedPrecondition, "[http] files over the network cannot be read: {}", why);
}

const HttpModule& load_http() {
  const OwnModulePath found = find_own_module(kHttpModuleName);
  if (found.path.empty()) refuse_http(found.reason);
  void* const handle = dlopen(found.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse_http(dlerror());
  const auto module = reinterpret_cast<HttpModuleFunction>(dlsym(handle, kHttpModuleSymbol));
  if (module == nullptr) refuse_http(fmt::format("{} has no {}", found.path.string(), kHttpModuleSymbol));
  return *module();
}

const HttpModule& http() {
  static const HttpModule& loaded = load_http();
  return loaded;
}

constexpr long kOk = 200, kPartial = 206, kNotFound = 404, kGone = 410, kOutside = 416;

/// True for errors worth another attempt.
bool is_passing(long status) {
  constexpr long kPassing[] = {0, 408, 429, 500, 502, 503, 504};
  return std::find(std::begin(kPassing), std::end(kPassing), status) != std::end(kPassing);
}

const char* token_of(const HttpOptions& options) {
  return options.bearer_token.empty() ? nullptr : options.bearer_token.c_str();
}

/// Waits for the next attempt after one without data, or throws.
void wait_or_fail(const std::string& url, const HttpOptions& options, const HttpAnswer& answer,
                  std::uint64_t offset, int attempt) {
  const auto fail_at = [&](ErrorCode code, const std::string& why) {
    fail(code, "[http] {}: {}; at byte {}", shown(url), why, offset);
  };
  const bool is_cut = answer.status == 0 || answer.status == kOk || answer.status == kPartial;
  if (answer.status == kNotFound || answer.status == kGone)
    fail_at(ErrorCode::kNotFound, fmt::format("the file does not exist (status {})", answer.status));
  if (!is_cut && !is_passing(answer.status))
    fail_at(ErrorCode::kFailedPrecondition,
            fmt::format("the server refuses the request (status {})", answer.status));
  if (attempt + 1 >= options.max_attempts)
    fail_at(ErrorCode::kUnavailable, is_cut ? fmt::format("{} attempts failed, the last because: {}",
                                                          options.max_attempts, answer.message)
                                            : fmt::format("{} attempts failed, the last with status {}",
                                                          options.max_attempts, answer.status));
  constexpr int kMostDoublings = 6;
  std::this_thread::sleep_for(
      std::chrono::milliseconds(options.first_wait_ms << std::min(attempt, kMostDoublings)));
}

void check_request(const std::string& url, const HttpOptions& options) {
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    invalid_argument("[http] an address begins with http:// or https://; got \"{}\"", shown(url));
  if (options.max_attempts < 1 || options.first_wait_ms < 0 || options.stall_timeout_ms < 1 ||
      options.block_bytes < 1)
    invalid_argument("[http] max_attempts, stall_timeout_ms and block_bytes must be positive");
}

class HttpAccess : public RandomAccess {
 public:
  HttpAccess(std::string url, const HttpOptions& options) : url_(std::move(url)), options_(options) {
    connection_ = http().open();
    if (connection_ == nullptr) refuse_http("libcurl cannot be started");
    try {
      first_block();
    } catch (...) {
      http().close(connection_);
      throw;
    }
  }
  ~HttpAccess() override { http().close(connection_); }
  std::uint64_t size() const override { return size_; }
  const std::string& name() const override { return url_; }

 protected:
  void read_inside(std::uint64_t offset, std::span<std::byte> destination) const override {
    const std::scoped_lock lock(mutex_);
    const auto block_bytes = static_cast<std::uint64_t>(options_.block_bytes);
    while (!destination.empty()) {
      const std::uint64_t index = offset / block_bytes, inside = offset % block_bytes;
      const std::vector<std::byte>& block = block_at(index);
      const std::size_t count = std::min(destination.size(), block.size() - static_cast<std::size_t>(inside));
      std::memcpy(destination.data(), block.data() + inside, count);
      destination = destination.subspan(count);
      offset += count;
    }
  }

 private:
  using Block = std::pair<std::uint64_t, std::vector<std::byte>>;
  static constexpr std::size_t kKeptBlocks = 4;

  [[noreturn]] void fail_at(ErrorCode code, std::uint64_t offset, const std::string& why) const {
    fail(code, "[http] {}: {}; at byte {}", shown(url_), why, offset);
  }

  /// Reads the first block, which also gives the size.
  void first_block() {
    std::vector<std::byte> block(static_cast<std::size_t>(options_.block_bytes));
    std::size_t received = 0;
    HttpAnswer answer;
    for (int attempt = 0;; ++attempt) {
      answer = request(0, block);
      received = static_cast<std::size_t>(answer.received);
      if (answer.status == kOutside && answer.has_range && answer.total == 0) return;  // an empty file
      if (answer.status == kPartial && answer.has_range) break;
      check_refused(answer, 0, attempt);
    }
    size_ = answer.total;
    version_ = answer.version;
    check_answer(answer, 0);
    block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), size_)));
    if (received < block.size()) fill(received, std::span(block).subspan(received));
    blocks_.emplace_front(0, std::move(block));
  }

  const std::vector<std::byte>& block_at(std::uint64_t index) const {
    const auto found =
        std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& one) { return one.first == index; });
    if (found != blocks_.end()) {
      blocks_.splice(blocks_.begin(), blocks_, found);
      return blocks_.front().second;
    }
    const auto block_bytes = static_cast<std::uint64_t>(options_.block_bytes);
    const std::uint64_t offset = index * block_bytes;
    std::vector<std::byte> block(static_cast<std::size_t>(std::min(block_bytes, size_ - offset)));
    fill(offset, block);
    if (blocks_.size() == kKeptBlocks) blocks_.pop_back();
    blocks_.emplace_front(index, std::move(block));
    return blocks_.front().second;
  }

  /// Continues a truncated transfer. Attempts that brought data do not count.
  void fill(std::uint64_t offset, std::span<std::byte> to) const {
    for (int attempt = 0; !to.empty();) {
      const HttpAnswer answer = request(offset, to);
      if (answer.status == kPartial) check_answer(answer, offset);
      if (answer.received > 0) {
        offset += answer.received;
        to = to.subspan(static_cast<std::size_t>(answer.received));
        attempt = 0;
        continue;
      }
      check_refused(answer, offset, attempt++);
    }
  }

  HttpAnswer request(std::uint64_t offset, std::span<std::byte> to) const {
    const HttpRequest request{.url = url_.c_str(),
                              .offset = offset,
                              .size = to.size(),
                              .stall_timeout_ms = static_cast<long>(options_.stall_timeout_ms),
                              .bearer_token = token_of(options_),
                              .is_whole = false};
    HttpAnswer answer;
    http().fetch(connection_, &request, reinterpret_cast<unsigned char*>(to.data()), &answer);
    return answer;
  }

  void check_answer(const HttpAnswer& answer, std::uint64_t offset) const {
    if (!answer.has_range || answer.range_begin != offset)
      fail_at(ErrorCode::kDataLoss, offset, "the server answered with a range that was not requested");
    if (answer.total != size_ || version_ != answer.version)
      fail_at(ErrorCode::kDataLoss, offset, "the file changed while it was read");
  }

  /// Waits for the next attempt, or throws.
  void check_refused(const HttpAnswer& answer, std::uint64_t offset, int attempt) const {
    if (answer.status == kOk)
      fail_at(ErrorCode::kFailedPrecondition, offset,
              "the server does not support range requests; download the file, and read it from the disk");
    wait_or_fail(url_, options_, answer, offset, attempt);
  }

  std::string url_;
  HttpOptions options_;
  std::uint64_t size_ = 0;
  std::string version_;
  mutable std::mutex mutex_;
  void* connection_ = nullptr;
  mutable std::list<Block> blocks_;  // the most recent blocks, latest first
};

}  // namespace

RandomAccessPointer open_http(const std::string& url, const HttpOptions& options) {
  check_request(url, options);
  return std::make_shared<HttpAccess>(url, options);
}

long post_http(const std::string& url, std::string_view body, const std::vector<HttpHeader>& headers,
               const HttpOptions& options) {
  check_request(url, options);
  std::vector<std::string> lines;
  for (const auto& [name, value] : headers) {
    lines.push_back(fmt::format("{}: {}", name, value));
    if (name.empty() || lines.back().find_first_of("\r\n\0") != std::string::npos)
      invalid_argument("[http] a header must have a name, and no line ends; got \"{}\"", shown(name));
  }
  std::vector<const char*> pointers;
  for (const std::string& line : lines) pointers.push_back(line.c_str());
  pointers.push_back(nullptr);
  const std::shared_ptr<void> connection(http().open(), [](void* open) {
    if (open != nullptr) http().close(open);
  });
  if (connection == nullptr) refuse_http("libcurl cannot be started");
  std::vector<unsigned char> answer_text(std::size_t{1} << 16);
  const HttpRequest request{.url = url.c_str(),
                            .offset = 0,
                            .size = answer_text.size(),
                            .stall_timeout_ms = static_cast<long>(options.stall_timeout_ms),
                            .bearer_token = token_of(options),
                            .is_whole = true,
                            .body = body.data() == nullptr ? "" : body.data(),
                            .body_size = body.size(),
                            .headers = pointers.data()};
  HttpAnswer answer;
  http().fetch(connection.get(), &request, answer_text.data(), &answer);
  if (answer.status == 0)
    fail(ErrorCode::kUnavailable, "[http] {}: the server did not answer: {}", shown(url), answer.message);
  return answer.status;
}

std::string read_http(const std::string& url, std::size_t most_bytes, const HttpOptions& options) {
  check_request(url, options);
  const std::shared_ptr<void> connection(http().open(), [](void* open) {
    if (open != nullptr) http().close(open);
  });
  if (connection == nullptr) refuse_http("libcurl cannot be started");
  std::string text(most_bytes, '\0');
  const HttpRequest request{.url = url.c_str(),
                            .offset = 0,
                            .size = text.size(),
                            .stall_timeout_ms = static_cast<long>(options.stall_timeout_ms),
                            .bearer_token = token_of(options),
                            .is_whole = true};
  for (int attempt = 0;; ++attempt) {
    HttpAnswer answer;
    http().fetch(connection.get(), &request, reinterpret_cast<unsigned char*>(text.data()), &answer);
    if (answer.status == kOk && answer.is_complete) {
      text.resize(static_cast<std::size_t>(answer.received));
      return text;
    }
    wait_or_fail(url, options, answer, answer.received, attempt);
  }
}

}  // namespace cornu::inline v0::io
