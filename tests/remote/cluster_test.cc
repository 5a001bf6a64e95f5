/// Clusters that are found and connected: workers in processes, and an API of Kubernetes that is played.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <thread>

#include "cornu/base/error_test_support.h"
#include "cornu/base/loopback_test_support.h"
#include "cornu/data/on_worker.h"
#include "cornu/distribute/cluster_resolver/kubernetes_cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/simple_cluster_resolver.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/io/npz.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/ops.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

using distribute::ClusterSpec;
using distribute::KubernetesClusterResolver;
using distribute::KubernetesOptions;
using distribute::TPUClusterResolver;
using Jobs = std::map<std::string, std::vector<std::string>>;

TEST(ClusterTest, ATpuSystemIsInitializedUsedAndShutDown) {
  const WorkerProcess worker({"--devices", "cpu,sim:tpu_over_network,clock=virtual,sim:ideal"});
  const TPUClusterResolver resolver(worker.address());
  EXPECT_EQ(resolver.num_accelerators().at("TPU"), 1);
  expect_error_text({"initialize_tpu_system"}, [] { const DeviceScope scope("TPU:0"); });
  expect_error_text({"was not initialized"}, [&] { shutdown_tpu_system(resolver); });
  const distribute::TpuTopology topology = initialize_tpu_system(resolver);
  ASSERT_EQ(topology.devices.size(), 1U);
  EXPECT_EQ(topology.devices[0].name, "/device:TPU:0");
  EXPECT_EQ(list_logical_devices("TPU").size(), 1U);
  EXPECT_EQ(initialize_tpu_system(resolver).devices.size(), 1U) << "again it does nothing";
  const Tensor product = with_device("/job:worker/task:0/device:TPU:0", [] {
    return ops::matmul(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
                       Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
  });
  EXPECT_EQ(product.to_vector<float>(), (std::vector<float>{22, 28, 49, 64}));
  shutdown_tpu_system(resolver);
  EXPECT_TRUE(list_logical_devices("TPU").empty());
}

TEST(ClusterTest, TheProgramsOfTheGuideRun) {
  const WorkerProcess worker({"--devices", "sim:tpu_over_network,clock=virtual"});
  const std::string& address = worker.address();
  setenv("TPU_NAME", address.c_str(), 1);
  {
    const distribute::TPUClusterResolver resolver("");  // at COLAB_TPU_ADDR, or else TPU_NAME
    distribute::connect_to_cluster(resolver);
    distribute::initialize_tpu_system(resolver);
    const std::vector<LogicalDevice> tpus = list_logical_devices("TPU");  // "/device:TPU:0", ...
    const DeviceScope scope("/TPU:0");
    EXPECT_EQ(tpus.size(), 1U);
    EXPECT_EQ((Tensor::of<float>({1}, {2}) * 3.0).device(), "/job:localhost/replica:0/task:0/device:TPU:0");
    distribute::shutdown_tpu_system(resolver);
  }
  unsetenv("TPU_NAME");
  const std::vector<std::string> names = distribute::connect_to_host(address);  // "10.0.0.2:8470"
  const DeviceScope scope(names[0]);
  EXPECT_EQ((Tensor::of<float>({1}, {2}) * 3.0).to_vector<float>().at(0), 6);
  distribute::shutdown_tpu_system(TPUClusterResolver(address));
}

TEST(ClusterTest, TheChaptersFilesAreOpenedByTheWorker) {
  const WorkerFiles folder;
  std::vector<float> x(96), y(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1F * static_cast<float>(i % 17);
  const std::vector<std::int64_t> x_dims = {32, 3}, y_dims = {32, 1};
  const auto view = [](const std::vector<float>& values, const std::vector<std::int64_t>& dims) {
    return io::ArrayView(io::ElementType::kF32, dims, std::as_bytes(std::span(values)));
  };
  io::write_npz(folder.file("digits.npz"), std::vector<std::pair<std::string, io::ArrayView>>{
                                               {"x", view(x, x_dims)}, {"y", view(y, y_dims)}});
  const WorkerProcess worker({"--data-root", folder.file("")});
  const std::vector<std::string> names = distribute::connect_to_host(worker.address());
  {
    keras::Sequential model({keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = "sgd", .loss = "mse"});
    const DeviceScope scope(names[0]);
    // /srv/data/digits.npz
    const std::vector<Tensor> digits = data::on_worker("digits.npz", {.names = {"x", "y"}});
    model.fit(digits[0], digits[1], {.batch_size = 32, .epochs = 2, .verbose = 0});
    EXPECT_EQ(digits[0].device(), names[0]);
  }
  distribute::shutdown_tpu_system(TPUClusterResolver(worker.address()));
}

TEST(ClusterTest, TheChaptersWorkersTrainOneModel) {
  const WorkerProcess one({"--threads", "1"}), two({"--threads", "1"});
  const std::string &first = one.address(), &second = two.address();
  {
    const std::map<std::string, std::vector<std::string>> jobs = {{"worker", {first, second}}};
    distribute::connect_to_cluster(distribute::ClusterSpec(jobs));
    const distribute::MirroredStrategy strategy(
        {.devices = {"/job:worker/task:0/device:CPU:0", "/job:worker/task:1/device:CPU:0"}});
    EXPECT_EQ(strategy.num_replicas_in_sync(), 2);
    const auto scope = strategy.scope();
    keras::Sequential model({keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = "sgd", .loss = "mse"});
    const Tensor x = Tensor::of<float>({4, 1}, {1, 2, 3, 4});
    const auto losses = model.fit(x, x * 2.0, {.batch_size = 4, .epochs = 3, .verbose = 0})["loss"];
    EXPECT_LT(losses.back(), losses.front());
  }
  distribute::shutdown_tpu_system(TPUClusterResolver(first + "," + second));
}

TEST(ClusterTest, SeveralWorkersAreOneTpuSystem) {
  const std::vector<std::string> devices = {"--devices", "sim:tpu_over_network,clock=virtual"};
  const WorkerProcess first(devices), second(devices), other({"--devices", "cpu"});
  const TPUClusterResolver resolver(first.address() + "," + second.address());
  const ClusterSpec cluster = resolver.cluster_spec();
  EXPECT_EQ(cluster.as_map().at("worker").size(), 2U);
  EXPECT_EQ(resolver.num_accelerators({.task_id = 1}).at("TPU"), 1);
  expect_error_text({"has no TPU, but: "}, [&] {
    initialize_tpu_system(TPUClusterResolver(first.address() + "," + other.address()));
  });
  EXPECT_TRUE(list_logical_devices("TPU").empty()) << "all or none";
  const distribute::TpuTopology topology = initialize_tpu_system(resolver);
  EXPECT_EQ(topology.num_tasks, 2);
  EXPECT_EQ(topology.num_tpu_devices_per_task, 1);
  EXPECT_EQ(list_logical_devices("TPU").size(), 2U);
  const DeviceScope scope("/job:worker/replica:0/task:1/device:TPU:0");
  EXPECT_EQ((Tensor::of<float>({1}, {2}) * 3.0).device(), "/job:localhost/replica:0/task:0/device:TPU:1");
  expect_error_text(
      {"devices of several workers run programs together where they are the workers' CPU engines"},
      [&] { distribute::TPUStrategy strategy(resolver); });
  shutdown_tpu_system(resolver);
  EXPECT_TRUE(list_logical_devices("TPU").empty());
}

TEST(ClusterTest, ALateInitializationIsRefused) {
  const WorkerProcess worker({"--devices", "sim:tpu_over_network,clock=virtual"});
  const Connected early(worker.url());
  expect_error_text({"call it first, before devices are listed, connected or used"},
                    [&] { initialize_tpu_system(TPUClusterResolver(worker.address())); });
}

TEST(ClusterTest, AWorkerWithoutATpuIsNoTpuSystem) {
  const WorkerProcess worker;
  expect_error_text({"has no TPU, but: "},
                    [&] { initialize_tpu_system(TPUClusterResolver(worker.address())); });
  expect_error_text({"cannot be spoken to"},
                    [] { initialize_tpu_system(TPUClusterResolver("127.0.0.1:1")); });
  EXPECT_TRUE(list_logical_devices("TPU").empty());
}

TEST(ClusterTest, ASimulatedDeviceOfThisProcessPlaysATpu) {
  const TPUClusterResolver resolver("sim:tpu_over_network,clock=virtual");
  EXPECT_EQ(initialize_tpu_system(resolver).num_tpu_devices_per_task, 1);
  shutdown_tpu_system(resolver);
}

TEST(ClusterTest, ASecondTpuSystemIsRefusedUntilTheFirstIsShutDown) {
  const WorkerProcess worker({"--devices", "sim:tpu_over_network,clock=virtual"});
  const TPUClusterResolver first("sim:tpu_over_network,clock=virtual");
  EXPECT_EQ(initialize_tpu_system(first).devices.size(), 1U);
  EXPECT_EQ(initialize_tpu_system(first).devices.size(), 1U) << "again it does nothing";
  for (const std::string& second :
       {std::string("sim:tpu_8_cores,clock=virtual"), worker.address(), std::string("local")})
    expect_error_text({"one TPU system", "sim:tpu_over_network", "shutdown_tpu_system"},
                      [&] { initialize_tpu_system(TPUClusterResolver(second)); });
  EXPECT_EQ(list_logical_devices("TPU").size(), 1U);
  shutdown_tpu_system(first);
  const TPUClusterResolver second("sim:tpu_8_cores,clock=virtual");
  EXPECT_EQ(initialize_tpu_system(second).devices.size(), 8U);
  shutdown_tpu_system(second);
}

TEST(ClusterTest, AllTasksOfAClusterAreConnectedOrNone) {
  const WorkerProcess first, second({"--devices", "cpu,cpu"});
  const distribute::SimpleClusterResolver resolver(
      ClusterSpec(Jobs{{"worker", {first.address(), second.address()}}}));
  const std::vector<std::string> names = connect_to_cluster(resolver);
  EXPECT_EQ(names.size(), 3U);
  const std::vector<std::string> of_second = distribute::connect_to_host(second.address());
  ASSERT_EQ(of_second.size(), 2U);
  EXPECT_EQ(canonical_device_name("/job:worker/replica:0/task:1/device:CPU:1"), of_second[1]);
  EXPECT_EQ(canonical_device_name("/job:worker/task:0/device:CPU:0"),
            distribute::connect_to_host(first.address()).at(0));
  EXPECT_EQ(canonical_device_name("/job:localhost/task:0/device:CPU:0"),
            "/job:localhost/replica:0/task:0/device:CPU:0");
  expect_error_text({"there is no device"}, [] { canonical_device_name("/job:worker/task:1/device:CPU:2"); });
  expect_error_text({"there is no device"}, [] { canonical_device_name("/job:worker/task:2/device:CPU:0"); });
  for (const std::string& name : names)
    EXPECT_EQ(with_device(name, [] { return Tensor::of<float>({1}, {2}) * 3.0; }).to_vector<float>().at(0),
              6);
  expect_error_text({"task 1 of job \"worker\""}, [&] {
    connect_to_cluster(ClusterSpec(Jobs{{"worker", {first.address(), "127.0.0.1:1"}}}));
  });
  connect_to_cluster(resolver);
  EXPECT_EQ(canonical_device_name("/job:worker/replica:0/task:1/device:CPU:1"), of_second[1])
      << "they have the same names again";
  const WorkerProcess third;
  const std::vector<std::string> of_third =
      connect_to_cluster(ClusterSpec(Jobs{{"worker", {third.address()}}}));
  EXPECT_EQ(canonical_device_name("/job:worker/task:0/device:CPU:0"), of_third.at(0))
      << "the cluster that was connected last has the names";
  distribute::shutdown_tpu_system(
      TPUClusterResolver(first.address() + "," + second.address() + "," + third.address()));
}

TEST(ClusterTest, AProcessConnectsAllTasksButItsOwnInTheirOrder) {
  const WorkerProcess one, two;
  const std::string smaller = std::min(one.address(), two.address()),
                    larger = std::max(one.address(), two.address());
  const TPUClusterResolver both(larger + "," + smaller);
  const std::vector<std::string> names = connect_to_cluster(both);
  ASSERT_EQ(names.size(), 2U) << "a client of TPUs is none of their tasks";
  for (const int task : {0, 1})
    EXPECT_EQ(canonical_device_name("/job:worker/task:" + std::to_string(task) + "/device:CPU:0"),
              names[static_cast<std::size_t>(task)]);
  const distribute::SimpleClusterResolver of_chief(
      ClusterSpec(Jobs{{"chief", {"127.0.0.1:1"}}, {"worker", {smaller}}}),
      {.task_type = "chief", .task_id = 0});
  EXPECT_EQ(connect_to_cluster(of_chief).size(), 1U) << "the only task of its job is this process";
  distribute::shutdown_tpu_system(both);
}

TEST(ClusterTest, AWorkerThatComesBackWithOtherDevicesKeepsTheNamesOfItsTask) {
  ReturningWorker returning({"--devices", "cpu"});
  const std::string address = returning.worker->address();
  connect_to_cluster(ClusterSpec(Jobs{{"worker", {address}}}));
  {
    const DeviceScope scope("/job:worker/task:0/device:CPU:0");
    const auto six = [] { return (Tensor::of<float>({1}, {2}) * 3.0).to_vector<float>().at(0); };
    EXPECT_EQ(six(), 6);
    returning.arguments = {"--devices", "cpu,cpu"};
    returning.kill_and_start_again();
    EXPECT_NE(error_text_of([&] { (void)six(); }), "no error");
  }
  const std::vector<std::string> names = distribute::connect_to_host(address);
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(canonical_device_name("/job:worker/task:0/device:CPU:1"), names[1]);
  distribute::shutdown_tpu_system(TPUClusterResolver(address));
}

TEST(ClusterTest, AWorkerThatWasStartedAgainIsConnectedAgainUnderItsNames) {
  ReturningWorker returning;
  const std::string address = returning.worker->address();
  const std::vector<std::string> names = distribute::connect_to_host(address);
  {
    const DeviceScope scope(names.at(0));
    const auto six = [] { return Tensor::of<float>({1}, {2}) * 3.0; };
    const Tensor before = six();
    returning.kill_and_start_again();
    EXPECT_NE(error_text_of([&] { (void)six().to_vector<float>(); }), "no error");
    EXPECT_EQ(distribute::connect_to_host(address), names);
    const Tensor after = six();
    EXPECT_EQ(after.to_vector<float>().at(0), 6);
    expect_error_text({"was lost with the link to it"}, [&] { (void)before.to_vector<float>(); });
    EXPECT_EQ(distribute::connect_to_host(address), names);
    EXPECT_EQ(after.to_vector<float>().at(0), 6) << "it was there, so nothing was connected again";
    returning.arguments = {"--devices", "cpu,cpu"};
    returning.kill_and_start_again();
    EXPECT_NE(error_text_of([&] { (void)six().to_vector<float>(); }), "no error");
    EXPECT_EQ(distribute::connect_to_host(address).size(), 2U) << "it has other devices now";
    EXPECT_EQ(six().to_vector<float>().at(0), 6);
  }
  distribute::shutdown_tpu_system(TPUClusterResolver(address));
}

TEST(ClusterTest, AStrategyGoesOnWhenItsClusterIsConnectedAgain) {
  ReturningWorker one({"--threads", "1"}), two({"--threads", "1"});
  const std::string first = one.worker->address(), second = two.worker->address();
  const ClusterSpec cluster(Jobs{{"worker", {first, second}}});
  distribute::connect_to_cluster(cluster);
  {
    const distribute::MirroredStrategy strategy(
        {.devices = {"/job:worker/task:0/device:CPU:0", "/job:worker/task:1/device:CPU:0"}});
    const auto losses_of_new_model = [&] {
      const auto scope = strategy.scope();
      set_random_seed(11);
      keras::Sequential model({keras::layers::Dense({.units = 1})});
      model.compile({.optimizer = "sgd", .loss = "mse"});
      const Tensor x = Tensor::of<float>({4, 1}, {1, 2, 3, 4});
      return model.fit(x, x * 2.0, {.batch_size = 4, .epochs = 3, .verbose = 0})["loss"];
    };
    const std::vector<double> losses = losses_of_new_model();
    two.kill_and_start_again();
    EXPECT_NE(error_text_of([&] { (void)losses_of_new_model(); }), "no error");
    distribute::connect_to_cluster(cluster);
    EXPECT_EQ(losses_of_new_model(), losses);
  }
  distribute::shutdown_tpu_system(TPUClusterResolver(first + "," + second));
}

/// Answers each request with one text, and keeps what was asked.
class FakeApi {
 public:
  FakeApi(std::string status, std::string body) : status_(std::move(status)), body_(std::move(body)) {
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeApi() {
    listener_.stop();
    thread_.join();
  }
  FakeApi(const FakeApi&) = delete;
  FakeApi& operator=(const FakeApi&) = delete;
  std::string server() const { return "http://" + listener_.host(); }
  std::string asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void serve() {
    for (int link = listener_.accept_one(); link >= 0; link = listener_.accept_one()) {
      std::string request;
      char bytes[4096];
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t count = read(link, bytes, sizeof bytes);
        if (count <= 0) break;
        request.append(bytes, static_cast<std::size_t>(count));
      }
      {
        const std::lock_guard lock(mutex_);
        asked_ += request;
      }
      const std::string reply = "HTTP/1.1 " + status_ +
                                "\r\nConnection: close\r\nContent-Length: " + std::to_string(body_.size()) +
                                "\r\n\r\n" + body_;
      (void)!write(link, reply.data(), reply.size());
      close(link);
    }
  }

  std::string status_, body_, asked_;
  LoopbackListener listener_;
  std::mutex mutex_;
  std::thread thread_;
};

constexpr const char* kPods = R"({"kind": "PodList", "items": [
  {"metadata": {"name": "w-1"}, "status": {"phase": "Running", "hostIP": "10.0.0.2"}},
  {"metadata": {"name": "w-0"}, "status": {"phase": "Running", "hostIP": "10.0.0.1"}}]})";

class KubernetesTest : public testing::Test {
 protected:
  /// A configuration with one cluster and one user.
  KubernetesOptions options(const std::string& server, const std::string& user = "token: secret-7") const {
    const std::string path =
        folder_.write("config",
                      "apiVersion: v1\ncurrent-context: here\ncontexts:\n- name: here\n  context: {cluster: "
                      "c, user: u}\nclusters:\n- name: c\n  cluster:\n    server: " +
                          server + "\nusers:\n- name: u\n  user:\n    " + user + "\n");
    return {.job_to_label_mapping = {{"worker", {"job-name=w,tier!=x"}}},
            .access = {.config_file = path, .timeout_ms = 2000}};
  }
  void expect_spec_refused(const KubernetesOptions& options, const std::string& part) const {
    const std::string text = error_text_of([&] { (void)KubernetesClusterResolver(options).cluster_spec(); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  }
  WorkerFiles folder_;
};

TEST_F(KubernetesTest, PodsAreTasksInTheOrderOfTheirNames) {
  FakeApi api("200 OK", kPods);
  const KubernetesClusterResolver resolver(options(api.server()));
  EXPECT_EQ(resolver.cluster_spec(), ClusterSpec(Jobs{{"worker", {"10.0.0.1:8470", "10.0.0.2:8470"}}}));
  EXPECT_EQ(resolver.master(), "");
  EXPECT_EQ(resolver.master({.task_type = "worker", .task_id = 1}), "grpc://10.0.0.2:8470");
  EXPECT_NE(api.asked().find("GET /api/v1/pods?labelSelector=job-name%3Dw%2Ctier%21%3Dx HTTP/1.1"),
            std::string::npos)
      << api.asked();
  EXPECT_NE(api.asked().find("Authorization: Bearer secret-7"), std::string::npos);
}

TEST_F(KubernetesTest, APodThatDoesNotRunIsNamed) {
  const FakeApi api("200 OK",
                    R"({"items": [{"metadata": {"name": "w-0"}, "status": {"phase": "Pending"}}]})");
  expect_spec_refused(options(api.server()),
                      "pod \"w-0\" of job \"worker\" is not running, its phase is Pending");
}

TEST_F(KubernetesTest, AnswersThatAreNone) {
  const std::tuple<const char*, const char*, const char*> answers[] = {
      {"200 OK", R"({"items": []})", "no pod has the labels"},
      {"200 OK", "<html>", "is not a list of pods"},
      {"200 OK", R"({"items": 3})", "is not a list of pods"},
      {"200 OK", R"({"items": [3]})", "is not running"},
      {"401 Unauthorized", "", "rejects this login (HTTP 401)"},
      {"302 Found", "", "answers with HTTP 302"},
      {"500 Internal Server Error", "", "answers with HTTP 500"}};
  for (const auto& [status, body, part] : answers) {
    const FakeApi api(status, body);
    expect_spec_refused(options(api.server()), part);
  }
  expect_spec_refused(options("http://127.0.0.1:1"), "does not answer");
}

TEST_F(KubernetesTest, OfSeveralFilesTheFirstThatSetsAValueCounts) {
  FakeApi api("200 OK", kPods);
  KubernetesOptions of_all = options(api.server());
  const std::string whole = of_all.access.config_file;
  const std::string user_alone = folder_.write("user", "users:\n- name: u\n  user:\n    tokenFile: token\n");
  folder_.write("token", "secret-8\n");
  of_all.access.config_file.clear();
  const auto expect_login = [&](const std::string& variable, const std::string& token) {
    setenv("KUBECONFIG", variable.c_str(), 1);
    EXPECT_EQ(KubernetesClusterResolver(of_all).cluster_spec().num_tasks("worker"), 2);
    EXPECT_NE(api.asked().find("Authorization: Bearer " + token), std::string::npos) << variable;
  };
  expect_login(folder_.file("missing") + ":" + whole, "secret-7");
  expect_login(user_alone + "::" + whole + ":", "secret-8");
  setenv("KUBECONFIG", (folder_.file("missing") + ":" + user_alone).c_str(), 1);
  expect_spec_refused(of_all, "user\" cannot be used: it has no current-context");
  unsetenv("KUBECONFIG");
}

TEST_F(KubernetesTest, ConfigurationsThatCannotBeUsed) {
  expect_spec_refused(options("http://10.0.0.1"), "without TLS; the server must begin with https://");
  expect_spec_refused(options("http://h", "exec: {command: rm}"), "logs in by a program, which is not run");
  expect_spec_refused(options("http://h", "client-key-data: '*'"), "client-key-data is not in base64");
  KubernetesOptions other = options("http://h");
  other.access.context = "there";
  expect_spec_refused(other, "its contexts have no \"there\"");
  other.access = {.config_file = folder_.write("bad", "a: [1, 2\nb: }")};
  expect_spec_refused(other, "bad:2:");
  other.access = {.config_file = folder_.write("alias", "a: &x [1]\nb: [*x, *x]")};
  expect_spec_refused(other, "without references is expected");
  other.access = {.config_file = folder_.write("deep", std::string(1000, '['))};
  expect_spec_refused(other, "nested too deeply");
  other.access = {.config_file = folder_.write("empty", "")};
  expect_spec_refused(other, "it has no current-context");
  other.access = {.config_file = folder_.file("none")};
  expect_spec_refused(other, "none\": give config_file");
  expect_error_text({"must have at least one job"},
                    [] { KubernetesClusterResolver({.job_to_label_mapping = {}}); });
  expect_error_text({"needs a selector"},
                    [] { KubernetesClusterResolver({.job_to_label_mapping = {{"w", {}}}}); });
}

}  // namespace
}  // namespace cornu::inline v0
