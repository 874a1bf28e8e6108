"""finding: forced-copy"""
import mlx.core as mx

x = mx.random.uniform(shape=(2048, 1024))
mx.eval(x)
for _ in range(12):
    mx.eval(mx.softmax(x.T, axis=-1))  # here
