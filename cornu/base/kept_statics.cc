// In libcornu.so static objects register their destructors here (see cmake/Library.cmake) and are never
// destroyed: the system frees everything when the process ends. So exit() does not destroy LLVM's or Cornu's
// statics under a thread that compiles or trains, and destructors of the program's own statics and its atexit
// handlers may compute. See decision 0018.
//
// So no static may depend on its destructor, for example to write buffered output. <iostream> has such a
// static; tests/ends checks for it.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's name.
extern "C" int __wrap___cxa_atexit(void (*destroy)(void*), void* object, void* library);

extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
