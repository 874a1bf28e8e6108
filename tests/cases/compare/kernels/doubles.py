"""A kernel that is right."""
import mlx.core as mx

kernel = mx.fast.metal_kernel(
    name="doubles", input_names=["x"], output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = x[i] * 2;")
sizes = [0, 1, 33, 1009, (7, 31)]


def reference(x):
    return x + x
