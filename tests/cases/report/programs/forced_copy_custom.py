"""finding: forced-copy"""
import mlx.core as mx

double = mx.fast.metal_kernel(
    name="double_up", input_names=["x"], output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = x[i] * 2.0f;")
x = mx.random.uniform(shape=(2048, 1024))
mx.eval(x)
for _ in range(12):
    columns = x.T
    (y,) = double(inputs=[columns], grid=(x.size, 1, 1), threadgroup=(256, 1, 1),  # here
                  output_shapes=[columns.shape], output_dtypes=[x.dtype])
    mx.eval(y)
