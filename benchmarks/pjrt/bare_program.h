#pragma once

#include <pjrt_c_api.h>

#include <string>
#include <vector>

namespace cornu::benchmarks {

/// A program in a loop of nothing but calls of PJRT's C interface: what a step costs at least. Arguments that
/// the text donates are replaced by their results; the others are host memory that is sent with each call,
/// but for the last two, which are numbers of steps and rows.
class BareProgram {
 public:
  /// `text` as Cornu sends it. Throws std::runtime_error.
  BareProgram(const std::string& library, const std::string& text, int num_steps, int num_rows);
  ~BareProgram();
  BareProgram(const BareProgram&) = delete;
  BareProgram& operator=(const BareProgram&) = delete;

  /// Sends, runs and waits.
  void run();

 private:
  struct Argument {
    PJRT_Buffer_Type type;
    std::vector<std::int64_t> dims;
    std::size_t size_bytes = 0;
    int donated_to = -1;
    std::vector<char> host;
  };
  void check(PJRT_Error* error) const;
  void load(const std::string& library);
  void compile(const std::string& text);
  void parse_arguments(const std::string& text);
  PJRT_Buffer* send(const Argument& argument) const;
  void destroy(PJRT_Buffer* buffer) const;
  void wait(PJRT_Event* event) const;

  const PJRT_Api* api_ = nullptr;
  PJRT_Client* client_ = nullptr;
  PJRT_Device* device_ = nullptr;
  PJRT_LoadedExecutable* executable_ = nullptr;
  std::vector<Argument> arguments_;
  std::vector<PJRT_Buffer*> values_, results_;
};

}  // namespace cornu::benchmarks
