"""finding: unfused-chain"""
import mlx.core as mx

x = mx.random.uniform(shape=(1 << 22,))
mx.eval(x)
for _ in range(12):
    mx.eval(mx.sqrt(mx.abs(mx.square(x + 1))))  # here
