"""finding: none"""
import mlx.core as mx

weights = [mx.random.normal(shape=(768, 768)) * 0.03 for _ in range(3)]
x = mx.random.normal(shape=(1024, 768))
mx.eval(weights, x)


@mx.compile
def forward(x):
    for each in weights:
        x = mx.maximum(x @ each, 0)
    return x


for _ in range(12):
    mx.eval(forward(x))
