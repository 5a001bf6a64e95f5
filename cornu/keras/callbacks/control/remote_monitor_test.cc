#include "cornu/keras/callbacks/control/remote_monitor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "cornu/base/error.h"
#include "cornu/base/log.h"
#include "cornu/base/loopback_test_support.h"
#include "cornu/keras/config/config.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

/// A server that keeps the requests and answers 200 to each.
class RecordingServer {
 public:
  RecordingServer() : thread_([this] { run(); }) {}
  ~RecordingServer() { stop(); }
  void stop() {
    if (!thread_.joinable()) return;
    listener_.stop();
    thread_.join();
  }
  std::string root() const { return "http://" + listener_.host(); }
  /// After stop().
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  void run() {
    for (;;) {
      const int connection = listener_.accept_one();
      if (connection < 0) return;
      std::string request;
      char part[4096];
      for (;;) {
        const std::size_t end = request.find("\r\n\r\n"), length = request.find("Content-Length: ");
        if (end != std::string::npos && length != std::string::npos &&
            request.size() >= end + 4 + std::stoul(request.substr(length + 16)))
          break;
        const ssize_t count = ::read(connection, part, sizeof part);
        if (count <= 0) break;
        request.append(part, static_cast<std::size_t>(count));
      }
      requests_.push_back(request);
      const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
      (void)!::write(connection, answer.data(), answer.size());
      ::close(connection);
    }
  }

  LoopbackListener listener_;
  std::vector<std::string> requests_;
  std::thread thread_;  // works on the others
};

TEST(RemoteMonitorTest, LogsAreSentAsAFormOrAsJson) {
  RecordingServer server;
  Logs logs({{"loss", 0.25}, {"f1", Tensor(std::vector<double>{0.5, 1})}});
  RemoteMonitor({.root = server.root()}).on_epoch_end(3, logs);
  RemoteMonitor(
      {.root = server.root(), .path = "/json", .headers = {{"X-Key", "secret"}}, .send_as_json = true})
      .on_epoch_end(4, logs);
  server.stop();
  ASSERT_EQ(server.requests().size(), 2U);
  const std::string& form = server.requests()[0];
  EXPECT_TRUE(form.starts_with("POST /publish/epoch/end/ HTTP/1.1\r\n")) << form;
  EXPECT_NE(form.find("application/x-www-form-urlencoded"), std::string::npos) << form;
  EXPECT_NE(form.find("data=%7B%22epoch%22%3A"), std::string::npos) << form;
  const std::string& json = server.requests()[1];
  EXPECT_TRUE(json.starts_with("POST /json HTTP/1.1\r\n")) << json;
  EXPECT_NE(json.find("X-Key: secret\r\n"), std::string::npos) << json;
  EXPECT_NE(json.find("Content-Type: application/json\r\n"), std::string::npos) << json;
  const Config object = Config::parse(json.substr(json.find("\r\n\r\n") + 4));
  EXPECT_EQ(object, Config::dict({{"epoch", 4}, {"loss", 0.25}, {"f1", std::vector<double>{0.5, 1}}}));
}

TEST(RemoteMonitorTest, AServerThatIsNotThereIsAWarning) {
  std::string root;
  {
    const RecordingServer server;
    root = server.root();
  }
  std::vector<std::string> messages;
  const LogSink before = set_log_sink([&](const LogMessage& message) { messages.push_back(message.text); });
  Logs logs({{"loss", 0.25}});
  RemoteMonitor({.root = root}).on_epoch_end(0, logs);
  set_log_sink(before);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find(root), std::string::npos) << messages[0];
  EXPECT_THROW(RemoteMonitor({.root = "ftp://host"}).on_epoch_end(0, logs), Error);
  EXPECT_THROW(RemoteMonitor({.root = root, .headers = {{"A", "b\r\nC: d"}}}).on_epoch_end(0, logs), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::callbacks
