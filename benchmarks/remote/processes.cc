#include "benchmarks/remote/processes.h"

#include <echo.grpc.pb.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace cornu::benchmarks {

Listener::Listener(std::vector<std::string> words) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
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
  out_ = ends[0];
  std::string line;
  for (char c = 0; read(out_, &c, 1) == 1 && c != '\n';) line += c;
  const std::size_t begin = line.find("127.0.0.1:");
  if (begin == std::string::npos) throw std::runtime_error("it did not start: " + words[0]);
  address_ = line.substr(begin, line.find_first_not_of("0123456789.:", begin) - begin);
}

Listener::~Listener() {
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
  close(out_);
}

namespace {

class EchoService final : public v1::Echo::Service {
  grpc::Status Unary(grpc::ServerContext*, const v1::Bytes* request, v1::Bytes* reply) override {
    reply->mutable_data()->resize(request->wanted());
    return grpc::Status::OK;
  }
  grpc::Status Upload(grpc::ServerContext*, grpc::ServerReader<v1::Bytes>* reader, v1::Bytes*) override {
    v1::Bytes bytes;
    while (reader->Read(&bytes)) {
    }
    return grpc::Status::OK;
  }
  grpc::Status Download(grpc::ServerContext*, const v1::Bytes* request,
                        grpc::ServerWriter<v1::Bytes>* writer) override {
    v1::Bytes bytes;
    bytes.mutable_data()->resize(request->wanted());
    for (std::uint32_t i = 0; i < request->count(); ++i) writer->Write(bytes);
    return grpc::Status::OK;
  }
};

}  // namespace

int run_echo_server() {
  EchoService service;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  builder.SetMaxReceiveMessageSize(-1);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  std::printf("echo listens on 127.0.0.1:%d\n", port);
  std::fflush(stdout);
  server->Wait();
  return 0;
}

}  // namespace cornu::benchmarks
