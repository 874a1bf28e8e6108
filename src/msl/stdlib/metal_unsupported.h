// Names of Metal features that assay does not run. They exist so that their use is reported as
// such, by the feature's name, and not as an unknown identifier.
#pragma once

#include "metal_vector.h"

#define ASSAY_UNSUPPORTED(feature) \
  __attribute__((unavailable(feature " are not supported by assay")))

namespace metal {

enum class access { sample, read, write, read_write };
enum memory_coherence { memory_coherence_threadgroup, memory_coherence_device };

#define ASSAY_TEXTURE_ATOMIC(result, name) \
  template <typename... Args>              \
  result name(Args...) const ASSAY_ANY;

// Members exist so that one use gives one error, at the type.
#define ASSAY_NO_TEXTURE(name, result)                    \
  template <typename T, access A = access::sample,        \
            memory_coherence M = memory_coherence_threadgroup> \
  struct ASSAY_UNSUPPORTED("textures (" #name ")") name { \
    template <typename... Args>                           \
    result read(Args...) const ASSAY_ANY;                 \
    template <typename... Args>                           \
    result sample(Args...) const ASSAY_ANY;               \
    template <typename... Args>                           \
    vec<T, 4> gather(Args...) const ASSAY_ANY;            \
    template <typename... Args>                           \
    void write(Args...) const ASSAY_ANY;                  \
    void fence() const ASSAY_ANY;                         \
    ASSAY_TEXTURE_ATOMIC(result, atomic_load)             \
    ASSAY_TEXTURE_ATOMIC(void, atomic_store)              \
    ASSAY_TEXTURE_ATOMIC(result, atomic_exchange)         \
    ASSAY_TEXTURE_ATOMIC(bool, atomic_compare_exchange_weak) \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_add)        \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_sub)        \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_and)        \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_or)         \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_xor)        \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_max)        \
    ASSAY_TEXTURE_ATOMIC(result, atomic_fetch_min)        \
    ASSAY_TEXTURE_ATOMIC(void, atomic_max)                \
    ASSAY_TEXTURE_ATOMIC(void, atomic_min)                \
    template <typename... Args>                           \
    uint get_width(Args...) const ASSAY_ANY;              \
    template <typename... Args>                           \
    uint get_height(Args...) const ASSAY_ANY;             \
    template <typename... Args>                           \
    uint get_depth(Args...) const ASSAY_ANY;              \
    uint get_array_size() const ASSAY_ANY;                \
    uint get_num_mip_levels() const ASSAY_ANY;            \
    uint get_num_samples() const ASSAY_ANY;               \
  };
ASSAY_NO_TEXTURE(texture1d, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture1d_array, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture2d, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture2d_array, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture2d_ms, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture2d_ms_array, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture3d, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texturecube, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texturecube_array, __assay::vec4<T>)
ASSAY_NO_TEXTURE(texture_buffer, __assay::vec4<T>)
ASSAY_NO_TEXTURE(depth2d, T)
ASSAY_NO_TEXTURE(depth2d_array, T)
ASSAY_NO_TEXTURE(depth2d_ms, T)
ASSAY_NO_TEXTURE(depth2d_ms_array, T)
ASSAY_NO_TEXTURE(depthcube, T)
ASSAY_NO_TEXTURE(depthcube_array, T)
#undef ASSAY_NO_TEXTURE
#undef ASSAY_TEXTURE_ATOMIC

enum class coord { normalized, pixel };
enum class address { clamp_to_edge, clamp_to_zero, clamp_to_border, repeat, mirrored_repeat };
enum class filter { nearest, linear, bicubic };
enum class mip_filter { none, nearest, linear };
enum class compare_func {
  never,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  always
};

enum class border_color { transparent_black, opaque_black, opaque_white };
enum class reduction_mode { weighted_average, min, max };

struct max_anisotropy { constexpr explicit max_anisotropy(int) {} };
struct lod_clamp { constexpr lod_clamp(float, float) {} };

// See sampling_tokens.h.
namespace __assay::sampling {
struct level { explicit level(float) {} };
struct bias { explicit bias(float) {} };
struct min_lod_clamp { explicit min_lod_clamp(float) {} };
struct gradient2d { gradient2d(float2, float2) {} };
struct gradient3d { gradient3d(float3, float3) {} };
struct gradientcube { gradientcube(float3, float3) {} };
enum class component { x, y, z, w };
}  // namespace __assay::sampling

struct ASSAY_UNSUPPORTED("samplers") sampler {
  template <typename... Args>
  constexpr sampler(Args...) {}
  template <typename... Args>
  constexpr sampler(Args...) constant {}
};

// Ray tracing and function tables.
template <typename... T>
struct ASSAY_UNSUPPORTED("visible function tables") visible_function_table {};
template <typename... T>
struct ASSAY_UNSUPPORTED("intersection function tables") intersection_function_table {};

namespace raytracing {

// What acceleration structures and intersectors are tagged with.
struct instancing {};
struct primitive_motion {};
struct instance_motion {};
struct triangle_data {};
struct curve_data {};
struct world_space_data {};
struct extended_limits {};

template <typename... T>
struct ASSAY_UNSUPPORTED("acceleration structures") acceleration_structure {};
struct ASSAY_UNSUPPORTED("acceleration structures") primitive_acceleration_structure {};
struct ASSAY_UNSUPPORTED("acceleration structures") instance_acceleration_structure {};
struct ASSAY_UNSUPPORTED("rays") ray {
  float3 origin;
  float3 direction;
  float min_distance;
  float max_distance;
};
template <typename... T>
struct ASSAY_UNSUPPORTED("intersection queries") intersection_query {};
struct ASSAY_UNSUPPORTED("intersection parameters") intersection_params {};
enum class intersection_type { none, triangle, bounding_box, curve };
enum class geometry_type { none = 0, triangle = 1, bounding_box = 2, curve = 4, all = 7 };
enum class geometry_cull_mode { none, triangle, bounding_box, curve };
enum class triangle_cull_mode { none, front, back };
enum class opacity_cull_mode { none, opaque, non_opaque };
enum class forced_opacity { none, opaque, non_opaque };
template <typename... T>
struct ASSAY_UNSUPPORTED("intersection results") intersection_result {
  intersection_type type;
  float distance;
  uint primitive_id;
  uint geometry_id;
  uint instance_id;
  uint user_instance_id;
  float2 triangle_barycentric_coord;
  bool triangle_front_facing;
};
template <typename... T>
struct ASSAY_UNSUPPORTED("intersectors") intersector {
  using result_type = intersection_result<T...>;
  void assume_geometry_type(geometry_type) ASSAY_ANY;
  void force_opacity(forced_opacity) ASSAY_ANY;
  void accept_any_intersection(bool) ASSAY_ANY;
  void set_geometry_cull_mode(geometry_cull_mode) ASSAY_ANY;
  void set_triangle_cull_mode(triangle_cull_mode) ASSAY_ANY;
  void set_opacity_cull_mode(opacity_cull_mode) ASSAY_ANY;
  template <typename... Args>
  result_type intersect(Args...) const ASSAY_ANY;
};

}  // namespace raytracing

// Graphics and indirect commands.
template <typename... T>
struct ASSAY_UNSUPPORTED("imageblocks") imageblock {};
struct imageblock_layout_implicit {};
struct imageblock_layout_explicit {};
enum class topology { point, line, triangle };
template <typename Vertex, typename Primitive, unsigned vertices, unsigned primitives, topology t>
struct ASSAY_UNSUPPORTED("meshes") mesh {};
struct ASSAY_UNSUPPORTED("mesh grids") mesh_grid_properties {};
struct ASSAY_UNSUPPORTED("indirect command buffers") command_buffer {};
struct ASSAY_UNSUPPORTED("indirect commands") compute_command {};
struct ASSAY_UNSUPPORTED("indirect commands") render_command {};

}  // namespace metal
