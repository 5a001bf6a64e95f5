#include "cli/emit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cornu/ir/bytecode/write.h"
#include "cornu/ir/print.h"

namespace cornu::inline v0::cli {

CLI::Option* add_emit_option(CLI::App& command, std::string& form, const std::string& description) {
  return command.add_option("--emit", form, description)
      ->type_name("FORM")
      ->check(one_of({"text", "bytecode"}));
}

void emit_program(const ir::Function& program, const std::string& form) {
  if (form == "text") {
    fmt::print("{}", ir::to_stablehlo(program));
    return;
  }
  if (isatty(STDOUT_FILENO) != 0)
    throw CLI::ValidationError("--emit",
                               "bytecode is not for a terminal: write it to a file with \"> FILE\"");
  fmt::print("{}", ir::to_bytecode(program));
}

}  // namespace cornu::inline v0::cli
