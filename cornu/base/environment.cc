#include "cornu/base/environment.h"

#include <sys/auxv.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "cornu/base/check.h"

namespace cornu::inline v0::environment {
namespace {

constexpr int kMaxThreads = 1024;

std::optional<std::string> read(const char* name) {
  const char* value = secure_getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::optional<int> to_int(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int> num_threads() {
  const std::optional<std::string> text = read("CORNU_NUM_THREADS");
  if (!text) return std::nullopt;
  const std::optional<int> value = to_int(*text);
  if (!value || *value < 1 || *value > kMaxThreads) {
    invalid_argument("[environment] CORNU_NUM_THREADS must be an integer from 1 to {}; got \"{}\"",
                     kMaxThreads, *text);
  }
  return value;
}

std::optional<IsaLevel> isa_level() {
  const std::optional<std::string> text = read("CORNU_ISA");
  if (!text) return std::nullopt;
  const std::optional<IsaLevel> level = isa_level_from_name(*text);
  if (!level) invalid_argument("[environment] CORNU_ISA must be sse2, avx2 or avx512; got \"{}\"", *text);
  return level;
}

bool direct_convolutions() {
  const std::optional<std::string> text = read("CORNU_CONVOLUTION");
  if (text && *text != "direct" && *text != "auto")
    invalid_argument("[environment] CORNU_CONVOLUTION must be auto or direct; got \"{}\"", *text);
  return text == "direct";
}

std::optional<std::string> cache_folder() {
  if (const std::optional<std::string> folder = read("CORNU_CACHE_DIR"))
    return *folder == "off" ? std::nullopt : folder;
  // The XDG specification wants relative paths to be ignored.
  if (const std::optional<std::string> caches = read("XDG_CACHE_HOME"); caches && caches->front() == '/')
    return *caches + "/cornu";
  const std::optional<std::string> home = read("HOME");
  return home && home->front() == '/' ? std::optional(*home + "/.cache/cornu") : std::nullopt;
}

bool has_more_rights_than_its_caller() { return getauxval(AT_SECURE) != 0; }

bool no_color() { return read("NO_COLOR").has_value(); }

std::optional<int> columns() {
  const std::optional<std::string> text = read("COLUMNS");
  const std::optional<int> value = text ? to_int(*text) : std::nullopt;
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<std::string> terminal() { return read("TERM"); }

}  // namespace cornu::inline v0::environment
