"""finding: kernel-rebuilt"""
import mlx.core as mx


def double(x):
    kernel = mx.fast.metal_kernel(  # here
        name="double_up", input_names=["x"], output_names=["out"],
        source="uint i = thread_position_in_grid.x; out[i] = x[i] * 2.0f;")
    return kernel(inputs=[x], grid=(x.size, 1, 1), threadgroup=(256, 1, 1),
                  output_shapes=[x.shape], output_dtypes=[x.dtype])[0]


x = mx.random.uniform(shape=(1 << 24,))
mx.eval(x)
for _ in range(12):
    mx.eval(double(x))
