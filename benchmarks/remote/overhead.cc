// What a worker adds to gRPC: one step of the Iris program, fifty of them, and large buffers, each beside
// what gRPC itself takes for as many bytes in the same run.
//
//     remote_overhead CORNU [steps|bytes]      the program cornu, which is started as a worker; one of the
//     two parts
#include <echo.grpc.pb.h>
#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/remote/processes.h"
#include "cornu/keras/keras.h"

namespace cornu::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 7;
constexpr int kCalls = 2000;

double seconds(const std::function<void()>& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::unique_ptr<v1::Echo::Stub> connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  return v1::Echo::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

/// Microseconds of a unary call.
double unary(v1::Echo::Stub& stub, std::size_t bytes_there, std::size_t bytes_back) {
  v1::Bytes request, reply;
  request.mutable_data()->resize(bytes_there);
  request.set_wanted(static_cast<std::uint32_t>(bytes_back));
  return 1e6 / kCalls * seconds([&] {
           for (int i = 0; i < kCalls; ++i) {
             grpc::ClientContext context;
             stub.Unary(&context, request, &reply);
           }
         });
}

/// The Iris program as the first document has it, with `steps` steps an execution and one long epoch.
class Iris {
 public:
  explicit Iris(int steps) {
    set_random_seed(1);
    constexpr int kRows = 20 * kCalls;
    std::vector<float> x(kRows * 4);
    std::vector<std::int64_t> y(kRows);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1F * static_cast<float>(i * 13 % 57);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int64_t>(i % 3);
    x_ = Tensor::from<float>({kRows, 4}, x);
    y_ = keras::utils::to_categorical(Tensor::from<std::int64_t>({kRows}, y), {.num_classes = 3});
    model_.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.1}),
                    .loss = "log_cosh",
                    .steps_per_execution = steps});
    run();
  }
  /// Microseconds of a step.
  double run() {
    return model_.fit(x_, y_, {.batch_size = 20, .epochs = 1, .verbose = 0, .shuffle = false})
        .microseconds_per_step();
  }

 private:
  keras::Sequential model_{keras::layers::Dense({.units = 32, .activation = "relu"}),
                           keras::layers::Dense({.units = 3, .activation = "softmax"})};
  Tensor x_, y_;
};

double upload(v1::Echo::Stub& stub, std::size_t num_bytes, std::size_t piece) {
  return seconds([&] {
    grpc::ClientContext context;
    v1::Bytes bytes, reply;
    bytes.mutable_data()->resize(piece);
    const auto writer = stub.Upload(&context, &reply);
    for (std::size_t at = 0; at < num_bytes; at += piece) writer->Write(bytes);
    writer->WritesDone();
    writer->Finish();
  });
}

double download(v1::Echo::Stub& stub, std::size_t num_bytes, std::size_t piece) {
  return seconds([&] {
    grpc::ClientContext context;
    v1::Bytes request, bytes;
    request.set_wanted(static_cast<std::uint32_t>(piece));
    request.set_count(static_cast<std::uint32_t>(num_bytes / piece));
    const auto reader = stub.Download(&context, request);
    while (reader->Read(&bytes)) {
    }
    reader->Finish();
  });
}

void compare_steps(v1::Echo::Stub& stub, const std::string& device) {
  // An execution of the Iris program sends its 20 rows and about 60 bytes of names, and brings back its logs.
  constexpr std::size_t kThere = 20 * 7 * sizeof(float) + 120, kBack = 160;
  double bare = std::numeric_limits<double>::max(), one = bare, fifty = bare, fifty_here = bare;
  Iris here(50);
  const DeviceScope scope(device);
  Iris single(1), many(50);
  for (int round = 0; round < kRounds; ++round) {
    bare = std::min(bare, unary(stub, kThere, kBack));
    one = std::min(one, single.run());
    fifty_here = std::min(fifty_here, here.run());
    fifty = std::min(fifty, many.run());
  }
  fmt::print("unary call of gRPC          {:8.1f} us\n", bare);
  fmt::print("execution of one step       {:8.1f} us   {:.2f} of the call\n", one, one / bare);
  fmt::print("execution of 50 steps       {:8.1f} us\n", 50 * fifty);
  fmt::print("  here, and a call          {:8.1f} us   {:.2f} of it\n", 50 * fifty_here + bare,
             50 * fifty / (50 * fifty_here + bare));
}

void compare_bytes(v1::Echo::Stub& stub, runtime::Client& client) {
  constexpr std::size_t kBytes = std::size_t{256} << 20, kPiece = std::size_t{1} << 20;
  std::vector<float> values(kBytes / sizeof(float), 1.0F);
  const auto buffer = client.allocate({DType::kF32, {static_cast<std::int64_t>(values.size())}});
  std::vector<double> up, down, up_bare, down_bare;
  for (int round = 0; round < kRounds; ++round) {
    up_bare.push_back(upload(stub, kBytes, kPiece));
    up.push_back(seconds([&] { buffer->copy_from_host(values.data()); }));
    down_bare.push_back(download(stub, kBytes, kPiece));
    down.push_back(seconds([&] { buffer->copy_to_host(values.data()); }));
  }
  // The best of each, and the median of the rounds' ratios, which other work on the machine moves less.
  const auto print = [](const char* what, const std::vector<double>& times, const std::vector<double>& bare) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times.size(); ++i) ratios.push_back(100 * bare[i] / times[i]);
    std::nth_element(ratios.begin(), ratios.begin() + kRounds / 2, ratios.end());
    const double best = *std::min_element(times.begin(), times.end()),
                 best_bare = *std::min_element(bare.begin(), bare.end());
    fmt::print(
        "{}   {:6.2f} GB/s, a stream of gRPC {:6.2f} GB/s: {:.0f} % of it (median of rounds {:.0f} %)\n",
        what, kBytes / best / 1e9, kBytes / best_bare / 1e9, 100 * best_bare / best, ratios[kRounds / 2]);
  };
  print("256 MiB there", up, up_bare);
  print("256 MiB back ", down, down_bare);
}

int run(const char* self, const char* program, std::string_view part) {
  const Listener echo({self, "--echo"}), worker({program, "worker", "--listen", "127.0.0.1:0"});
  const auto stub = connect(echo.address());
  const auto client = runtime::make_client("grpc://" + worker.address());
  const std::vector<std::string> names = add_devices(client);
  if (part != "bytes") compare_steps(*stub, names.at(0));
  if (part != "steps") compare_bytes(*stub, *client);
  remove_devices(client);
  return 0;
}

}  // namespace
}  // namespace cornu::benchmarks

int main(int count, char** words) {
  if (count == 2 && std::strcmp(words[1], "--echo") == 0) return cornu::benchmarks::run_echo_server();
  const std::string_view part = count == 3 ? words[2] : "";
  if ((count != 2 && count != 3) || (count == 3 && part != "steps" && part != "bytes")) {
    fmt::print(stderr, "usage: {} PATH_OF_CORNU [steps|bytes]\n", words[0]);
    return 1;
  }
  return cornu::benchmarks::run(words[0], words[1], part);
}
