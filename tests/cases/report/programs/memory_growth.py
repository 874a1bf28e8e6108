"""finding: memory-growth"""
import mlx.core as mx

x = mx.random.uniform(shape=(1 << 19,))
history = []
for _ in range(60):
    x = mx.sin(x)  # here
    mx.eval(x)
    history.append(x)
