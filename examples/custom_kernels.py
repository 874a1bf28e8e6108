"""Kernels written in the Metal Shading Language, called from Python.

    assay run examples/custom_kernels.py

Each example compares its kernel with the same work in array ops.
"""

import mlx.core as mx


def elementwise_exp(a):
    """One thread per element."""
    kernel = mx.fast.metal_kernel(
        name="elementwise_exp",
        input_names=["inp"],
        output_names=["out"],
        source="""
            uint i = thread_position_in_grid.x;
            out[i] = T(metal::exp(float(inp[i])));
        """,
    )
    (out,) = kernel(
        inputs=[a],
        template=[("T", a.dtype)],
        grid=(a.size, 1, 1),
        threadgroup=(256, 1, 1),
        output_shapes=[a.shape],
        output_dtypes=[a.dtype],
    )
    return out


def row_sum(a):
    """One threadgroup per row: each simdgroup adds its lanes, then the first one adds the rest."""
    rows, columns = a.shape
    threads = 128
    kernel = mx.fast.metal_kernel(
        name="row_sum",
        input_names=["inp"],
        output_names=["out"],
        source="""
            threadgroup float partial[32];
            uint row = threadgroup_position_in_grid.x;
            uint columns = inp_shape[1];
            float sum = 0.0f;
            for (uint c = thread_index_in_threadgroup; c < columns; c += threads_per_threadgroup.x) {
                sum += float(inp[row * columns + c]);
            }
            sum = simd_sum(sum);
            if (thread_index_in_simdgroup == 0) {
                partial[simdgroup_index_in_threadgroup] = sum;
            }
            threadgroup_barrier(mem_flags::mem_threadgroup);
            if (simdgroup_index_in_threadgroup == 0) {
                uint lane = thread_index_in_simdgroup;
                float rest = lane < simdgroups_per_threadgroup ? partial[lane] : 0.0f;
                rest = simd_sum(rest);
                if (lane == 0) out[row] = rest;
            }
        """,
    )
    (out,) = kernel(
        inputs=[a],
        grid=(rows * threads, 1, 1),
        threadgroup=(threads, 1, 1),
        output_shapes=[(rows,)],
        output_dtypes=[mx.float32],
    )
    return out


def strided_exp(a):
    """Reads a view where it lies: no copy is made for the kernel."""
    kernel = mx.fast.metal_kernel(
        name="strided_exp",
        input_names=["inp"],
        output_names=["out"],
        source="""
            uint i = thread_position_in_grid.x;
            out[i] = metal::exp(inp[elem_to_loc(i, inp_shape, inp_strides, inp_ndim)]);
        """,
        ensure_row_contiguous=False,
    )
    (out,) = kernel(
        inputs=[a],
        grid=(a.size, 1, 1),
        threadgroup=(256, 1, 1),
        output_shapes=[a.shape],
        output_dtypes=[a.dtype],
    )
    return out


def scatter_sum(values, places, length):
    """Many threads may hit one place, so the additions are atomic."""
    kernel = mx.fast.metal_kernel(
        name="scatter_sum",
        input_names=["values", "places"],
        output_names=["out"],
        source="""
            uint i = thread_position_in_grid.x;
            atomic_fetch_add_explicit(&out[places[i]], values[i], memory_order_relaxed);
        """,
        atomic_outputs=True,
    )
    (out,) = kernel(
        inputs=[values, places],
        grid=(values.size, 1, 1),
        threadgroup=(256, 1, 1),
        output_shapes=[(length,)],
        output_dtypes=[mx.float32],
        init_value=0,
    )
    return out


def with_debug_output(a):
    """A second output shows what the kernel saw on its way."""
    kernel = mx.fast.metal_kernel(
        name="with_debug_output",
        input_names=["inp"],
        output_names=["out", "debug"],
        source="""
            uint i = thread_position_in_grid.x;
            float scaled = inp[i] * 0.5f;
            debug[i] = scaled;
            out[i] = scaled * scaled;
        """,
    )
    return kernel(
        inputs=[a],
        grid=(a.size, 1, 1),
        threadgroup=(64, 1, 1),
        output_shapes=[a.shape, a.shape],
        output_dtypes=[mx.float32, mx.float32],
    )


def report(name, got, expected):
    difference = mx.max(mx.abs(got - expected)).item()
    print(f"{name:<16} largest difference {difference:.2e}")
    assert mx.allclose(got, expected, rtol=1e-4, atol=1e-4).item(), name


def main():
    mx.random.seed(7)
    a = mx.random.normal(shape=(97, 1001))
    report("exp", elementwise_exp(a), mx.exp(a))
    report("row sum", row_sum(a), mx.sum(a, axis=1))
    report("strided exp", strided_exp(a.T[::2]), mx.exp(a.T[::2]))

    values = mx.random.uniform(shape=(5000,))
    places = mx.random.randint(0, 13, shape=(5000,))
    expected = mx.stack([mx.sum(mx.where(places == k, values, 0.0)) for k in range(13)])
    report("scatter", scatter_sum(values, places, 13), expected)

    out, debug = with_debug_output(a[0])
    report("debug output", out, mx.square(debug))
    print("first debug values:", debug[:4].tolist())


if __name__ == "__main__":
    main()
