// Tests of files over the network, from a local server that truncates, stalls, refuses and changes its
// content.
#include "cornu/io/http/http_access.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/loopback_test_support.h"
#include "cornu/io/file.h"
#include "cornu/io/file_systems.h"

namespace cornu::inline v0::io {
namespace {

/// The server's treatment of a request.
enum class Manner {
  kFine,
  kCut,
  kStall,
  kHangUp,
  k500,
  k404,
  k403,
  kWhole,
  kOtherVersion,
  kOtherRange,
  kEmpty
};

/// A server that answers requests as `manners` lists, then normally.
class Server {
 public:
  explicit Server(std::string content) : content_(std::move(content)) {
    thread_ = std::thread([this] { run(); });
  }
  ~Server() {
    is_over_ = true;
    listener_.stop();
    thread_.join();
    for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
    for (std::thread& thread : threads_) thread.join();
    for (const int connection : connections_) ::close(connection);
  }
  std::string host() const { return listener_.host(); }
  std::string url() const { return "http://" + host() + "/data.bin"; }
  void next(std::initializer_list<Manner> manners) {
    const std::scoped_lock lock(mutex_);
    manners_.insert(manners_.end(), manners);
  }
  int num_requests() const { return num_requests_; }

 private:
  void run() {
    while (!is_over_) {
      const int connection = listener_.accept_one();
      if (connection < 0) return;
      connections_.push_back(connection);
      threads_.emplace_back([this, connection] {
        while (serve(connection)) {
        }
        ::shutdown(connection, SHUT_RDWR);
      });
    }
  }

  /// Serves one request; false to close the connection.
  bool serve(int connection) {
    std::string request;
    char buffer[4096];
    while (request.find("\r\n\r\n") == std::string::npos) {
      const ssize_t count = ::recv(connection, buffer, sizeof buffer, 0);
      if (count <= 0) return false;
      request.append(buffer, static_cast<std::size_t>(count));
    }
    ++num_requests_;
    Manner manner = Manner::kFine;
    {
      const std::scoped_lock lock(mutex_);
      if (!manners_.empty()) {
        manner = manners_.front();
        manners_.pop_front();
      }
    }
    return answer(connection, request, manner);
  }

  /// Answers with two pages of names, if the request has the token.
  static bool answer_list(int connection, const std::string& request) {
    const auto has = [&](const char* part) { return request.find(part) != std::string::npos; };
    if (!has("Authorization: Bearer secret\r\n"))
      return send_text(connection, "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n");
    const bool is_second = has("pageToken=p%2F2%20");
    const std::string page =
        has("/b/broken/o?")                               ? R"({"items": [{"name": 3}]})"
        : !has("/b/bucket/o?") || !has("prefix=train%2F") ? "{}"
        : is_second
            ? R"({"items": [{"name": "train/a-0.tfrecord"}, {"name": "train/c.txt"}]})"
            : R"({"items": [{"name": "train/a-1.tfrecord"}, {"name": "train/in/b.tfrecord"}], "nextPageToken": "p/2 "})";
    return send_text(connection,
                     "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(page.size()) + "\r\n\r\n" + page);
  }

  bool answer(int connection, const std::string& request, Manner manner) {
    if (manner == Manner::kFine && request.starts_with("GET /storage/v1/"))
      return answer_list(connection, request);
    if (manner == Manner::kHangUp) return false;
    if (manner == Manner::k500)
      return send_text(connection, "HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\noops");
    if (manner == Manner::k404)
      return send_text(connection, "HTTP/1.1 404 Gone\r\nContent-Length: 0\r\n\r\n");
    if (manner == Manner::k403) return send_text(connection, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
    if (manner == Manner::kWhole)
      return send_text(connection, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(content_.size()) +
                                       "\r\n\r\n" + content_);
    if (manner == Manner::kEmpty)
      return send_text(connection,
                       "HTTP/1.1 416 No\r\nContent-Range: bytes */0\r\nContent-Length: 0\r\n\r\n");
    const std::size_t at = request.find("bytes=");
    const std::size_t begin = std::stoul(request.substr(at + 6));
    const std::size_t end =
        std::min(std::stoul(request.substr(request.find('-', at) + 1)) + 1, content_.size());
    const std::size_t said = begin + (manner == Manner::kOtherRange ? 1 : 0);
    std::string text = "HTTP/1.1 206 Part\r\nContent-Range: bytes " + std::to_string(said) + "-" +
                       std::to_string(end - 1) + "/" + std::to_string(content_.size()) + "\r\nETag: \"" +
                       (manner == Manner::kOtherVersion ? "two" : "one") +
                       "\"\r\nContent-Length: " + std::to_string(end - begin) + "\r\n\r\n";
    const std::size_t length = end - begin;
    const bool is_half = manner == Manner::kCut || manner == Manner::kStall;
    text += content_.substr(begin, is_half ? length / 2 : length);
    if (!send_text(connection, text)) return false;
    if (manner != Manner::kStall) return manner != Manner::kCut;
    char end_of_it = 0;
    ::recv(connection, &end_of_it, 1, 0);  // until the other side closes
    return false;
  }

  static bool send_text(int connection, const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  std::string content_;
  LoopbackListener listener_;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> num_requests_ = 0;
  std::mutex mutex_;
  std::deque<Manner> manners_;
  std::vector<int> connections_;  // of the accepting thread, until it has ended
  std::vector<std::thread> threads_;
  std::thread thread_;
};

std::string made_content(std::size_t size) {
  std::string content(size, '\0');
  for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 + i / 251);
  return content;
}

const HttpOptions kQuick = {
    .max_attempts = 3, .first_wait_ms = 1, .stall_timeout_ms = 1500, .block_bytes = 1000};

std::string read_at(const RandomAccessPointer& bytes, std::uint64_t offset, std::size_t size) {
  std::string text(size, '\0');
  bytes->read(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

template <typename F>
void expect_http_error(ErrorCode code, const std::string& part, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    return;
  }
  ADD_FAILURE() << "no error; wanted one of " << part;
}

TEST(HttpTest, PartsAreReadByRanges) {
  const std::string content = made_content(10'500);
  Server server(content);
  const RandomAccessPointer bytes = open_http(server.url(), kQuick);
  EXPECT_EQ(bytes->size(), content.size());
  EXPECT_EQ(read_at(bytes, 0, 10), content.substr(0, 10));
  EXPECT_EQ(server.num_requests(), 1);  // the first bytes came with the size
  EXPECT_EQ(read_at(bytes, 950, 3100), content.substr(950, 3100));
  EXPECT_EQ(server.num_requests(), 5);
  EXPECT_EQ(read_at(bytes, 4000, 10), content.substr(4000, 10));
  EXPECT_EQ(server.num_requests(), 5);
  EXPECT_EQ(read_at(bytes, 10'499, 1), content.substr(10'499));
  expect_http_error(ErrorCode::kDataLoss, "cut off", [&] { read_at(bytes, 10'499, 2); });
}

TEST(HttpTest, ReadsGoOnWhereTransfersEnd) {
  const std::string content = made_content(5000);
  Server server(content);
  server.next({Manner::k500, Manner::kHangUp, Manner::kCut});
  HttpOptions patient = kQuick;
  patient.max_attempts = 6;
  const RandomAccessPointer bytes = open_http(server.url(), patient);
  for (const Manner manner : {Manner::kCut, Manner::kStall, Manner::k500, Manner::kHangUp})
    server.next({manner, manner});
  EXPECT_EQ(read_at(bytes, 0, 5000), content);
  // Received bytes were not requested again: three faults and one request for the first block, eight and one
  // for the second.
  EXPECT_EQ(server.num_requests(), 16);
}

TEST(HttpTest, AServerThatRefusesIsAnErrorWithAddressAndByte) {
  Server server(made_content(5000));
  server.next({Manner::k404});
  expect_http_error(ErrorCode::kNotFound, server.url(), [&] { open_http(server.url(), kQuick); });
  server.next({Manner::k403});
  expect_http_error(ErrorCode::kFailedPrecondition, "status 403", [&] { open_http(server.url(), kQuick); });
  server.next({Manner::kWhole});
  expect_http_error(ErrorCode::kFailedPrecondition, "does not support range requests",
                    [&] { open_http(server.url(), kQuick); });
  server.next({Manner::k500, Manner::k500, Manner::k500});
  expect_http_error(ErrorCode::kUnavailable, "the last with status 500",
                    [&] { open_http(server.url(), kQuick); });
  const RandomAccessPointer bytes = open_http(server.url(), kQuick);
  server.next({Manner::k500, Manner::k500, Manner::k500});
  expect_http_error(ErrorCode::kUnavailable, "at byte 2000", [&] { read_at(bytes, 2500, 10); });
  server.next({Manner::kOtherVersion});
  expect_http_error(ErrorCode::kDataLoss, "changed", [&] { read_at(bytes, 2500, 10); });
  server.next({Manner::kOtherRange});
  expect_http_error(ErrorCode::kDataLoss, "a range that was not requested",
                    [&] { read_at(bytes, 2500, 10); });
  EXPECT_EQ(read_at(bytes, 2500, 10), made_content(5000).substr(2500, 10));  // reading can continue
  server.next({Manner::kEmpty});
  EXPECT_EQ(open_http(server.url(), kQuick)->size(), 0U);
  expect_http_error(ErrorCode::kInvalidArgument, "ftp", [] { open_http("ftp://host/file"); });
  expect_http_error(ErrorCode::kInvalidArgument, "max_attempts",
                    [&] { open_http(server.url(), {.max_attempts = 0}); });
}

/// Sets an environment variable while it lives.
class VariableSet {
 public:
  VariableSet(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~VariableSet() { ::unsetenv(name_); }
  VariableSet(const VariableSet&) = delete;
  VariableSet& operator=(const VariableSet&) = delete;

 private:
  const char* name_;
};

TEST(GoogleStorageTest, ObjectsAreListedPageByPageAndReadWithTheToken) {
  const std::string content = made_content(3000);
  Server server(content);
  const VariableSet place("STORAGE_EMULATOR_HOST", server.host());
  expect_http_error(ErrorCode::kFailedPrecondition, "status 401",
                    [] { list_with_scheme("gs://bucket/train/*"); });
  const std::string file = testing::TempDir() + "/cornu_token_" + std::to_string(::getpid());
  {
    WholeFile written(file);
    written.write(std::as_bytes(std::span(std::string_view("secret\n"))));
    written.commit();
  }
  const VariableSet token("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", file);
  using Names = std::vector<std::string>;
  EXPECT_EQ(list_with_scheme("gs://bucket/train/*.tfrecord"),
            (Names{"gs://bucket/train/a-0.tfrecord", "gs://bucket/train/a-1.tfrecord"}));
  EXPECT_EQ(list_with_scheme("gs://bucket/train/?n/*"), (Names{"gs://bucket/train/in/b.tfrecord"}));
  EXPECT_EQ(list_with_scheme("gs://bucket/other/*"), Names{});
  EXPECT_EQ(read_at(open_random_access("gs://bucket/train/a-0.tfrecord"), 100, 50), content.substr(100, 50));
  server.next({Manner::k500, Manner::kHangUp});
  EXPECT_EQ(list_with_scheme("gs://bucket/train/a-[1-9]*")->size(), 1U);
  expect_http_error(ErrorCode::kDataLoss, "not a list of objects",
                    [] { list_with_scheme("gs://broken/train/*"); });
  expect_http_error(ErrorCode::kInvalidArgument, "wildcards", [] { list_with_scheme("gs://b*/train/*"); });
  expect_http_error(ErrorCode::kInvalidArgument, "gs://bucket/object", [] { open_file("gs://bucket"); });
  expect_http_error(ErrorCode::kUnimplemented, "one by one", [] { list_with_scheme("https://host/*"); });
  EXPECT_EQ(list_with_scheme("/local/*"), std::nullopt);
  ::unlink(file.c_str());
}

TEST(HttpTest, PathsWithASchemeAreOpenedByTheirFileSystem) {
  const std::string content = made_content(3000);
  Server server(content);
  EXPECT_EQ(file_size(server.url()), content.size());
  const std::unique_ptr<ByteStream> stream = open_file(server.url());
  std::string read(4000, '\0');
  stream->seek(100);
  EXPECT_EQ(stream->read(std::as_writable_bytes(std::span(read))), 2900U);
  EXPECT_EQ(read.substr(0, 2900), content.substr(100));
  register_file_system("kept", [](const std::string& path) {
    return keep_bytes(std::vector<std::byte>(path.size(), std::byte{5}), path);
  });
  EXPECT_EQ(open_random_access("kept://four")->size(), 11U);
  expect_http_error(ErrorCode::kNotFound, "\"s4\"", [] { open_file("s4://bucket/file"); });
  expect_http_error(ErrorCode::kInvalidArgument, "UP",
                    [] { register_file_system("UP", [](const std::string&) { return nullptr; }); });
  expect_http_error(ErrorCode::kNotFound, "nowhere", [] { open_file("nowhere/C://file"); });
}

}  // namespace
}  // namespace cornu::inline v0::io
