#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What the larger examples share: flags, and a main function that turns errors and missed metrics into an
/// exit code.
namespace cornu::inline v0::examples {

/// What a program found out, for those who read its results by another program.
struct Figure {
  std::string name;  // snake_case
  double value = 0;
  std::string unit;    // "s", "ms"; empty: a count, or a ratio
  std::string device;  // as --device had it
  /// "measured", "simulated" (by a device that is not there) or "predicted" (by a formula).
  std::string kind = "measured";
};

/// A program with flags. --help, --quick, --seed and --results are there always, --device nearly.
class Program {
 public:
  /// `takes`: how long a whole run takes about, on two cores with AVX-512; --help and the run say it.
  Program(std::string name, const std::string& description, std::string takes);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// For programs that run on several devices, or find theirs as a document does: there is no --device,
  /// unless they add one of their own. Before all options.
  void finds_device_itself();

  /// A flag with a value; `value` holds the default, which --help shows.
  void option(const std::string& flag, std::int64_t* value, const std::string& help, std::int64_t least = 1);
  void option(const std::string& flag, double* value, const std::string& help);
  void option(const std::string& flag, std::string* value, const std::string& help);
  /// One of these words.
  void choice(const std::string& flag, std::string* value, const std::string& words, const std::string& help);

  /// Parses the flags, seeds everything, runs on the device, and prints how long that took; `run` says by
  /// check() whether the program did what it should.
  int main(int argc, char** argv, const std::function<void()>& run);

  /// Only seconds of work on little made data: what the tests run.
  bool quick() const { return quick_; }
  std::uint32_t seed() const { return static_cast<std::uint32_t>(seed_); }
  /// quick() ? quick_value : value.
  std::int64_t scaled(std::int64_t value, std::int64_t quick_value) const {
    return quick_ ? quick_value : value;
  }

  /// Says whether `value` reached `wanted`; if not, the program exits non-zero. Where there is a --device of
  /// ours, the value is also a figure: "test accuracy" is `test_accuracy`.
  void check(const std::string& what, double value, double wanted);
  /// The same for something that must be at most `limit`.
  void check_at_most(const std::string& what, double value, double limit);
  void check_true(const std::string& what, bool holds);

  /// Prints a figure, and keeps it for the file that --results names: an object with `program`, `passed`,
  /// `failures` (texts) and `figures`. It is written however the program ends by itself.
  void figure(const Figure& figure);
  /// Keeps a figure of --device that has been printed in other words.
  void keep(const std::string& name, double value, const std::string& unit = "",
            const std::string& kind = "measured");

 private:
  struct Flags;
  /// Keeps what check() compares.
  void keep_checked(std::string what, double value);
  void run_on_device(const std::function<void()>& run);
  void fail(const std::string& sentence);
  void write_results() const;

  std::string name_, takes_, results_, device_ = "cpu";
  std::unique_ptr<Flags> flags_;
  bool quick_ = false, has_device_ = true;
  std::int64_t seed_ = 1;
  std::vector<std::string> failures_;
  std::vector<Figure> figures_;
};

}  // namespace cornu::inline v0::examples
