#include "cornu/backends/pjrt/backend.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "cornu/backends/pjrt/ahead.h"
#include "cornu/backends/pjrt/buffer.h"
#include "cornu/backends/pjrt/connection.h"
#include "cornu/backends/pjrt/device_executable.h"
#include "cornu/backends/pjrt/discovery.h"
#include "cornu/base/environment.h"
#include "cornu/base/parse_number.h"
#include "cornu/runtime/late_reads.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

std::string memory_text(std::size_t bytes) {
  return bytes == 0 ? "" : fmt::format(", {:.1f} GiB", static_cast<double>(bytes) / (std::size_t{1} << 30));
}

/// Copies to host memory that have begun. Destroying it waits for them.
class ReadsUnderWay final : public runtime::Event::State {
 public:
  ReadsUnderWay() = default;
  ~ReadsUnderWay() override {
    for (const OwnedEvent& copy : copies_) {
      try {
        copy.wait(kDoing);
      } catch (const Error&) {  // wait() reports it
      }
    }
  }
  ReadsUnderWay(const ReadsUnderWay&) = delete;
  ReadsUnderWay& operator=(const ReadsUnderWay&) = delete;

  void add(OwnedEvent copy) { copies_.push_back(std::move(copy)); }
  bool is_ready() override {
    return std::ranges::all_of(copies_, [](const OwnedEvent& copy) { return copy.is_ready(); });
  }
  void wait() override {
    for (const OwnedEvent& copy : copies_) copy.wait(kDoing);
  }

  static constexpr const char* kDoing = "give a tensor";

 private:
  std::vector<OwnedEvent> copies_;
};

class PluginClient final : public runtime::Client, public runtime::LateReads {
 public:
  PluginClient(std::shared_ptr<Connection> connection, runtime::Precision precision,
               const runtime::ClientOptions& options)
      : Client(connection->devices()), connection_(std::move(connection)), precision_(precision) {
    std::string folder =
        options.cache_folder.empty() ? environment::cache_folder().value_or("") : options.cache_folder;
    if (folder == "off") folder.clear();
    cache_ = std::make_shared<const ExecutableCache>(folder);
    row_gather_ = std::make_shared<RowGather>(connection_, cache_);
  }

  std::string platform() const override { return fmt::format("pjrt:{}", connection_->plugin().name()); }
  runtime::NodePlace node() const override { return connection_->node(); }
  /// It is unknown whether other devices gather well.
  bool keeps_rows() override { return devices()[0].type == "GPU"; }
  std::string description() const override {
    const runtime::DeviceInfo& first = devices()[0];
    const Plugin& plugin = connection_->plugin();
    return fmt::format("{} x {} \"{}\"{}; {} at {}", devices().size(), first.type, first.kind,
                       memory_text(first.memory_bytes), plugin.versions(), plugin.path());
  }

  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<DeviceExecutable>(program, *this, connection_, cache_, row_gather_, precision_);
  }

  runtime::Event read_later(std::span<const runtime::Read> reads) override {
    const auto copies = std::make_shared<ReadsUnderWay>();  // waits for those that began before an error
    runtime::CallTotal total{.calls = 1, .items = static_cast<std::int64_t>(reads.size())};
    for (const runtime::Read& read : reads) {
      const DeviceBuffer& from = device_buffer(*read.from);
      const std::size_t size_bytes = from.type().size_bytes();
      total.bytes += static_cast<std::int64_t>(size_bytes);
      if (size_bytes > 0) copies->add(connection_->receive(from.value(), from.type(), read.to));
    }
    note(&runtime::TransferStatistics::reads, total);
    return runtime::Event(copies);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int device) override {
    return std::make_unique<DeviceBuffer>(type, this, device, connection_);
  }

  void do_write(std::span<const runtime::Write> writes) override {
    for (const runtime::Write& write : writes)
      device_buffer(*write.to).set_value(connection_->send(write.to->type(), write.to->device(), write.from,
                                                           Connection::Send::kCopy, nullptr));
  }

  /// Begins all copies before waiting for the first.
  void do_read(std::span<const runtime::Read> reads) override {
    std::vector<OwnedEvent> events;
    events.reserve(reads.size());
    for (const runtime::Read& read : reads) {
      const DeviceBuffer& from = device_buffer(*read.from);
      if (from.type().size_bytes() == 0)
        events.emplace_back();
      else if (connection_->is_on_host())
        events.push_back(connection_->ready(from.value()));
      else
        events.push_back(connection_->receive(from.value(), from.type(), read.to));
    }
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (!events[i]) continue;
      events[i].wait(ReadsUnderWay::kDoing);
      if (connection_->is_on_host()) {
        const DeviceBuffer& from = device_buffer(*reads[i].from);
        std::memcpy(reads[i].to, connection_->address(from.value()), from.type().size_bytes());
      }
    }
  }

  std::unique_ptr<runtime::Buffer> do_copy(const runtime::Buffer& buffer, int device) override {
    if (buffer.device() == device) return Client::do_copy(buffer, device);
    auto copy = std::make_unique<DeviceBuffer>(buffer.type(), this, device, connection_);
    copy->set_value(connection_->copy(device_buffer(buffer).value(), device));
    return copy;
  }

 private:
  std::shared_ptr<Connection> connection_;
  runtime::Precision precision_;
  std::shared_ptr<const ExecutableCache> cache_;
  std::shared_ptr<RowGather> row_gather_;
};

/// Removes "NAME=VALUE" from settings and returns the value; empty if it is missing.
std::optional<std::string> take_setting(std::string& settings, std::string_view name) {
  for (std::size_t begin = 0; begin < settings.size();) {
    const std::size_t end = std::min(settings.find(',', begin), settings.size());
    const std::string setting = settings.substr(begin, end - begin);
    if (!setting.starts_with(name) || setting.size() == name.size() || setting[name.size()] != '=') {
      begin = end + 1;
      continue;
    }
    settings.erase(begin == 0 ? 0 : begin - 1, end - begin + 1);
    return setting.substr(name.size() + 1);
  }
  return std::nullopt;
}

runtime::Precision take_precision(std::string& settings) {
  const std::optional<std::string> value = take_setting(settings, "precision");
  const runtime::Precision precision =
      value ? runtime::parse_precision(*value, "[pjrt] the setting ") : runtime::Precision::kAuto;
  return precision == runtime::Precision::kAuto ? runtime::Precision::kHighest : precision;
}

/// Parses "target=CHIP[,steps=K][,precision=P]".
std::shared_ptr<runtime::Client> make_client_of_target(std::string settings) {
  const std::string target = *take_setting(settings, "target");
  const runtime::Precision precision = take_precision(settings);
  const std::string steps = take_setting(settings, "steps").value_or("1");
  const auto num_steps = parse_number<std::int64_t>(steps);
  if (!num_steps.has_value() || *num_steps < 1)
    invalid_argument("[pjrt] the setting \"steps\" must be a positive number of steps; got \"{}\"", steps);
  if (!settings.empty())
    invalid_argument("[pjrt] a target takes the settings steps and precision; got \"{}\"", settings);
  return make_ahead_client(find_target(target), *num_steps, precision);
}

std::shared_ptr<runtime::Client> make_client_of(const PluginFile& file, std::string settings,
                                                const runtime::ClientOptions& options) {
  const runtime::Precision precision = take_precision(settings);
  auto connection = std::make_shared<Connection>(Plugin::load(file.name, file.path), settings,
                                                 options.num_threads, options.node);
  return std::make_shared<PluginClient>(std::move(connection), precision, options);
}

}  // namespace

std::vector<runtime::KnownArgument> known_arguments() {
  std::vector<runtime::KnownArgument> known;
  for (const PluginFile& file : find_plugins()) {
    std::string description;
    try {
      description = make_client_of(file, "", {})->description();
    } catch (const Error& error) {
      description = fmt::format("cannot be used: {}", error.what());
    }
    known.push_back({.argument = file.name, .description = std::move(description)});
  }
  return known;
}

std::vector<std::string> arguments_for(std::string_view type) {
  std::vector<std::string> names;
  for (const PluginFile& file : find_plugins())
    if (device_type(file.name) == type) names.push_back(file.name);
  return names;
}

std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options) {
  if (argument.starts_with("target=")) return make_client_of_target(argument);
  const std::size_t comma = std::min(argument.find(','), argument.size());
  const std::string settings = comma == argument.size() ? "" : argument.substr(comma + 1);
  return make_client_of(find_plugin(argument.substr(0, comma)), settings, options);
}

}  // namespace cornu::inline v0::backends::pjrt
