#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cornu/base/cpu_info.h"
#include "cornu/base/log.h"

/// The only code that reads environment variables. A variable that is unset or empty counts as absent. In a
/// program that has more rights than its caller (setuid, setgid, file capabilities) all variables count as
/// absent, because the caller wrote them.
///
/// Errors: InvalidArgument if a variable of Cornu (CORNU_...) has an invalid value; invalid values of other
///         variables are ignored.
namespace cornu::inline v0::environment {

/// CORNU_NUM_THREADS: threads of the pool, from 1 to 1024.
std::optional<int> num_threads();

/// CORNU_ISA: sse2, avx2 or avx512; the highest level that kernels may use.
std::optional<IsaLevel> isa_level();

/// CORNU_BF16: off, vectors or tiles; the highest level of bf16 products that kernels may use.
std::optional<Bf16Level> bf16_level();

/// True if CORNU_CONVOLUTION is "direct": Winograd's method is never used. "auto" or absent: it is used where
/// it is faster.
bool direct_convolutions();

/// The folder for compiled code: CORNU_CACHE_DIR, else "cornu" in XDG_CACHE_HOME, else ~/.cache/cornu. Absent
/// if CORNU_CACHE_DIR is off, if there is no home folder, and in a program that has more rights than its
/// caller.
std::optional<std::string> cache_folder();

/// CORNU_LOG_LEVEL: info, warning or error; the lowest severity that is written to stderr. For any other
/// value the log (base/log.h) shows all messages and one that reports the value, since no caller would expect
/// an exception.
std::optional<LogSeverity> log_level();

/// CORNU_PJRT_PLUGINS: "name=/path.so,..." of plug-in libraries, or "off" to disable the search.
std::optional<std::string> pjrt_plugins();

/// Folders of installed Python packages ("site-packages"), the caller's active environments first: of
/// VIRTUAL_ENV, CONDA_PREFIX, the environments whose `bin` folder is in PATH, and HOME/.local. Empty for a
/// program that has more rights than its caller.
std::vector<std::string> python_package_folders();

/// Removes a variable that libraries read from the environment; returns its value. Must not run while other
/// threads read the environment without a lock of their own.
std::optional<std::string> take(const char* name);
/// Sets a variable that libraries read, unless it is set. Same restriction as take().
void set_default(const char* name, const std::string& value);

/// True if the program has more rights than its caller: setuid, setgid or file capabilities (AT_SECURE).
bool has_more_rights_than_its_caller();

/// True if NO_COLOR is set (https://no-color.org).
bool no_color();

/// COLUMNS: width of the terminal in characters.
std::optional<int> columns();

/// TERM, e.g. "xterm-256color" or "dumb".
std::optional<std::string> terminal();

}  // namespace cornu::inline v0::environment
