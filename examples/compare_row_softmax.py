"""A custom kernel and what it should give, for assay compare.

    assay compare examples/compare_row_softmax.py

One threadgroup works on a row. The comparison runs it on rows shorter and longer than a threadgroup,
in every layout that the kernel may meet, because it reads its input where it lies.
"""

import mlx.core as mx

kernel = mx.fast.metal_kernel(
    name="row_softmax",
    input_names=["inp"],
    output_names=["out"],
    ensure_row_contiguous=False,
    source="""
        threadgroup float partial[32];
        uint row = threadgroup_position_in_grid.x;
        uint thread_index = thread_index_in_threadgroup;
        uint columns = inp_shape[1];
        // Strides may be negative: offsets are signed.
        int64_t start = int64_t(row) * inp_strides[0];

        float largest = -INFINITY;
        for (uint c = thread_index; c < columns; c += threads_per_threadgroup.x) {
            largest = metal::max(largest, float(inp[start + int64_t(c) * inp_strides[1]]));
        }
        largest = simd_max(largest);
        if (thread_index_in_simdgroup == 0) partial[simdgroup_index_in_threadgroup] = largest;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint s = 0; s < simdgroups_per_threadgroup; ++s) {
            largest = metal::max(largest, partial[s]);
        }
        // Nobody may write the second sums before everybody has read the first maxima.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        float sum = 0.0f;
        for (uint c = thread_index; c < columns; c += threads_per_threadgroup.x) {
            sum += metal::exp(float(inp[start + int64_t(c) * inp_strides[1]]) - largest);
        }
        sum = simd_sum(sum);
        if (thread_index_in_simdgroup == 0) partial[simdgroup_index_in_threadgroup] = sum;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        sum = 0.0f;
        for (uint s = 0; s < simdgroups_per_threadgroup; ++s) sum += partial[s];

        for (uint c = thread_index; c < columns; c += threads_per_threadgroup.x) {
            float x = float(inp[start + int64_t(c) * inp_strides[1]]);
            out[row * columns + c] = T(metal::exp(x - largest) / sum);
        }
    """,
)


def reference(x):
    return mx.softmax(x.astype(mx.float32), axis=-1)


def launch(inputs, threadgroup):
    (x,) = inputs
    return {
        "grid": (x.shape[0] * threadgroup[0], 1, 1),
        "threadgroup": threadgroup,
        "template": [("T", x.dtype)],
        "output_shapes": [x.shape],
        "output_dtypes": [x.dtype],
    }


sizes = [(1, 1), (3, 31), (1, 257), (7, 1009), (2, 4099), (65, 33)]
dtypes = ["float32", "float16", "bfloat16"]
threadgroups = [32, 256, 1024]
tolerance_ulps = {"float32": 8, "float16": 1, "bfloat16": 1}
