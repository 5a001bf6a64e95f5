#include "cornu/base/service_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

#include "cornu/base/per_thread.h"

namespace cornu::inline v0 {
namespace {

TEST(ServiceThreadTest, ThreadsStartedInAScopeBlockWhatIsMeantForTheProcessAndNoFaults) {
  sigset_t inside, own, before;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  {
    const SignalsBlocked scope;
    std::thread([&] { pthread_sigmask(SIG_BLOCK, nullptr, &inside); }).join();
  }
  pthread_sigmask(SIG_BLOCK, nullptr, &own);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGUSR1}) {
    EXPECT_TRUE(sigismember(&inside, signal)) << signal;
    EXPECT_EQ(sigismember(&own, signal), sigismember(&before, signal)) << signal;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGPROF})
    EXPECT_FALSE(sigismember(&inside, signal)) << signal;
}

TEST(ServiceThreadTest, AThreadThatIsStartedToServeBlocksSignalsAndHasTheName) {
  sigset_t inside;
  char name[16] = {};
  start_service_thread([&] {
    pthread_sigmask(SIG_BLOCK, nullptr, &inside);
    pthread_getname_np(pthread_self(), name, sizeof(name));
  }).join();
  EXPECT_TRUE(sigismember(&inside, SIGTERM));
  EXPECT_FALSE(sigismember(&inside, SIGSEGV));
  EXPECT_STREQ(name, "cornu-service");
}

struct Counted {
  static inline int alive = 0;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};

TEST(PerThreadTest, AThreadsOwnGoesAfterItsThreadLocalObjectsAndComesAgainForThem) {
  static bool found_alive = false;
  struct AsksAtItsEnd {
    ~AsksAtItsEnd() {
      PerThread<Counted>::get();
      found_alive = Counted::alive == 1;
    }
    int used = 0;
  };
  std::thread([] {
    thread_local AsksAtItsEnd asks;
    asks.used = 1;
    EXPECT_EQ(PerThread<Counted>::find(), nullptr);
    EXPECT_EQ(&PerThread<Counted>::get(), &PerThread<Counted>::get());
    EXPECT_EQ(Counted::alive, 1);
  }).join();
  EXPECT_TRUE(found_alive);
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace
}  // namespace cornu::inline v0
