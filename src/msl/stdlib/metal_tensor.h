// Tensors: views of memory with a shape and strides, both counted in elements. Dimension 0 comes
// first everywhere: a matrix with rows in memory one after another is (columns, rows).
#pragma once

#include <metal_stdlib>

namespace metal {

constexpr constant size_t dynamic_extent = size_t(-1);

// Sizes of a tensor, each known to the compiler or dynamic_extent.
template <typename Index, size_t... Sizes>
struct extents {
  typedef Index index_type;
  typedef size_t size_type;
  typedef size_t rank_type;

  METAL_FUNC static constexpr rank_type rank() { return sizeof...(Sizes); }
  METAL_FUNC static constexpr rank_type rank_dynamic() {
    return (rank_type(Sizes == dynamic_extent) + ... + 0);
  }
  METAL_FUNC static constexpr size_t static_extent(rank_type dimension) {
    const size_t sizes[] = {Sizes..., 0};
    return sizes[dimension];
  }

  METAL_FUNC constexpr extents() {
    for (rank_type i = 0; i < rank(); ++i) set(i, 0);
  }
  // One size for each dimension, or for each dynamic one.
  template <typename... I, typename = enable_if_t<(sizeof...(I) > 0) &&
                                                  (sizeof...(I) == sizeof...(Sizes) ||
                                                   sizeof...(I) == rank_dynamic())>>
  METAL_FUNC constexpr extents(I... sizes) {
    const Index values[] = {Index(sizes)...};
    rank_type next = 0;
    for (rank_type i = 0; i < rank(); ++i) {
      const bool has_value = sizeof...(I) == rank() || static_extent(i) == dynamic_extent;
      set(i, has_value ? values[next] : 0);
      next += has_value;
    }
  }

  METAL_FUNC constexpr Index extent(rank_type dimension) const ASSAY_ANY {
    return sizes_[dimension];
  }

 private:
  METAL_FUNC constexpr void set(rank_type dimension, Index size) {
    const bool is_dynamic = static_extent(dimension) == dynamic_extent;
    sizes_[dimension] = is_dynamic ? size : Index(static_extent(dimension));
  }

  Index sizes_[sizeof...(Sizes) + 1] = {};
};

namespace __assay {

template <typename Index, size_t Rank, size_t... Sizes>
struct dynamic_extents : dynamic_extents<Index, Rank - 1, Sizes..., dynamic_extent> {};
template <typename Index, size_t... Sizes>
struct dynamic_extents<Index, 0, Sizes...> : type_identity<extents<Index, Sizes...>> {};

}  // namespace __assay

template <typename Index, size_t Rank>
using dextents = typename __assay::dynamic_extents<Index, Rank>::type;

namespace __assay {

// How elements lie in memory: `stored` is what a pointer to them points to.
template <typename T>
struct tensor_element {
  typedef remove_cv_t<remove_addrspace_t<T>> value_type;
  typedef T stored;

  METAL_FUNC static value_type read(stored* data, long at) { return data[at]; }
  template <typename V>
  METAL_FUNC static void write(stored* data, long at, V value) {
    data[at] = value_type(value);
  }
};

template <int Bits, bool Signed, typename Byte>
struct packed_element {
  typedef conditional_t<Signed, char, uchar> value_type;
  typedef Byte stored;

  METAL_FUNC static value_type read(stored* data, long at) {
    const long bit = at * Bits;
    const uint value = uint(data[bit / 8]) >> uint(bit % 8);
    if constexpr (Signed) return value_type(int(value << (32 - Bits)) >> (32 - Bits));
    return value_type(value & ((1u << Bits) - 1));
  }
};
#define ASSAY_PACKED_ELEMENT(...)                            \
  template <int Bits, bool Signed>                           \
  struct tensor_element<__VA_ARGS__ __packed_format<Bits, Signed>> \
      : packed_element<Bits, Signed, __VA_ARGS__ uchar> {};
ASSAY_PACKED_ELEMENT(device)
ASSAY_PACKED_ELEMENT(const device)
ASSAY_PACKED_ELEMENT(threadgroup)
ASSAY_PACKED_ELEMENT(const threadgroup)
ASSAY_PACKED_ELEMENT(constant)
#undef ASSAY_PACKED_ELEMENT

}  // namespace __assay

// Who knows a tensor's shape: the kernel, or the host that made the tensor.
struct tensor_inline {};
struct tensor_handle {};
struct tensor_offset {};

template <typename Element, typename Extents, typename Descriptor = tensor_handle,
          typename... Tags>
struct tensor;

#define ASSAY_NO_TENSOR(descriptor)                                                             \
  template <typename Element, typename Extents, typename... Tags>                               \
  struct __attribute__((unavailable(                                                            \
      "tensors of the host (" #descriptor ") are not supported by assay; take the buffer as a " \
      "pointer and make a tensor_inline of it"))) tensor<Element, Extents, descriptor, Tags...> {};
ASSAY_NO_TENSOR(tensor_handle)
ASSAY_NO_TENSOR(tensor_offset)
#undef ASSAY_NO_TENSOR

template <typename Element, typename Extents, typename... Tags>
struct tensor<Element, Extents, tensor_inline, Tags...> {
  typedef __assay::tensor_element<Element> access;
  typedef Element element_type;
  typedef typename access::value_type value_type;
  typedef typename access::stored* data_handle_type;
  typedef Extents extents_type;
  typedef typename Extents::index_type index_type;
  typedef size_t rank_type;

  tensor() = default;
  // Elements one after another.
  METAL_FUNC tensor(data_handle_type data, Extents sizes) : data_(data), extents_(sizes) {
    index_type stride = 1;
    for (rank_type i = 0; i < get_rank(); ++i) {
      strides_[i] = stride;
      stride *= sizes.extent(i);
    }
  }
  template <typename I, size_t N>
  METAL_FUNC tensor(data_handle_type data, Extents sizes, array<I, N> strides)
      : data_(data), extents_(sizes) {
    static_assert(N == Extents::rank(), "a tensor takes one stride for each dimension");
    for (rank_type i = 0; i < N; ++i) strides_[i] = index_type(strides[i]);
  }

  METAL_FUNC static constexpr rank_type get_rank() { return Extents::rank(); }
  METAL_FUNC static constexpr size_t get_static_extent(rank_type dimension) {
    return Extents::static_extent(dimension);
  }
  METAL_FUNC index_type get_extent(rank_type dimension) const {
    return extents_.extent(dimension);
  }
  METAL_FUNC index_type get_stride(rank_type dimension) const { return strides_[dimension]; }
  METAL_FUNC Extents extents() const { return extents_; }
  METAL_FUNC data_handle_type data_handle() const { return data_; }

  template <typename I, size_t N>
  METAL_FUNC auto& operator[](array<I, N> index) const {
    static_assert(N == Extents::rank(), "a tensor takes one index for each dimension");
    return data_[offset(index)];
  }

  // The part from `origin` on: all of it, or as many elements as the template arguments say.
  template <size_t... Sizes, typename... I>
  METAL_FUNC auto slice(I... origin) const {
    static_assert(sizeof...(I) == Extents::rank(), "a slice starts at one index per dimension");
    static_assert(sizeof...(Sizes) == 0 || sizeof...(Sizes) == Extents::rank(),
                  "a slice has one size for each dimension");
    const array<index_type, sizeof...(I)> start = {index_type(origin)...};
    return from<conditional_t<sizeof...(Sizes) == 0, dextents<index_type, sizeof...(I)>,
                              metal::extents<index_type, Sizes...>>>(start);
  }
  template <size_t... Sizes, typename... I>
  METAL_FUNC auto static_slice(I... origin) const {
    return slice<Sizes...>(origin...);
  }

  // For the library: an element by its index, inside of the tensor or not.
  template <typename I, size_t N>
  METAL_FUNC bool __contains(array<I, N> index) const {
    bool is_inside = true;
    for (rank_type i = 0; i < N; ++i) {
      const bool is_known = get_static_extent(i) != dynamic_extent;
      is_inside = is_inside && (is_known || (index[i] >= 0 && index[i] < get_extent(i)));
    }
    return is_inside;
  }
  template <typename I, size_t N>
  METAL_FUNC value_type __read(array<I, N> index) const {
    return access::read(data_, offset(index));
  }
  template <typename V, typename I, size_t N>
  METAL_FUNC void __write(array<I, N> index, V value) const {
    access::write(data_, offset(index), value);
  }

 private:
  template <typename, typename, typename, typename...>
  friend struct tensor;

  template <typename Part, size_t N>
  METAL_FUNC tensor<Element, Part, tensor_inline, Tags...> from(array<index_type, N> start) const {
    tensor<Element, Part, tensor_inline, Tags...> part;
    part.data_ = data_;
    part.first_ = offset(start);
    part.extents_ = remaining<Part>(start, __make_integer_seq<sequence, size_t, N>());
    part.strides_ = strides_;
    return part;
  }
  template <typename T, T...>
  struct sequence {};
  template <typename Part, size_t N, size_t... I>
  METAL_FUNC Part remaining(array<index_type, N> start, sequence<size_t, I...>) const {
    return Part((get_extent(I) - start[I])...);
  }

  template <typename I, size_t N>
  METAL_FUNC long offset(array<I, N> index) const {
    long at = first_;
    for (rank_type i = 0; i < N; ++i) at += long(index[i]) * long(strides_[i]);
    return at;
  }

  data_handle_type data_;
  long first_ = 0;  // element of data_ that index 0 stands for
  Extents extents_;
  array<index_type, Extents::rank()> strides_;
};

template <typename Element, typename Index, size_t... Sizes>
tensor(Element*, extents<Index, Sizes...>)
    -> tensor<Element, extents<Index, Sizes...>, tensor_inline>;
template <typename Element, typename Index, size_t... Sizes, typename I, size_t N>
tensor(Element*, extents<Index, Sizes...>, array<I, N>)
    -> tensor<Element, extents<Index, Sizes...>, tensor_inline>;

template <typename T>
struct is_tensor_inline : false_type {};
template <typename Element, typename Extents, typename... Tags>
struct is_tensor_inline<tensor<Element, Extents, tensor_inline, Tags...>> : true_type {};
template <typename T>
constexpr constant bool is_tensor_inline_v =
    is_tensor_inline<remove_cv_t<remove_addrspace_t<T>>>::value;

}  // namespace metal
