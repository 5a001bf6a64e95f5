#pragma once

namespace cornu::inline v0::runtime {

class Client;

/// What a Client is besides that wants to know when a pass over data begins: an epoch, an evaluation, a batch
/// that is trained by itself. Where rows are sent, devices may set something up for each pass.
/// Threads: safe.
class PassListener {
 public:
  PassListener() = default;
  virtual ~PassListener();
  PassListener(const PassListener&) = delete;
  PassListener& operator=(const PassListener&) = delete;

  /// The next execution that takes rows is the first of a pass.
  virtual void begin_pass() = 0;
};

/// Tells `client` if it listens.
void begin_pass(Client& client);

}  // namespace cornu::inline v0::runtime
