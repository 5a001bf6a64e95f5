#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"

// A worker in a process of its own, and clients that train on it.
namespace cornu::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;

/// A process of `cornu worker` that ends with this object.
class WorkerProcess {
 public:
  explicit WorkerProcess(std::vector<std::string> more = {}, std::string port = "0") {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::vector<std::string> words = {std::getenv("CORNU_PROGRAM"), "worker", "--listen",
                                      "127.0.0.1:" + port};
    words.insert(words.end(), more.begin(), more.end());
    id_ = fork();
    if (id_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
    // "worker 0.1.0 listens on 127.0.0.1:38123, ..."
    char line[200] = {};
    if (std::fgets(line, sizeof line, out_) == nullptr) throw std::runtime_error("the worker did not start");
    const std::string text = line;
    const std::size_t begin = text.find("127.0.0.1:");
    address_ = text.substr(begin, text.find_first_of(",\n", begin) - begin);
  }
  ~WorkerProcess() {
    if (id_ > 0) end(SIGKILL);
    std::fclose(out_);
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  const std::string& address() const { return address_; }
  std::string port() const { return address_.substr(address_.find(':') + 1); }
  std::string url(const std::string& more = "") const { return "grpc://" + address_ + more; }
  void signal(int number) const { kill(id_, number); }
  /// Sends the signal and returns the exit code, or minus the signal that it died of.
  int end(int number) {
    kill(id_, number);
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t id_ = -1;
  FILE* out_ = nullptr;
  std::string address_;
};

/// The devices of a client as long as this object lives.
struct Connected {
  std::shared_ptr<runtime::Client> client;
  std::string name;
  explicit Connected(const std::string& url)
      : client(runtime::make_client(url)), name(add_devices(client).at(0)) {}
  ~Connected() { remove_devices(client); }
};

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

struct Data {
  Tensor x, y;
  Data() {
    std::vector<float> values(300);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i % 17);
    x = Tensor::from<float>({100, 3}, values);
    y = Tensor::from<float>({100, 1}, std::vector<float>(values.begin(), values.begin() + 100));
  }
};

keras::Sequential make_model() {
  set_random_seed(3);
  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::Dropout({.rate = 0.25}), keras::layers::Dense({.units = 1})});
  model.build({keras::kUnknown, 3});
  return model;
}

keras::CompileOptions options() {
  return {.optimizer = "adam", .loss = "mse", .steps_per_execution = 4, .seed = 5};
}

TEST(RemoteTest, AModelTrainsThereToTheBitsOfTheCpu) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const Data data;
  keras::Sequential here = make_model(), there = make_model();
  here.compile(options());
  const auto local = here.fit(data.x, data.y, {.batch_size = 8, .epochs = 3, .verbose = 0});
  const runtime::CallCounts before = remote.client->counts();
  const DeviceScope scope(remote.name);
  there.compile(options());
  const auto distant = there.fit(data.x, data.y, {.batch_size = 8, .epochs = 3, .verbose = 0});
  EXPECT_EQ(distant["loss"], local["loss"]);
  EXPECT_EQ(remote.client->counts().since(before).executions.items, 3 * 13) << "13 steps an epoch";
  EXPECT_EQ(there.predict(data.x, {.verbose = 0})[0].to_vector<float>(),
            here.predict(data.x, {.verbose = 0})[0].to_vector<float>());
}

TEST(RemoteTest, OperationsAndFunctionsRunThereAndStayThere) {
  const WorkerProcess worker;
  const Connected remote(worker.url("/CPU:0"));
  const DeviceScope scope(remote.name);
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(ops::matmul(x, x).to_vector<float>(), (std::vector<float>{7, 10, 15, 22}));
  const auto twice = function([](const Tensor& value) { return value * 2.0; });
  EXPECT_EQ(twice(twice(x)).to_vector<float>(), (std::vector<float>{4, 8, 12, 16}));
}

TEST(RemoteTest, LargeBuffersGoInPieces) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const std::size_t count = 20'000'003;  // 80 MB: six pieces
  std::vector<float> values(count), back(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1000003);
  const auto buffer = remote.client->allocate({DType::kF32, {static_cast<std::int64_t>(count)}});
  buffer->copy_from_host(values.data());
  buffer->copy_to_host(back.data());
  EXPECT_EQ(back, values);
}

TEST(RemoteTest, AWorkerThatIsKilledIsAnErrorWithinTheKeepAlive) {
  WorkerProcess worker;
  const Connected remote(worker.url());
  const auto buffer = remote.client->allocate({DType::kF32, {4}});
  const std::vector<float> values(4);
  buffer->copy_from_host(values.data());
  const std::string port = worker.port();
  worker.end(SIGKILL);
  const auto start = Clock::now();
  EXPECT_NE(error_of([&] { buffer->copy_from_host(values.data()); }).find("does not answer"),
            std::string::npos);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(6));
  // One that is restarted does not know the session.
  const WorkerProcess another({}, port);
  std::string error;
  for (int i = 0; i < 50 && error.find("no such session") == std::string::npos; ++i) {
    error = error_of([&] { buffer->copy_from_host(values.data()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_NE(error.find("no such session"), std::string::npos) << error;
}

TEST(RemoteTest, AWorkerThatHangsIsAnErrorWithinTheKeepAlive) {
  WorkerProcess worker;
  const Connected remote(worker.url(",keep_alive=1"));
  const auto buffer = remote.client->allocate({DType::kF32, {4}});
  const std::vector<float> values(4);
  buffer->copy_from_host(values.data());
  worker.signal(SIGSTOP);
  const auto start = Clock::now();
  EXPECT_NE(error_of([&] { buffer->copy_from_host(values.data()); }).find("does not answer"),
            std::string::npos);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(3));
  worker.signal(SIGCONT);
}

TEST(RemoteTest, ATokenIsAskedForAndNeverShown) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("remote_test_{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "right") << "secret-123\n";
  std::ofstream(folder / "wrong") << "secret-124\n";
  const WorkerProcess worker({"--token-file", (folder / "right").string()});
  const std::string none = error_of([&] { runtime::make_client(worker.url()); }),
                    wrong = error_of([&] {
                      runtime::make_client(worker.url(",token_file=" + (folder / "wrong").string()));
                    });
  EXPECT_NE(none.find("the token is missing or is another one"), std::string::npos) << none;
  EXPECT_NE(wrong.find("the token is missing or is another one"), std::string::npos) << wrong;
  EXPECT_EQ((none + wrong).find("secret"), std::string::npos);
  EXPECT_EQ(error_of([&] { runtime::make_client(worker.url(",token_file=" + (folder / "right").string())); }),
            "no error");
  std::filesystem::remove_all(folder);
}

TEST(RemoteTest, LimitsOfMemoryAndClientsAreKept) {
  const WorkerProcess worker({"--memory-limit", "1000", "--max-clients", "1"});
  const Connected remote(worker.url());
  EXPECT_NE(error_of([&] { runtime::make_client(worker.url()); }).find("as many as it takes"),
            std::string::npos);
  const std::vector<float> values(240);
  auto first = remote.client->allocate({DType::kF32, {240}});
  first->copy_from_host(values.data());
  const auto second = remote.client->allocate({DType::kF32, {240}});
  EXPECT_NE(error_of([&] { second->copy_from_host(values.data()); }).find("960 are taken"),
            std::string::npos);
  first.reset();
  EXPECT_EQ(error_of([&] { second->copy_from_host(values.data()); }), "no error")
      << "what is released is free";
}

TEST(RemoteTest, AWorkerDrainsWhenItIsToldTo) {
  WorkerProcess worker;
  const Connected remote(worker.url());
  EXPECT_EQ(worker.end(SIGTERM), 0);
}

TEST(RemoteTest, WrongAddressesSayWhatWouldWork) {
  EXPECT_NE(error_of([] { runtime::make_client("grpc://localhost"); }).find("write grpc://HOST:PORT"),
            std::string::npos);
  EXPECT_NE(error_of([] { runtime::make_client("grpc://h:1,token=x"); }).find("token_file"),
            std::string::npos);
  EXPECT_NE(error_of([] { runtime::make_client("grpc://127.0.0.1:1"); }).find("does not answer"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0
