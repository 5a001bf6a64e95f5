#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cornu/backends/remote/backend.h"

namespace cornu::inline v0::cli {
namespace {

struct WorkerCommand {
  backends::remote::WorkerOptions options;
  std::string devices = "cpu", status;
  MachineOptions machine;
};

/// "cpu,sim:ideal,clock=virtual" are two: what has an "=" before any colon goes on with the one before it.
std::vector<std::string> split_devices(const std::string& text) {
  std::vector<std::string> devices;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const bool is_field = part.find('=') != std::string::npos && part.find(':') == std::string::npos;
    if (is_field && !devices.empty())
      devices.back() += "," + part;
    else
      devices.push_back(part);
    begin = end + 1;
  }
  return devices;
}

/// "HOST:PORT", or as a device is named: "grpc://HOST:PORT".
void print_worker_status(const std::string& address) {
  constexpr std::string_view kBegin = "grpc:";
  print_report(backends::remote::worker_status(address.starts_with(kBegin) ? address.substr(kBegin.size())
                                                                           : "//" + address));
}

/// Why a text is no number of bytes, with or without a unit; empty if it is one.
std::string why_no_size(const std::string& text) {
  if (text.starts_with("-")) return "must be 0 or more bytes; got " + text;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::size_t unit = std::min(text.find_first_not_of(' ', digits), text.size());
  const bool is_unit = text.find_first_not_of("kKmMgGtTpPeEiIbB", unit) == std::string::npos;
  if (digits > 0 && is_unit) return "";
  return "must be a number of bytes, or a number with a unit, such as 512MB or 8GiB; got " + text;
}

void run_worker_command(WorkerCommand& worker) {
  worker.options.devices = split_devices(worker.devices);
  worker.options.client_options = client_options(worker.machine);
  backends::remote::run_worker(worker.options);
}

}  // namespace

void add_worker(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("worker", "Lends this machine's devices to clients (grpc://HOST:PORT)");
  const auto worker = std::make_shared<WorkerCommand>();
  backends::remote::WorkerOptions& options = worker->options;
  command->add_option("--listen", options.listen, "Address to listen on; port 0: a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  command
      ->add_option("--devices", worker->devices,
                   "Devices to lend: cpu, sim:PROFILE, ..., separated by commas")
      ->type_name("DEVICES")
      ->capture_default_str();
  command->add_option("--tls-cert", options.cert_file, "The worker's certificate (PEM)")
      ->check(CLI::ExistingFile);
  command->add_option("--tls-key", options.key_file, "Its private key (PEM)")->check(CLI::ExistingFile);
  command
      ->add_option("--tls-client-ca", options.client_ca_file,
                   "Clients must have certificates of this authority")
      ->check(CLI::ExistingFile);
  command
      ->add_option("--tls-peer-ca", options.peer_ca_file,
                   "Other workers, for strategies over several, must have certificates of this authority")
      ->check(CLI::ExistingFile);
  command->add_option("--token-file", options.token_file, "Clients must send the first line of this file")
      ->check(CLI::ExistingFile);
  command
      ->add_option("--memory-limit", options.memory_limit_bytes,
                   "Bytes that all clients' buffers may take; 0: no limit")
      ->transform(CLI::AsSizeValue(false))
      // It runs before that one, which would make a huge number of a negative one.
      ->transform(CLI::Validator(&why_no_size, ""))
      ->capture_default_str();
  command
      ->add_option("--data-root", options.data_root,
                   "The folder of the files that clients may open (data::on_worker) and of their backups")
      ->check(CLI::ExistingDirectory);
  command->add_option("--max-clients", options.max_clients, "Clients at a time")
      ->check(whole_number_between(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--drain-seconds", options.drain_seconds,
                   "Seconds that running executions may take after SIGTERM; 0: until the end of their step")
      ->check(not_negative())
      ->capture_default_str();
  CLI::Option* status = command->add_option(
      "--status", worker->status, "Print the state of the worker at HOST:PORT[,FIELD=VALUE...] and exit");
  status->type_name("ADDRESS");
  add_machine_options(*command, worker->machine);
  command->callback([worker, status] {
    status->count() > 0 ? print_worker_status(worker->status) : run_worker_command(*worker);
  });
}

}  // namespace cornu::inline v0::cli
