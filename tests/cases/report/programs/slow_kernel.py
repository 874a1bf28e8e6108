"""finding: slow-kernel"""
import mlx.core as mx

# One thread adds up everything.
total = mx.fast.metal_kernel(
    name="total", input_names=["x"], output_names=["out"],
    source="""
        if (thread_position_in_grid.x != 0) return;
        float sum = 0;
        for (int i = 0; i < x_shape[0]; i += 1) sum = metal::sin(sum + x[i]);
        out[0] = sum;
    """)
x = mx.random.uniform(shape=(1 << 20,))
mx.eval(x)
for _ in range(6):
    (y,) = total(inputs=[x], grid=(32, 1, 1), threadgroup=(32, 1, 1),  # here
                 output_shapes=[(1,)], output_dtypes=[x.dtype])
    mx.eval(y)
