// In libcornu.so static objects register their destructors here (see cmake/Library.cmake), and are never
// destroyed: the system takes all back when the process ends. So exit() takes neither LLVM's nor our own from
// under a thread that compiles or trains, and destructors of the program's own statics and its atexit
// handlers may compute. Decision 0018 says more.
//
// What must not depend on its destructor, then: a static that writes something out. <iostream> brings one;
// tests/ends looks for it.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's name.
extern "C" int __wrap___cxa_atexit(void (*destroy)(void*), void* object, void* library);

extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
