"""finding: unfused-chain"""
import mlx.core as mx


def gelu(x):
    cubic = x + 0.044715 * (x * x * x)
    return 0.5 * x * (1 + mx.tanh(0.7978845608 * cubic))  # here


weights = mx.random.normal(shape=(256, 256))
x = mx.random.normal(shape=(8192, 256))
mx.eval(x, weights)
for _ in range(12):
    mx.eval(gelu(x) @ weights)
