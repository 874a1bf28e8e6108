// cooperative_tensor: elements spread over the threads that carry out an operation. The layout says
// which element is where:
//   capacity               elements that a thread keeps
//   is_valid(i)            whether element i of the calling thread is one of the tensor
//   is_owner(i)            whether it is the one to store, where threads share an element
//   coordinates(i)         where it is in the tensor, (column, row) of a matrix
#pragma once

#include "metal_execution.h"
#include "metal_tensor.h"

namespace metal {

template <typename Element, typename Extents, typename Layout>
struct cooperative_tensor {
  typedef Element element_type;
  typedef Element value_type;
  typedef Extents extents_type;
  typedef typename Extents::index_type index_type;
  typedef Layout layout;
  typedef array<index_type, Extents::rank()> coordinates_type;

  template <typename Tensor>
  struct __iterator {
    METAL_FUNC auto& operator*() const { return (*tensor_)[index_]; }
    METAL_FUNC thread __iterator& operator++() {
      ++index_;
      return *this;
    }
    METAL_FUNC __iterator operator++(int) { return {tensor_, ushort(index_++)}; }
    METAL_FUNC bool operator==(__iterator other) const { return index_ == other.index_; }
    METAL_FUNC bool operator!=(__iterator other) const { return index_ != other.index_; }
    METAL_FUNC coordinates_type get_multidimensional_index() const {
      return cooperative_tensor::get_multidimensional_index(index_);
    }

    thread Tensor* tensor_;
    ushort index_;
  };
  typedef __iterator<cooperative_tensor> iterator;
  typedef __iterator<const cooperative_tensor> const_iterator;

  METAL_FUNC static constexpr size_t get_rank() { return Extents::rank(); }
  METAL_FUNC static constexpr size_t get_static_extent(size_t dimension) {
    return Extents::static_extent(dimension);
  }
  METAL_FUNC static constexpr ushort get_capacity() { return Layout::capacity; }
  METAL_FUNC static bool is_valid_element(ushort i) { return Layout::is_valid(i); }
  METAL_FUNC static bool get_mask(ushort i) { return Layout::is_valid(i); }
  METAL_FUNC static coordinates_type get_multidimensional_index(ushort i) {
    return Layout::template coordinates<index_type>(i);
  }
  METAL_FUNC static coordinates_type get_multidimensional_index(const_iterator at) {
    return get_multidimensional_index(at.index_);
  }
  METAL_FUNC static coordinates_type get_multidimensional_index(iterator at) {
    return get_multidimensional_index(at.index_);
  }

  METAL_FUNC thread Element& operator[](size_t i) { return elements_[i]; }
  METAL_FUNC const thread Element& operator[](size_t i) const { return elements_[i]; }

  METAL_FUNC iterator begin() { return {this, 0}; }
  METAL_FUNC iterator end() { return {this, get_capacity()}; }
  METAL_FUNC const_iterator begin() const { return {this, 0}; }
  METAL_FUNC const_iterator end() const { return {this, get_capacity()}; }
  METAL_FUNC iterator get_iterator(ushort i) { return {this, i}; }
  METAL_FUNC const_iterator get_iterator(ushort i) const { return {this, i}; }

  // The element here that belongs to the other tensor's one, as a row's sum belongs to its row.
  template <typename Other>
  METAL_FUNC iterator map_iterator(Other at) {
    typedef typename remove_cv_t<remove_addrspace_t<__remove_reference_t(decltype(*at.tensor_))>>::layout
        from;
    return {this, Layout::template map_index<from>(at.index_)};
  }

  // All elements from a tensor of the same shape, and back. What lies outside of it reads as zero
  // and is not written.
  template <typename Tensor>
  METAL_FUNC void load(Tensor source) {
#pragma clang loop unroll_count(Layout::capacity <= kMaxUnrolled ? Layout::capacity : 1)
    for (ushort i = 0; i < Layout::capacity; ++i) {
      const coordinates_type at = get_multidimensional_index(i);
      const bool is_there = Layout::is_valid(i) && source.__contains(at);
      elements_[i] = is_there ? Element(source.__read(at)) : Element(0);
    }
  }
  template <typename Tensor>
  METAL_FUNC void store(Tensor destination) const {
#pragma clang loop unroll_count(Layout::capacity <= kMaxUnrolled ? Layout::capacity : 1)
    for (ushort i = 0; i < Layout::capacity; ++i) {
      const coordinates_type at = get_multidimensional_index(i);
      const bool is_there = Layout::is_owner(i) && destination.__contains(at);
      if (is_there) destination.__write(at, elements_[i]);
    }
  }

  Element elements_[Layout::capacity];

 private:
  // Reads and writes one by one are much code: it takes longer to make than it saves.
  static constexpr constant int kMaxUnrolled = 8;
};

template <typename T>
struct is_cooperative_tensor : false_type {};
template <typename Element, typename Extents, typename Layout>
struct is_cooperative_tensor<cooperative_tensor<Element, Extents, Layout>> : true_type {};
template <typename T>
constexpr constant bool is_cooperative_tensor_v =
    is_cooperative_tensor<remove_cv_t<remove_addrspace_t<T>>>::value;

}  // namespace metal
