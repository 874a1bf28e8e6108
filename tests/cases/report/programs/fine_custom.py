"""finding: none"""
import mlx.core as mx

# One kernel object, a thread for each element, rows as they lie.
double = mx.fast.metal_kernel(
    name="double_up", input_names=["x"], output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = x[i] * 2.0f;")
x = mx.random.uniform(shape=(1 << 23,))
mx.eval(x)
for _ in range(15):
    (y,) = double(inputs=[x], grid=(x.size, 1, 1), threadgroup=(256, 1, 1),
                  output_shapes=[x.shape], output_dtypes=[x.dtype])
    mx.eval(y)
