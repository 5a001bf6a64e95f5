#include "cornu/keras/trainer/late_logs.h"

#include "cornu/tensor/device.h"

namespace cornu::inline v0::keras {

void read_log_sources(std::span<const LogSource> sources, Logs& result) {
  const detail::HostScope on_host;  // metrics compute their results from variables on the host
  result.clear();
  for (const LogSource& source : sources)
    result.set(source.name, source.metric != nullptr ? source.metric->result() : Tensor(source.value.read()));
}

Logs LateLogs::get() const {
  values_.wait();
  const detail::ValuesScope scope(values_);
  Logs logs;
  read_log_sources(sources_, logs);
  return logs;
}

}  // namespace cornu::inline v0::keras
