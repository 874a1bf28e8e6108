import mlx.core as mx
