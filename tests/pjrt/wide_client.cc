#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <regex>
#include <utility>
#include <vector>

#include "cornu/ir/print.h"
#include "cornu/ops/parse.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/rewrite.h"
#include "tests/pjrt/wide_client_test_support.h"

namespace cornu::inline v0::pjrt_tests {
namespace {

using ir::DType;

ir::TensorType widened(ir::TensorType type) {
  if (type.dtype == DType::kF32) type.dtype = DType::kF64;
  return type;
}

/// "0x7F800000" as the same number of f64.
std::string widened_bits(const std::string& bits) {
  const auto value =
      static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(bits, nullptr, 16))));
  return fmt::format("0x{:016X}", std::bit_cast<std::uint64_t>(value));
}

/// The text with f64 for f32, in types and in constants that are written as bits.
std::string widened(const std::string& text) {
  static const std::regex constant("dense<([^>\"]*)>( : tensor<(?:[0-9]+x)*f32>)"), bits("0x[0-9A-F]{8}\\b");
  std::string result;
  auto at = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), constant), end; found != end; ++found) {
    result.append(at, (*found)[1].first);
    std::string numbers = (*found)[1];
    for (std::smatch match; std::regex_search(numbers, match, bits);)
      numbers = match.prefix().str() + widened_bits(match.str()) + match.suffix().str();
    result += numbers;
    at = (*found)[1].second;
  }
  result.append(at, text.cend());
  for (std::size_t type = result.find("f32>"); type != std::string::npos; type = result.find("f32>", type))
    result.replace(type, 4, "f64>");
  return result;
}

void widen(const void* from, std::size_t count, std::byte* to) {
  const auto* const values = static_cast<const float*>(from);
  std::copy_n(values, count, reinterpret_cast<double*>(to));
}

class WideBuffer final : public runtime::Buffer {
 public:
  WideBuffer(const ir::TensorType& type, runtime::Client* client, std::unique_ptr<runtime::Buffer> inside)
      : Buffer(type, client), inside_(std::move(inside)) {}
  runtime::Buffer& inside() const { return *inside_; }

  void write(const void* from) {
    if (type().dtype != DType::kF32) return inside_->copy_from_host(from);
    widen(from, static_cast<std::size_t>(type().num_elements()), inside_->writable_host_data());
  }
  void read(void* to) const {
    if (type().dtype != DType::kF32) return inside_->copy_to_host(to);
    const auto* const values = reinterpret_cast<const double*>(inside_->host_data());
    std::transform(values, values + type().num_elements(), static_cast<float*>(to),
                   [](double value) { return static_cast<float>(value); });
  }

 private:
  std::unique_ptr<runtime::Buffer> inside_;
};

WideBuffer& wide(const runtime::Buffer& buffer) {
  return const_cast<WideBuffer&>(static_cast<const WideBuffer&>(buffer));
}

class WideClient final : public runtime::Client {
 public:
  WideClient() : Client({{.type = "CPU", .kind = "f64", .is_addressable = false}}) {}
  std::string platform() const override { return "wide"; }
  std::string description() const override { return "the CPU engine in f64"; }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override;

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int) override {
    return std::make_unique<WideBuffer>(type, this, cpu_->allocate(widened(type)));
  }
  void do_write(std::span<const runtime::Write> writes) override {
    for (const runtime::Write& write : writes) wide(*write.to).write(write.from);
  }
  void do_read(std::span<const runtime::Read> reads) override {
    for (const runtime::Read& read : reads) wide(*read.from).read(read.to);
  }

 private:
  std::shared_ptr<runtime::Client> cpu_ = runtime::make_client("cpu");
};

class WideExecutable final : public runtime::Executable {
 public:
  WideExecutable(const runtime::StepProgram& program, const runtime::Client& client, runtime::Client& cpu)
      : signature_(program, &client) {
    const std::string text = widened(ir::to_stablehlo(*transform::inline_composites(*program.step)));
    module_ = ops::parse_stablehlo(text, {.name = program.name});
    runtime::StepProgram inside = program;
    inside.step = &module_.entry();
    inside_ = cpu.compile(inside);
    for (std::size_t i = 0; i < program.arguments.size(); ++i)
      if (program.arguments[i] == runtime::ArgumentKind::kRows)
        rows_.push_back(program.step->body.arguments()[i].type());
  }

  runtime::Submission execute(const runtime::Execution& execution) override {
    signature_.check(execution);
    const runtime::Replica& replica = execution.replicas[0];
    std::vector<runtime::Buffer*> state, fixed;
    for (runtime::Buffer* buffer : replica.state) state.push_back(&wide(*buffer).inside());
    for (runtime::Buffer* buffer : replica.fixed) fixed.push_back(&wide(*buffer).inside());
    const std::int64_t num_indices = execution.num_steps * signature_.batch();
    std::vector<std::vector<std::byte>> gathered;
    std::vector<const std::byte*> rows;
    for (std::size_t i = 0; i < replica.rows.size(); ++i) {
      gathered.push_back(gather(rows_[i], replica.rows[i], replica.row_indices, num_indices));
      rows.push_back(gathered.back().data());
    }
    std::vector<std::int64_t> indices(static_cast<std::size_t>(num_indices));
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i);
    std::vector<std::vector<std::byte>> outputs;
    std::vector<std::byte*> places;
    for (const ir::TensorType& type : signature_.outputs()) {
      outputs.emplace_back(static_cast<std::size_t>(execution.num_steps) * widened(type).size_bytes());
      places.push_back(outputs.back().data());
    }
    const std::int64_t steps = inside_->run({.state = state,
                                             .fixed = fixed,
                                             .rows = rows,
                                             .row_indices = indices.data(),
                                             .num_rows = replica.num_rows,
                                             .outputs = places},
                                            execution.num_steps, execution.progress);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      give(outputs[i], signature_.outputs()[i].dtype, replica.outputs[i]);
    return {.done = {}, .num_steps = steps};
  }
  const runtime::CompileStats& stats() const override { return inside_->stats(); }
  std::string explain(const runtime::Profiler*) const override { return "in f64\n"; }
  std::string dump(const std::string& stage) const override { return inside_->dump(stage); }

 private:
  static std::vector<std::byte> gather(const ir::TensorType& type, const std::byte* base,
                                       const std::int64_t* indices, std::int64_t count) {
    const auto rows = static_cast<std::size_t>(type.dims[0]);
    const std::size_t row_bytes = type.size_bytes() / rows, wide_bytes = widened(type).size_bytes() / rows;
    std::vector<std::byte> gathered(static_cast<std::size_t>(count) * wide_bytes);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* const from = base + static_cast<std::size_t>(indices[i]) * row_bytes;
      std::byte* const to = gathered.data() + static_cast<std::size_t>(i) * wide_bytes;
      if (type.dtype == DType::kF32)
        widen(from, row_bytes / sizeof(float), to);
      else
        std::memcpy(to, from, row_bytes);
    }
    return gathered;
  }
  static void give(const std::vector<std::byte>& from, DType dtype, std::byte* to) {
    if (dtype != DType::kF32) {
      std::copy(from.begin(), from.end(), to);
      return;
    }
    const auto* const values = reinterpret_cast<const double*>(from.data());
    std::transform(values, values + from.size() / sizeof(double), reinterpret_cast<float*>(to),
                   [](double value) { return static_cast<float>(value); });
  }

  runtime::ProgramSignature signature_;
  ir::ParsedModule module_;
  std::unique_ptr<runtime::Executable> inside_;
  std::vector<ir::TensorType> rows_;
};

std::unique_ptr<runtime::Executable> WideClient::compile(const runtime::StepProgram& program) {
  return std::make_unique<WideExecutable>(program, *this, *cpu_);
}

}  // namespace

std::shared_ptr<runtime::Client> make_wide_client() { return std::make_shared<WideClient>(); }

}  // namespace cornu::inline v0::pjrt_tests
