"""finding: read-in-loop"""
import mlx.core as mx

values = mx.random.uniform(shape=(1000,))
mx.eval(values)
total = 0.0
for number in range(1000):
    total += mx.sum(values * number).item()  # here
