"""finding: read-in-loop"""
import mlx.core as mx
import numpy as np

x = mx.random.uniform(shape=(1 << 18,))
mx.eval(x)
best = []
for number in range(60):
    scores = np.array(x * number)  # here
    best.append(float(np.sort(scores)[-10:].sum()))
