/// Who may speak to a worker, and what each of those hears who may not.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error_test_support.h"
#include "cornu/runtime/device_group.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"
#include "tests/remote/fake_worker.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

using backends::remote::worker_status;

/// Certificates of two authorities, made by the program openssl: "ca" signed "worker", "local" (for the name
/// localhost), "old" (which has expired), "elsewhere" (for another host) and "client"; "other" signed
/// "stranger".
struct Certificates {
  WorkerFiles folder;

  Certificates() {
    for (const char* authority : {"ca", "other"})
      run(std::string("req -x509 ") + kKey + " -keyout " + file(authority, ".key") + " -out " +
          file(authority, ".pem") + " -days 2 -subj /CN=" + authority);
    sign("worker", "ca", "IP:127.0.0.1", 2);
    sign("local", "ca", "DNS:localhost", 2);
    sign("old", "ca", "IP:127.0.0.1", -1);
    sign("elsewhere", "ca", "DNS:example.org", 2);
    sign("client", "ca", "DNS:client", 2);
    sign("stranger", "other", "DNS:client", 2);
  }
  std::string file(const std::string& name, const std::string& suffix) const {
    return folder.file(name + suffix);
  }
  std::string pem(const std::string& name) const { return file(name, ".pem"); }
  std::string key(const std::string& name) const { return file(name, ".key"); }
  std::vector<std::string> server(const std::string& name) const {
    return {"--tls-cert", pem(name), "--tls-key", key(name)};
  }

 private:
  static constexpr const char* kKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

  static void run(const std::string& arguments) {
    const std::string command = "openssl " + arguments + " 2>/dev/null";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  }
  void sign(const std::string& name, const std::string& authority, const std::string& host, int days) const {
    run(std::string("req ") + kKey + " -keyout " + key(name) + " -out " + file(name, ".csr") +
        " -subj /CN=" + name + " -addext subjectAltName=" + host);
    run("x509 -req -in " + file(name, ".csr") + " -CA " + pem(authority) + " -CAkey " + key(authority) +
        " -CAcreateserial -copy_extensions copy -out " + pem(name) + " -days " + std::to_string(days));
  }
};

class TlsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { certificates_ = new Certificates; }
  static void TearDownTestSuite() { delete certificates_; }
  static const Certificates& certificates() { return *certificates_; }
  static std::string ca() { return ",ca_file=" + certificates().pem("ca"); }
  /// What somebody hears who connects.
  static std::string error(const WorkerProcess& worker, const std::string& fields) {
    return error_text_of([&] { runtime::make_client(worker.url(fields)); });
  }
  static void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

 private:
  static inline Certificates* certificates_ = nullptr;
};

TEST_F(TlsTest, AClientThatChecksTheWorkerComputesThere) {
  const WorkerProcess worker(certificates().server("worker"));
  const Connected remote(worker.url(ca()));
  const DeviceScope scope(remote.name);
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(ops::matmul(x, x).to_vector<float>(), (std::vector<float>{7, 10, 15, 22}));
}

TEST_F(TlsTest, PlainTextAndTlsDoNotMeet) {
  const WorkerProcess with_tls(certificates().server("worker")), without;
  expect_contains(error(with_tls, ""), "it speaks TLS: give ca_file");
  expect_contains(error(without, ca()), "it speaks no TLS: leave ca_file out");
  expect_contains(error_text_of([&] { worker_status("//" + with_tls.address()); }), "it speaks TLS");
}

TEST_F(TlsTest, AWorkersCertificateIsChecked) {
  const WorkerProcess worker(certificates().server("worker")), elsewhere(certificates().server("elsewhere"));
  expect_contains(error(worker, ",ca_file=" + certificates().pem("other")),
                  "vouches for the one that it shows");
  expect_contains(error(elsewhere, ca()), "its certificate is not for \"127.0.0.1\"");
  WorkerProcess old(certificates().server("old"));
  expect_contains(error(old, ca()), "its certificate expired on ");
  old.end(SIGTERM);
  expect_contains(old.output(), "warning: [worker] the certificate in ");
}

TEST_F(TlsTest, AWorkerMayAskForTheClientsCertificate) {
  std::vector<std::string> options = certificates().server("worker");
  options.insert(options.end(), {"--tls-client-ca", certificates().pem("ca")});
  const WorkerProcess worker(options);
  const auto with = [](const std::string& name) {
    return ca() + ",cert_file=" + certificates().pem(name) + ",key_file=" + certificates().key(name);
  };
  EXPECT_EQ(error(worker, with("client")), "no error");
  expect_contains(error(worker, ca()),
                  "it lets in only clients with a certificate: give cert_file and key_file");
  expect_contains(error(worker, with("stranger")), "it does not take the certificate in ");
}

TEST_F(TlsTest, FilesThatAreNoCertificatesAreNamed) {
  const std::string none = certificates().folder.write("none", "nothing\n");
  const auto start = [&](const std::string& cert, const std::string& key) {
    try {
      const WorkerProcess worker({"--tls-cert", cert, "--tls-key", key});
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("it started");
  };
  expect_contains(start(none, certificates().key("worker")), "none\" holds no certificate in PEM form");
  expect_contains(start(certificates().pem("worker"), none), "none\" holds no private key");
  expect_contains(start(certificates().pem("worker"), certificates().key("client")),
                  "is not that of the certificate");
  const WorkerProcess worker(certificates().server("worker"));
  expect_contains(error(worker, ",ca_file=" + none), "none\" holds no certificates in PEM form");
  expect_contains(error(worker, ",ca_file=/there/is/no/such.pem"), "/there/is/no/such.pem");
}

TEST_F(TlsTest, ATokenIsAskedForAndNeverShown) {
  const std::string right = certificates().folder.write("right", "secret-123\n"),
                    wrong = certificates().folder.write("wrong", "secret-124\n"),
                    empty = certificates().folder.write("empty", "\n");
  for (const bool has_tls : {false, true}) {
    std::vector<std::string> options = {"--token-file", right};
    if (has_tls)
      for (const std::string& word : certificates().server("worker")) options.push_back(word);
    WorkerProcess worker(options);
    const std::string link = has_tls ? ca() : "";
    std::string heard;
    for (const std::string& fields : {link, link + ",token_file=" + wrong}) {
      heard += error(worker, fields);
      expect_contains(heard, "the token is missing or is another one");
    }
    heard += error_text_of([&] { worker_status("//" + worker.address() + link); });
    expect_contains(error(worker, link + ",token_file=" + empty), "the first line of");
    EXPECT_EQ(error(worker, link + ",token_file=" + right), "no error");
    EXPECT_NE(worker_status("//" + worker.address() + link + ",token_file=" + right).find("clients"),
              std::string::npos);
    EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
    EXPECT_EQ((heard + worker.output()).find("secret"), std::string::npos);
  }
}

TEST_F(TlsTest, ACertificateIsCheckedByTheNameThatIsLookedUpForTheChallenge) {
  const std::string token = certificates().folder.write("name_token", "0123456789abcdef");
  const auto start = [&](const std::string& name) {
    std::vector<std::string> options = certificates().server(name);
    options.insert(options.end(), {"--token-file", token});
    return std::make_unique<WorkerProcess>(options);
  };
  const auto local = start("local"), elsewhere = start("elsewhere");
  const auto error_at = [&](const WorkerProcess& worker) {
    return error_text_of(
        [&] { runtime::make_client("grpc://localhost:" + worker.port() + ca() + ",token_file=" + token); });
  };
  EXPECT_EQ(error_at(*local), "no error");
  expect_contains(error(*local, ca() + ",token_file=" + token), "its certificate is not for \"127.0.0.1\"");
  expect_contains(error_at(*elsewhere), "its certificate is not for \"localhost\"");
}

/// A worker whose answers to greetings are lost still refuses what comes without a proof, as 401.
TEST_F(TlsTest, ALostGreetingAndARefusalAreNotTakenForALackOfTls) {
  const auto error_with = [&](const std::string& greeting, const std::string& fields) {
    const FakeWorker worker([&](const std::string& request) {
      return request.starts_with("GET ") ? greeting : "HTTP/1.0 401 No\r\n\r\nthe token is missing";
    });
    return error_of([&] { runtime::make_client(worker.url(ca() + fields)); });
  };
  const std::string token = ",token_file=" + certificates().folder.write("lost_token", "0123456789abcdef");
  for (const std::string& fields : {std::string(), token}) {
    const Error lost = error_with("", fields);
    EXPECT_EQ(lost.code(), ErrorCode::kUnavailable) << lost.what();
    expect_contains(lost.what(), "it takes connections and does not answer");
  }
  const Error refused = error_with("HTTP/1.0 200 OK\r\ncornu-protocol: 9\r\n\r\n", "");
  EXPECT_EQ(refused.code(), ErrorCode::kFailedPrecondition);
  expect_contains(refused.what(), "the token is missing or is another one");
  const Error foreign = error_with("\x15\x03\x01", "");
  expect_contains(foreign.what(), "the token is missing or is another one");
}

TEST_F(TlsTest, OtherMachinesAreLetInOnlyWithTlsAndAToken) {
  const std::string token = certificates().folder.write("token", "secret\n");
  const auto start = [](backends::remote::WorkerOptions options) {
    options.listen = "0.0.0.0:0";
    return error_text_of([&] { backends::remote::run_worker(options); });
  };
  expect_contains(start({}), "so it needs TLS and a token");
  expect_contains(start({.token_file = token}), "so it needs TLS and a token");
  expect_contains(
      start({.cert_file = certificates().pem("worker"), .key_file = certificates().key("worker")}),
      "so it needs TLS and a token");
}

TEST_F(TlsTest, AuthoritiesWithoutTlsAreRefused) {
  const auto start = [](backends::remote::WorkerOptions options) {
    options.listen = "127.0.0.1:0";
    return error_text_of([&] { backends::remote::run_worker(options); });
  };
  expect_contains(start({.client_ca_file = certificates().pem("ca")}), "[worker] --tls-client-ca \"");
  expect_contains(start({.peer_ca_file = certificates().pem("ca")}), "[worker] --tls-peer-ca \"");
}

TEST_F(TlsTest, WorkersOfAGroupCheckEachOther) {
  const std::string token = certificates().folder.write("group_token", "one of a group"),
                    other_token = certificates().folder.write("other_token", "another");
  const auto started = [&](const std::string& with_token, const std::string& peer_authority) {
    std::vector<std::string> words = certificates().server("worker");
    words.insert(words.end(), {"--threads", "1", "--token-file", with_token});
    if (!peer_authority.empty())
      words.insert(words.end(), {"--tls-peer-ca", certificates().pem(peer_authority)});
    return std::make_unique<WorkerProcess>(words);
  };
  const auto first = started(token, "ca"), second = started(token, "ca"), unchecking = started(token, ""),
             suspicious = started(token, "other"), foreign = started(other_token, "ca");
  const auto group_with = [&](const WorkerProcess& worker, const std::string& its_token) {
    return error_text_of([&] {
      const auto group = runtime::make_device_group(
          {{runtime::make_client(first->url(ca() + ",token_file=" + token)), 0},
           {runtime::make_client(worker.url(ca() + ",token_file=" + its_token)), 0}});
      EXPECT_EQ(runtime::device_group(group.get())->size(), 2);
    });
  };
  EXPECT_EQ(group_with(*second, token), "no error");
  expect_contains(group_with(*unchecking, token), "without --tls-peer-ca");
  expect_contains(group_with(*suspicious, token), "vouches for the one that it shows");
  expect_contains(group_with(*foreign, other_token), "the token is missing or is another one");
}

}  // namespace
}  // namespace cornu::inline v0
