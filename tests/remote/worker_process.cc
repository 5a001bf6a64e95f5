#include "tests/remote/worker_process.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "cornu/base/error.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0 {

WorkerProcess::WorkerProcess(std::vector<std::string> more, const std::string& port) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> words = {std::getenv("CORNU_PROGRAM"), "worker", "--listen", "127.0.0.1:" + port};
  words.insert(words.end(), more.begin(), more.end());
  id_ = fork();
  if (id_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it is not to outlive a test that crashes
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  out_ = fdopen(ends[0], "r");
  // "worker 0.1.0 listens on 127.0.0.1:38123, ..."; a warning may stand before it.
  char line[500] = {};
  while (std::fgets(line, sizeof line, out_) != nullptr) {
    const std::string text = line;
    first_line_ += text;
    constexpr std::string_view kSays = "listens on ";
    const std::size_t said = text.find(kSays);
    if (said == std::string::npos) continue;
    const std::size_t begin = said + kSays.size();
    address_ = text.substr(begin, text.find_first_of(",\n", begin) - begin);
    return;
  }
  throw std::runtime_error("the worker did not start: " + first_line_);
}

WorkerProcess::~WorkerProcess() {
  if (id_ > 0) end(SIGKILL);
  if (out_ != nullptr) std::fclose(out_);
}

void WorkerProcess::signal(int number) const { kill(id_, number); }

void WorkerProcess::freeze() const {
  kill(id_, SIGSTOP);
  int status = 0;
  waitpid(id_, &status, WUNTRACED);
}

int WorkerProcess::end(int number) {
  kill(id_, number);
  int status = 0;
  waitpid(id_, &status, 0);
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string WorkerProcess::output() {
  std::string text = first_line_;
  char line[500];
  while (std::fgets(line, sizeof line, out_) != nullptr) text += line;
  return text;
}

void ReturningWorker::kill_and_start_again() {
  worker->end(SIGKILL);
  start_again();
}

Connected::Connected(const std::string& url)
    : client(runtime::make_client(url)), name(add_devices(client).at(0)) {}
Connected::~Connected() { remove_devices(client); }

std::string WorkerFiles::write(const std::string& name, const std::string& text) const {
  std::ofstream(file(name)) << text;
  return file(name);
}

}  // namespace cornu::inline v0
