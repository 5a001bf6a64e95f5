#include "cornu/runtime/process_memory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace cornu::inline v0::runtime {
namespace {

constexpr std::size_t kBytes = 3 * ProcessMemoryView::kPage - 100, kDistance = 4 * ProcessMemoryView::kPage;

TEST(ProcessMemoryTest, BeginsWithZerosAndHasAHandleWhileItIsThere) {
  std::shared_ptr<std::byte> memory = allocate_process_memory(kBytes);
  ASSERT_NE(memory, nullptr);
  const std::byte* const address = memory.get();
  EXPECT_TRUE(std::all_of(address, address + kBytes, [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_EQ(process_memory_handle(address).size_bytes, kBytes);
  EXPECT_EQ(process_memory_handle(address + 1).file, -1);
  memory.reset();
  EXPECT_EQ(process_memory_handle(address).file, -1);
  const int number = 0;
  EXPECT_EQ(process_memory_handle(reinterpret_cast<const std::byte*>(&number)).file, -1);
}

TEST(ProcessMemoryTest, AViewShowsAllMemoryAtEqualDistances) {
  const std::array memory = {allocate_process_memory(kBytes), allocate_process_memory(kBytes)};
  const std::array handles = {process_memory_handle(memory[0].get()), process_memory_handle(memory[1].get())};
  const std::unique_ptr<ProcessMemoryView> view = ProcessMemoryView::open(handles, kBytes, kDistance);
  ASSERT_NE(view, nullptr);
  for (std::size_t i = 0; i < 2; ++i) {
    memory[i].get()[kBytes - 1] = static_cast<std::byte>(7 + i);  // after it was opened
    EXPECT_EQ(view->address()[i * kDistance + kBytes - 1], static_cast<std::byte>(7 + i));
  }
}

TEST(ProcessMemoryTest, LargeMemoryBeginsALargePageHereAndInViews) {
  constexpr std::size_t kLarge = ProcessMemoryView::kLargePage, kLargeBytes = 2 * kLarge + 100;
  const auto begins_large_page = [](const std::byte* address) {
    return reinterpret_cast<std::uintptr_t>(address) % kLarge == 0;
  };
  const std::array memory = {allocate_process_memory(kLargeBytes), allocate_process_memory(kLargeBytes)};
  const std::array handles = {process_memory_handle(memory[0].get()), process_memory_handle(memory[1].get())};
  const std::unique_ptr<ProcessMemoryView> view = ProcessMemoryView::open(handles, kLargeBytes, 3 * kLarge);
  ASSERT_NE(view, nullptr);
  EXPECT_TRUE(begins_large_page(view->address()));
  for (std::size_t i = 0; i < 2; ++i) {
    std::byte* const address = memory[i].get();
    EXPECT_TRUE(begins_large_page(address));
    EXPECT_TRUE(std::all_of(address, address + kLargeBytes, [](std::byte b) { return b == std::byte{0}; }));
    for (const std::size_t at : {std::size_t{0}, kLarge, kLargeBytes - 1}) {
      address[at] = static_cast<std::byte>(7 + i);
      EXPECT_EQ(view->address()[i * 3 * kLarge + at], static_cast<std::byte>(7 + i)) << at;
    }
  }
}

TEST(ProcessMemoryTest, AViewOutlivesTheProcessThatHadTheMemory) {
  std::array<int, 2> to_parent{}, to_child{};
  ASSERT_EQ(pipe(to_parent.data()), 0);
  ASSERT_EQ(pipe(to_child.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::shared_ptr<std::byte> memory = allocate_process_memory(kBytes);
    memory.get()[5] = std::byte{42};
    const ProcessMemoryHandle handle = process_memory_handle(memory.get());
    char end = 0;
    const bool is_well =
        write(to_parent[1], &handle, sizeof(handle)) == sizeof(handle) && read(to_child[0], &end, 1) == 1;
    _exit(is_well ? 0 : 1);
  }
  ProcessMemoryHandle handle;
  ASSERT_EQ(read(to_parent[0], &handle, sizeof(handle)), static_cast<ssize_t>(sizeof(handle)));
  EXPECT_EQ(handle.pid, child);
  const auto view = ProcessMemoryView::open({&handle, 1}, kBytes, kDistance);
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->address()[5], std::byte{42});
  EXPECT_EQ(ProcessMemoryView::open({&handle, 1}, kBytes, kDistance), nullptr);
  for (const int file : {to_parent[0], to_parent[1], to_child[0], to_child[1]}) close(file);
}

TEST(ProcessMemoryTest, MemoryOfOthersIsNotMistakenForIt) {
  const std::shared_ptr<std::byte> memory = allocate_process_memory(kBytes);
  const ProcessMemoryHandle good = process_memory_handle(memory.get());
  const auto is_open = [&](const ProcessMemoryHandle& handle) {
    return ProcessMemoryView::open({&handle, 1}, kBytes, kDistance) != nullptr;
  };
  EXPECT_TRUE(is_open(good));
  ProcessMemoryHandle other = good;
  ++other.token;  // as on another machine, where the numbers are the same by chance
  EXPECT_FALSE(is_open(other));
  other = good;
  other.file = STDIN_FILENO;
  EXPECT_FALSE(is_open(other));
  other = good;
  other.pid = 0;
  EXPECT_FALSE(is_open(other));
  EXPECT_FALSE(is_open({}));
  const std::shared_ptr<std::byte> small = allocate_process_memory(kBytes / 2);
  EXPECT_FALSE(is_open(process_memory_handle(small.get())));
}

TEST(ProcessMemoryTest, ScopesNest) {
  EXPECT_FALSE(ProcessMemoryScope::is_active());
  const ProcessMemoryScope outer(true);
  {
    const ProcessMemoryScope inner(false);
    EXPECT_FALSE(ProcessMemoryScope::is_active());
  }
  EXPECT_TRUE(ProcessMemoryScope::is_active());
}

}  // namespace
}  // namespace cornu::inline v0::runtime
