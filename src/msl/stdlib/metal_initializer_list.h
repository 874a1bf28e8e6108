// initializer_list: what the compiler makes of braces for a parameter of this type. It looks for
// the class in namespace std and knows its layout: the first element and their number. It wants the
// pointer without an address space; the elements are in thread memory.
#pragma once

#include "metal_types.h"

namespace std {

template <typename T>
class initializer_list {
 public:
  typedef T value_type;
  typedef size_t size_type;
  typedef const thread T* iterator;
  typedef const thread T* const_iterator;

  constexpr initializer_list() : first_(nullptr), size_(0) {}
  METAL_FUNC constexpr size_t size() const { return size_; }
  METAL_FUNC const thread T* begin() const { return __builtin_bit_cast(const thread T*, first_); }
  METAL_FUNC const thread T* end() const { return begin() + size_; }

 private:
  __decay(const T[1]) first_;
  size_t size_;
};

}  // namespace std

namespace metal {

using std::initializer_list;

}  // namespace metal
