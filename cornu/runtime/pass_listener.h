#pragma once

namespace cornu::inline v0::runtime {

class Client;

/// Additional interface of a Client that prepares its devices at the start of each pass over data: an epoch,
/// an evaluation, or a batch that is trained by itself.
/// Threads: safe.
class PassListener {
 public:
  PassListener() = default;
  virtual ~PassListener();
  PassListener(const PassListener&) = delete;
  PassListener& operator=(const PassListener&) = delete;

  /// Announces that the next execution with rows is the first of a pass.
  virtual void begin_pass() = 0;
};

/// Calls begin_pass() if `client` is a PassListener.
void begin_pass(Client& client);

}  // namespace cornu::inline v0::runtime
