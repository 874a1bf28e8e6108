"""A kernel that does not compile."""
import mlx.core as mx

kernel = mx.fast.metal_kernel(
    name="no_semicolon", input_names=["x"], output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = x[i] * 2")
reference = mx.square
