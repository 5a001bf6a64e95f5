#include "examples/support/program.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <vector>

#include "cornu/tensor/random.h"

namespace cornu::inline v0::examples {

struct Program::Flags {
  CLI::App app;
};

Program::Program(std::string name, const std::string& description, std::string takes)
    : name_(std::move(name)), takes_(std::move(takes)), flags_(std::make_unique<Flags>()) {
  flags_->app.name(name_);
  flags_->app.description(description + ". Takes " + takes_ + " on two cores; try --quick first.");
  flags_->app.add_flag("--quick", quick_, "Seconds of work on little made data, as the tests do");
  flags_->app.add_option("--seed", seed_, "Of weights, shuffling and made data")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
}

Program::~Program() = default;

void Program::option(const std::string& flag, std::int64_t* value, const std::string& help) {
  flags_->app.add_option(flag, *value, help)->check(CLI::PositiveNumber)->capture_default_str();
}

void Program::option(const std::string& flag, double* value, const std::string& help) {
  flags_->app.add_option(flag, *value, help)->check(CLI::PositiveNumber)->capture_default_str();
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
    set_random_seed(static_cast<std::uint64_t>(seed_));
    std::printf("%s: takes %s on two cores with AVX-512%s\n", name_.c_str(),
                quick_ ? "seconds" : takes_.c_str(), quick_ ? "" : "; --quick shows in seconds that it runs");
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    run();
    std::printf("%s: took %.1f s\n", name_.c_str(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  } catch (const CLI::ParseError& error) {
    return flags_->app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), error.what());
    return EXIT_FAILURE;
  }
  return passed_ ? EXIT_SUCCESS : EXIT_FAILURE;
}

void Program::check(const std::string& what, double value, double wanted) {
  std::printf("%s %.4f\n", what.c_str(), value);
  if (value >= wanted) return;
  std::fprintf(stderr, "%s: %s %.4f is below %.4f\n", name_.c_str(), what.c_str(), value, wanted);
  passed_ = false;
}

void Program::check_at_most(const std::string& what, double value, double limit) {
  std::printf("%s %.4f\n", what.c_str(), value);
  if (value <= limit) return;
  std::fprintf(stderr, "%s: %s %.4f is above %.4f\n", name_.c_str(), what.c_str(), value, limit);
  passed_ = false;
}

void Program::check_true(const std::string& what, bool holds) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", name_.c_str(), what.c_str());
  passed_ = false;
}

}  // namespace cornu::inline v0::examples
