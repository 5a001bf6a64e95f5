#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/process_clock.h"
#include "cornu/base/error.h"

namespace {

/// errno of a failed write to the standard output; 0 if there is none or it is not known.
int output_error = 0;

/// Prints a help text or an error in the arguments; returns the exit code.
int print_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  errno = 0;
  const int code = app.exit(error);
  if (std::ferror(stdout) != 0 || !std::cout.good()) output_error = errno;
  return code;
}

int run(int argc, char** argv) {
  CLI::App app;
  app.name("cornu");
  try {
    cornu::cli::fit_log_to_terminal();
    cornu::cli::add_commands(app);
    cornu::cli::parse_arguments(app, std::vector<std::string>(argv + 1, argv + argc));
  } catch (const CLI::ParseError& error) {
    return print_of_parsing(app, error);
  } catch (const std::bad_alloc&) {
    std::fputs("cornu: there is not enough memory\n", stderr);  // without an allocation
    return 1;
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) {  // main reports it
      output_error = error.code().value();
      return 1;
    }
    cornu::cli::print_error(error.what());
    return 1;
  } catch (const cornu::Error& error) {
    cornu::cli::print_error(error.what());
    return error.code() == cornu::ErrorCode::kCancelled ? 128 + SIGINT
                                                        : 1;  // Ctrl-C ends fit with kCancelled
  } catch (const std::exception& error) {
    cornu::cli::print_error(error.what());
    return 1;
  }
  return 0;
}

/// Flushes the standard output. False if a part was not written, as on a full disk or a closed pipe, which
/// often shows only at the last write.
bool wrote_everything() {
  if (std::ferror(stdout) != 0 || !std::cout.good()) return false;
  errno = 0;
  if (std::cout.flush().good() && std::fflush(stdout) == 0) return true;
  output_error = errno;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  cornu::cli::mark_main();
  const int code = run(argc, argv);
  if (wrote_everything()) return code;
  const std::string why = output_error == 0 ? "" : std::string(": ") + std::strerror(output_error);
  cornu::cli::print_error("cannot write to the standard output" + why);
  return 1;
}
