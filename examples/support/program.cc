#include "examples/support/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "cornu/runtime/profiler.h"
#include "cornu/tensor/random.h"
#include "examples/device_option.h"

namespace cornu::inline v0::examples {
namespace {

/// "test accuracy 0.4000 is below 0.9000"
std::string with_numbers(const std::string& what, double value, const char* relation, double limit) {
  char numbers[128];
  std::snprintf(numbers, sizeof(numbers), " %.4f is %s %.4f", value, relation, limit);
  return what + numbers;
}

/// A rule for an option's number.
CLI::Validator checked(const std::string& name, const std::string& rule,
                       const std::function<bool(double)>& holds) {
  return {[=](const std::string& text) -> std::string {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            const bool is_number = end != text.c_str() && *end == '\0' && std::isfinite(value);
            return is_number && holds(value) ? "" : "must be " + rule + "; got " + text;
          },
          name};
}

CLI::Validator at_least(std::int64_t least) {
  const std::string number = std::to_string(least);
  return checked("AT LEAST " + number, number + " or more",
                 [=](double value) { return value >= static_cast<double>(least); });
}

CLI::Validator positive() {
  return checked("POSITIVE", "a positive number", [](double value) { return value > 0; });
}

}  // namespace

struct Program::Flags {
  CLI::App app;
};

Program::Program(std::string name, const std::string& description, std::string takes)
    : name_(std::move(name)), takes_(std::move(takes)), flags_(std::make_unique<Flags>()) {
  flags_->app.name(name_);
  flags_->app.description(description + ". Takes " + takes_ + " on two cores; try --quick first.");
  flags_->app.add_flag("--quick", quick_, "Seconds of work on little made data, as the tests do");
  flags_->app.add_option("--device", device_, kDeviceHelp)->capture_default_str();
  flags_->app.add_option("--seed", seed_, "Of weights, shuffling and made data")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
  flags_->app.add_option("--results", results_, "A file that gets the figures, as JSON");
}

Program::~Program() = default;

void Program::finds_device_itself() {
  flags_->app.remove_option(flags_->app.get_option("--device"));
  has_device_ = false;
}

void Program::option(const std::string& flag, std::int64_t* value, const std::string& help,
                     std::int64_t least) {
  flags_->app.add_option(flag, *value, help)->check(at_least(least))->capture_default_str();
}

void Program::option(const std::string& flag, double* value, const std::string& help) {
  flags_->app.add_option(flag, *value, help)->check(positive())->capture_default_str();
}

void Program::option(const std::string& flag, std::string* value, const std::string& help) {
  flags_->app.add_option(flag, *value, help)->capture_default_str();
}

void Program::choice(const std::string& flag, std::string* value, const std::string& words,
                     const std::string& help) {
  std::istringstream stream(words);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  flags_->app.add_option(flag, *value, help)->check(CLI::IsMember(all))->capture_default_str();
}

int Program::main(int argc, char** argv, const std::function<void()>& run) {
  try {
    flags_->app.parse(argc, argv);
    if (!results_.empty()) runtime::check_can_write(results_);
  } catch (const CLI::ParseError& error) {
    return flags_->app.exit(error);
  } catch (const std::exception& error) {
    fail(error.what());
    return EXIT_FAILURE;
  }
  try {
    run_on_device(run);
  } catch (const std::exception& error) {
    fail(error.what());
  }
  try {
    write_results();
  } catch (const std::exception& error) {
    fail(error.what());
  }
  return failures_.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

void Program::run_on_device(const std::function<void()>& run) {
  use_device(device_);
  set_random_seed(static_cast<std::uint64_t>(seed_));
  std::printf("%s: takes %s on two cores with AVX-512%s\n", name_.c_str(),
              quick_ ? "seconds" : takes_.c_str(), quick_ ? "" : "; --quick shows in seconds that it runs");
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  run();
  std::printf("%s: took %.1f s\n", name_.c_str(),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void Program::fail(const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", name_.c_str(), sentence.c_str());
  failures_.push_back(sentence);
}

void Program::write_results() const {
  if (results_.empty()) return;
  nlohmann::ordered_json json = {{"program", name_},
                                 {"passed", failures_.empty()},
                                 {"failures", failures_},
                                 {"figures", nlohmann::ordered_json::array()}};
  for (const Figure& each : figures_)
    json["figures"].push_back({{"name", each.name},
                               {"value", each.value},
                               {"unit", each.unit},
                               {"device", each.device},
                               {"kind", each.kind}});
  std::ofstream file(results_, std::ios::trunc | std::ios::binary);
  file << json.dump(1) << '\n' << std::flush;
  if (!file) throw std::runtime_error("cannot write the results to \"" + results_ + "\"");
}

void Program::figure(const Figure& figure) {
  std::printf("%s: %.6g%s%s on %s (%s)\n", figure.name.c_str(), figure.value, figure.unit.empty() ? "" : " ",
              figure.unit.c_str(), figure.device.c_str(), figure.kind.c_str());
  std::fflush(stdout);
  figures_.push_back(figure);
}

void Program::keep(const std::string& name, double value, const std::string& unit, const std::string& kind) {
  figures_.push_back({.name = name, .value = value, .unit = unit, .device = device_, .kind = kind});
}

void Program::keep_checked(std::string what, double value) {
  if (!has_device_) return;  // who finds the device knows the figures, too
  std::replace(what.begin(), what.end(), ' ', '_');
  keep(what, value);
}

void Program::check(const std::string& what, double value, double wanted) {
  std::printf("%s %.4f\n", what.c_str(), value);
  keep_checked(what, value);
  if (!(value >= wanted)) fail(with_numbers(what, value, "below", wanted));
}

void Program::check_at_most(const std::string& what, double value, double limit) {
  std::printf("%s %.4f\n", what.c_str(), value);
  keep_checked(what, value);
  if (!(value <= limit)) fail(with_numbers(what, value, "above", limit));
}

void Program::check_true(const std::string& what, bool holds) {
  if (!holds) fail(what);
}

}  // namespace cornu::inline v0::examples
