"""finding: kernel-rebuilt"""
import mlx.core as mx

x = mx.random.uniform(shape=(1 << 20,))
mx.eval(x)
for number in range(12):
    kernel = mx.fast.metal_kernel(  # here
        name="scale", input_names=["x"], output_names=["out"],
        source=f"uint i = thread_position_in_grid.x; out[i] = x[i] * {number}.0f;")
    mx.eval(kernel(inputs=[x], grid=(x.size, 1, 1), threadgroup=(256, 1, 1),
                   output_shapes=[x.shape], output_dtypes=[x.dtype])[0])
