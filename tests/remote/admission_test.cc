/// The first exchange on a connection to a worker with a token, byte by byte.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/base/loopback_test_support.h"
#include "cornu/base/sanitizer_test_support.h"
#include "cornu/runtime/distant_client.h"
#include "tests/remote/fake_worker.h"
#include "tests/remote/link.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

/// What a worker answers to these bytes.
std::string answer_to(const WorkerProcess& worker, const std::string& bytes) {
  const int link = connected_to_loopback(std::stoi(worker.port()));
  EXPECT_GE(link, 0);
  (void)!send(link, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  std::string answer;
  char byte = 0;
  // gRPC would follow an admission.
  while (!(answer.starts_with("HTTP/1.0 200 OK\r\n\r\n")) && recv(link, &byte, 1, 0) == 1) answer += byte;
  close(link);
  return answer;
}

std::string field(const std::string& answer, const std::string& name) {
  const std::size_t at = answer.find(name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 2;
  return answer.substr(begin, answer.find('\r', begin) - begin);
}

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// As docs/adr/0114 has it.
std::string proof_of(const std::string& token, const std::string& challenge) {
  const std::string text = "cornu worker admission:" + bytes_of(challenge);
  unsigned char code[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), code, &size);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", code[i]);
  return hex;
}

std::string challenge_of(const WorkerProcess& worker) {
  return field(answer_to(worker, "GET /cornu HTTP/1.0\r\n\r\n"), "cornu-challenge");
}

/// HTTP's status.
int status_of_admission(const WorkerProcess& worker, const std::string& value) {
  const std::string answer =
      answer_to(worker, "CONNECT cornu HTTP/1.0\r\nHost: cornu\r\ncornu-admission: " + value + "\r\n\r\n");
  return answer.starts_with("HTTP/1.0 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

constexpr const char* kToken = "a token of these tests";

struct AdmissionTest : testing::Test {
  WorkerFiles folder;
  std::string token_file = folder.write("token", std::string(kToken) + "\n");
  std::vector<std::string> arguments = {"--token-file", token_file};
  std::string fields = ",token_file=" + token_file;
};

TEST_F(AdmissionTest, AProofIsGoodForOneConnection) {
  const WorkerProcess worker(arguments), other(arguments);
  const std::string challenge = challenge_of(worker), value = challenge + " " + proof_of(kToken, challenge);
  ASSERT_EQ(challenge.size(), 64U);
  EXPECT_EQ(status_of_admission(worker, challenge + " " + proof_of("another token", challenge)), 401);
  EXPECT_EQ(status_of_admission(other, value), 410) << "the challenge of another worker";
  EXPECT_EQ(status_of_admission(worker, value), 200);
  EXPECT_EQ(status_of_admission(worker, value), 410) << "who watched cannot use it again";
  std::string changed = challenge_of(worker);
  changed[20] = changed[20] == '0' ? '1' : '0';
  EXPECT_EQ(status_of_admission(worker, changed + " " + proof_of(kToken, changed)), 410);
  EXPECT_EQ(status_of_admission(worker, changed + " " + proof_of("another token", changed)), 401);
  for (const std::string& wrong :
       {std::string(), std::string("x"), challenge, " " + challenge, std::string(600, '0')})
    EXPECT_EQ(status_of_admission(worker, wrong), 401) << wrong;
}

TEST(DescriptorsTest, AWorkerThatGetsNoneForItsConnectionsSaysSo) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers need descriptors of their own";
  const WorkerFiles folder;
  const std::string program = std::getenv("CORNU_PROGRAM");
  int num_told = 0;
  bool has_started = false;
  for (int limit = 4; limit < 30 && !has_started; ++limit) {
    const std::string script =
        folder.write("few.sh", fmt::format("#!/bin/sh\nulimit -n {}\nexec \"{}\" \"$@\"\n", limit, program));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    setenv("CORNU_PROGRAM", script.c_str(), 1);
    try {
      const WorkerProcess worker;
      has_started = true;
    } catch (const std::exception& error) {
      const std::string text = error.what();
      num_told += text.find("there is no descriptor for its connections") != std::string::npos ? 1 : 0;
    }
  }
  setenv("CORNU_PROGRAM", program.c_str(), 1);
  EXPECT_GE(num_told, 1);
}

TEST_F(AdmissionTest, WhoSaysNothingOfTheTokenHearsWhatIsMissing) {
  const WorkerProcess worker(arguments);
  for (const std::string bytes : {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02",
                                  "GET / HTTP/1.1\r\n\r\n", "CONNECT cornu HTTP/1.0\r\n\r\n"})
    EXPECT_TRUE(answer_to(worker, bytes).starts_with("HTTP/1.0 401 ")) << bytes;
  EXPECT_NE(answer_to(worker, "PRI * HTTP/2.0\r\n\r\n").find("the token is missing"), std::string::npos);
  EXPECT_TRUE(answer_to(worker, "CONNECT " + std::string(2000, 'x')).starts_with("HTTP/1.0 401 "))
      << "a request that does not end";
}

TEST_F(AdmissionTest, ProbesHearWhetherItServes) {
  const std::string probe = "GET /healthz HTTP/1.1\r\nHost: worker\r\n\r\n";
  const WorkerProcess without;
  EXPECT_TRUE(answer_to(without, probe).ends_with("\r\nSERVING\n"));
  const WorkerProcess worker(arguments);
  EXPECT_TRUE(answer_to(worker, probe).ends_with("\r\nSERVING\n"));
  worker.signal(SIGTERM);
  std::string answer;
  for (int i = 0; i < 20 && !answer.ends_with("NOT_SERVING\n"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    answer = answer_to(worker, probe);
  }
  EXPECT_TRUE(answer.starts_with("HTTP/1.0 503 ") && answer.ends_with("NOT_SERVING\n")) << answer;
}

TEST_F(AdmissionTest, AConnectionThatTakesNoNewCallsIsALinkThatWasCut) {
  const WorkerProcess worker(arguments);
  Link link(worker.port());
  const auto client = runtime::make_client(link.url(fields));
  const std::vector<float> values(100);
  const auto write = [&] { client->allocate({ir::DType::kF32, {100}})->copy_from_host(values.data()); };
  write();
  link.say_go_away();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  // A proof is good for one connection.
  const Error lost = error_of(write);
  EXPECT_EQ(lost.code(), ErrorCode::kUnavailable);
  EXPECT_NE(std::string(lost.what()).find("the link was cut"), std::string::npos) << lost.what();
  client->distant()->reconnect(client->distant()->generation());
  EXPECT_EQ(error_text_of(write), "no error");
}

TEST_F(AdmissionTest, ALinkThatIsCutIsOpenedAgainWithAnotherProof) {
  const WorkerProcess worker(arguments);
  Link link(worker.port());
  const auto client = runtime::make_client(link.url(fields));
  const std::vector<float> values(100);
  const auto write = [&] { client->allocate({ir::DType::kF32, {100}})->copy_from_host(values.data()); };
  write();
  link.cut_after(0);
  EXPECT_EQ(error_of(write).code(), ErrorCode::kUnavailable);
  const Error again = error_of(write);
  EXPECT_EQ(again.code(), ErrorCode::kUnavailable);
  EXPECT_NE(std::string(again.what()).find("does not answer: the link was cut"), std::string::npos)
      << again.what();
  client->distant()->reconnect(client->distant()->generation());
  EXPECT_EQ(error_text_of(write), "no error");
}

/// As a worker of this version says it.
int protocol_of(const WorkerProcess& worker) {
  return std::stoi(field(answer_to(worker, "GET /cornu HTTP/1.0\r\n\r\n"), "cornu-protocol"));
}

constexpr const char* kRefusal = "HTTP/1.0 401 No\r\n\r\n";

std::string greeting_of(int protocol) {
  return fmt::format("HTTP/1.0 200 OK\r\ncornu-protocol: {}\r\ncornu-challenge: 00ff\r\n\r\n", protocol);
}
bool is_greeting(const std::string& request) { return request.starts_with("GET /cornu "); }

void expect_unavailable(const Error& error, const std::string& part) {
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

TEST_F(AdmissionTest, VersionsThatDifferAreNamed) {
  const FakeWorker worker(
      [](const std::string& request) { return is_greeting(request) ? greeting_of(999) : kRefusal; });
  for (const std::string& given : {std::string(), fields}) {
    const Error error = error_of([&] { runtime::make_client(worker.url(given)); });
    EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
    EXPECT_NE(std::string(error.what()).find("it speaks protocol 999, this client (Cornu "),
              std::string::npos)
        << error.what();
  }
}

TEST_F(AdmissionTest, AGreetingThatIsLostIsAskedForOnceAgain) {
  const WorkerProcess worker(arguments);
  Link link(worker.port());
  link.cut_after(30);  // in the answer to the greeting, or before it
  EXPECT_EQ(error_text_of([&] { runtime::make_client(link.url(fields)); }), "no error");
  EXPECT_EQ(link.num_cuts(), 1);
  EXPECT_EQ(link.num_connections(), 3);
}

TEST_F(AdmissionTest, AClientWithATokenDoesNotConnectWhereTheGreetingIsLostTwice) {
  std::atomic<int> num_others{0};
  const auto count = [&](const std::string& request) { num_others += is_greeting(request) ? 0 : 1; };
  for (const std::string& rest :
       {std::string(), std::string("HTTP/1.0 2"), std::string("HTTP/1.1 503 \r\n\r\n")}) {
    const FakeWorker worker([&](const std::string& request) {
      count(request);
      return is_greeting(request) ? rest : kRefusal;
    });
    expect_unavailable(error_of([&] { runtime::make_client(worker.url(fields)); }),
                       "cannot be spoken to: it takes connections and does not answer");
    EXPECT_EQ(worker.num_connections(), 2);
  }
  EXPECT_EQ(num_others, 0);
}

TEST_F(AdmissionTest, AProxyOfTheEnvironmentSeesNoToken) {
  const FakeWorker proxy([](const std::string&) { return std::string("HTTP/1.0 200 OK\r\n\r\n"); });
  const WorkerProcess asking(arguments), open;
  setenv("http_proxy", ("http://" + proxy.address()).c_str(), 1);
  EXPECT_EQ(error_text_of([&] { runtime::make_client(asking.url(fields)); }), "no error");
  EXPECT_EQ(error_text_of([&] { runtime::make_client(open.url(fields)); }), "no error");
  unsetenv("http_proxy");
  EXPECT_EQ(proxy.num_connections(), 0);
}

TEST_F(AdmissionTest, WorkersBehindOneAddressRefuseEachOthersChallengesAndAreTriedAgain) {
  const WorkerProcess first(arguments), second(arguments), third(arguments);
  Link two(first.port()), three(first.port());
  two.add_worker(second.port());
  three.add_worker(second.port());
  three.add_worker(third.port());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(error_text_of([&] { runtime::make_client(two.url(fields)); }), "no error");
    EXPECT_EQ(error_text_of([&] { runtime::make_client(three.url(fields)); }), "no error");
  }
  // One that never takes an answer.
  const FakeWorker worker([protocol = protocol_of(first)](const std::string& request) {
    return is_greeting(request) ? greeting_of(protocol) : "HTTP/1.0 410 No\r\n\r\n";
  });
  expect_unavailable(error_of([&] { runtime::make_client(worker.url(fields)); }),
                     "several workers seem to be reached at this address");
}

TEST_F(AdmissionTest, ATokenThatWasExchangedIsReadWhenTheClientConnectsAgain) {
  ReturningWorker returning(arguments);
  const auto client = runtime::make_client(returning.worker->url(fields));
  folder.write("token", "the token of the next month\n");
  returning.kill_and_start_again();
  EXPECT_EQ(error_text_of([&] { client->distant()->reconnect(client->distant()->generation()); }),
            "no error");
  const std::vector<float> values(100);
  EXPECT_EQ(error_text_of([&] { client->allocate({ir::DType::kF32, {100}})->copy_from_host(values.data()); }),
            "no error");
}

}  // namespace
}  // namespace cornu::inline v0
