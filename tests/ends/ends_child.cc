// ends_child MODE [ARGUMENT]: what ends_test.cc starts and watches. It exits with 0, and says on stdout what
// it found.
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <string>
#include <thread>

#include "cornu/data/images/images.h"
#include "cornu/keras/keras.h"
#include "cornu/runtime/client.h"

using namespace cornu;

namespace {

float product() {
  const Tensor a = ops::ones({192, 192});
  return ops::sum(ops::matmul(a, a)).item<float>();
}

/// By oneDNN: too large a kernel for Winograd.
float convolution() {
  const Tensor image = ops::ones({8, 16, 16, 16}), kernel = ops::ones({5, 5, 16, 16});
  return ops::sum(ops::conv(image, kernel)).item<float>();
}

/// By all that keeps something for the thread: tables of operations, working memory, recorders, oneDNN's
/// stream.
void compute() {
  const Variable x(ops::ones({4}).literal());
  GradientTape tape;
  const Tensor y = ops::sum(ops::softmax(x.value() * x.value()));
  const Tensor gradient = tape.gradient(y, x);
  std::printf("%g %g %g %g\n", static_cast<double>(y.item<float>()), static_cast<double>(gradient.at(0)),
              static_cast<double>(product()), static_cast<double>(convolution()));
  std::fflush(stdout);
}

keras::Sequential deep_model(int depth) {
  keras::Sequential model;
  for (int i = 0; i < depth; ++i) model.add(keras::layers::Dense({.units = 8 + i, .activation = "tanh"}));
  // Takes rows together: partial batches need a program of their own, which is compiled beside the first
  // steps.
  model.add(keras::layers::Lambda([](const Tensor& x) { return x - ops::mean(x, {.axis = 0}); }));
  model.add(keras::layers::Dense({.units = 1}));
  model.compile({.optimizer = "adam", .loss = "mse"});
  return model;
}

int num_threads() {
  int count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
    count += thread.exists() ? 1 : 0;
  return count;
}

int exit_while_compiling() {
  keras::Sequential model = deep_model(24);
  const Tensor x = ops::ones({37, 8}), y = ops::ones({37, 1});
  keras::callbacks::LambdaCallback leave({.on_train_batch_end = [](const auto&, auto&) { std::exit(0); }});
  model.fit(x, y, {.batch_size = 16, .verbose = 0, .callbacks = {&leave}});
  return 1;
}

int compile_in_a_thread_at_exit() {
  std::thread([] {
    for (int depth = 1;; ++depth) {
      keras::Sequential model = deep_model(depth % 7 + 1);
      model.fit(ops::ones({16, 8}), ops::ones({16, 1}), {.verbose = 0});
    }
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  return 0;
}

struct ComputesAtItsEnd {
  bool enabled = false;
  ~ComputesAtItsEnd() {
    if (enabled) compute();
  }
} computes_at_its_end;

int compute_at_the_end() {
  computes_at_its_end.enabled = true;
  compute();
  std::atexit(&compute);
  return 0;
}

int leave_main_by_pthread_exit(const char* who_is_first) {
  if (std::string(who_is_first) == "main") product();
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    product();
    std::puts("thread done");
    std::fflush(stdout);
  }).detach();
  pthread_exit(nullptr);
}

int take_sigterm_by_waiting() {
  set_cpu_options({.num_threads = 3});
  product();
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  kill(getpid(), SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  int taken = 0;
  sigwait(&set, &taken);
  std::puts(taken == SIGTERM ? "took SIGTERM" : "took another");
  return 0;
}

int replace_clients() {
  const Variable x(ops::ones({4}).literal());
  const auto doubled = function([&](const Tensor& t) { return t + x.value(); });
  for (int i = 0; i < 60; ++i) {
    set_cpu_options({.num_threads = 2 + i % 2});
    product();
    doubled(ops::ones({4}));
  }
  std::printf("%d threads\n", num_threads());
  return 0;
}

/// Compiles under each of many limits of memory, in a process each; says how those ended.
int compile_without_memory() {
  std::map<std::string, int> ends;
  for (int point = 0; point < 64; ++point) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      set_cpu_options({.num_threads = 1});
      const auto step = function([](const Tensor& t) { return ops::softmax(ops::tanh(t) * 2.0F); });
      const auto other = function([](const Tensor& t) { return ops::conv(t, ops::ones({5, 5, 16, 16})); });
      const Tensor row = ops::ones({3, 5}), image = ops::ones({8, 16, 16, 16});
      rlimit before;
      getrlimit(RLIMIT_AS, &before);
      long pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      rlimit limit = before;
      limit.rlim_cur = static_cast<rlim_t>(pages) * 4096 + static_cast<rlim_t>(point) * 2600000;
      setrlimit(RLIMIT_AS, &limit);
      int refused = 0;
      const auto tried = [&](const auto& call) {
        try {
          call();
        } catch (const Error& error) {
          if (error.code() != ErrorCode::kResourceExhausted) std::_Exit(3);
          ++refused;
        } catch (const std::bad_alloc&) {
          ++refused;  // not even enough for the call
        }
      };
      tried([&] { step(row); });
      tried([&] { other(image); });
      setrlimit(RLIMIT_AS, &before);
      step(row);  // what was refused leaves nothing broken behind
      other(image);
      std::_Exit(refused > 0 ? 2 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ++ends[WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                               : "exit " + std::to_string(WEXITSTATUS(status))];
  }
  for (const auto& [end, count] : ends) std::printf("%s: %d\n", end.c_str(), count > 0);
  return 0;
}

/// Goes where a decoy lies, with the library's own folder gone, and needs oneDNN.
/// Whether `work` says that there is no module for it; none is there.
template <typename F>
const char* without_module(const F& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string text = error.what();
    return text.find("cannot be told") != std::string::npos || text.find("is neither in") != std::string::npos
               ? "refused"
               : "another error";
  }
  return "it worked";
}

int look_for_modules(const char* folder) {
  std::filesystem::remove_all("lib");
  std::filesystem::current_path(folder);
  std::printf("%g\n", static_cast<double>(convolution()));
  std::puts(without_module([] { runtime::make_client("grpc://localhost:1/cpu"); }));
  std::puts(without_module([] { data::decode_image("\x89PNG\r\n\x1a\n and more"); }));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const char* const argument = argc > 2 ? argv[2] : "";
  if (mode == "exit_while_compiling") return exit_while_compiling();
  if (mode == "compile_in_a_thread_at_exit") return compile_in_a_thread_at_exit();
  if (mode == "compute_at_the_end") return compute_at_the_end();
  if (mode == "leave_main_by_pthread_exit") return leave_main_by_pthread_exit(argument);
  if (mode == "take_sigterm_by_waiting") return take_sigterm_by_waiting();
  if (mode == "replace_clients") return replace_clients();
  if (mode == "compile_without_memory") return compile_without_memory();
  if (mode == "look_for_modules") return look_for_modules(argument);
  return 64;
}
