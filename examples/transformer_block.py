"""One block of a transformer with random weights, eager and compiled.

    assay run examples/transformer_block.py
"""

import math
import time

import mlx.core as mx

WIDTH, HEADS, LENGTH, BATCH = 256, 8, 128, 2


def make_weights():
    def dense(rows, columns):
        return mx.random.normal(shape=(rows, columns)) / math.sqrt(rows)

    return {
        "attention_norm": mx.ones((WIDTH,)),
        "queries": dense(WIDTH, WIDTH),
        "keys": dense(WIDTH, WIDTH),
        "values": dense(WIDTH, WIDTH),
        "output": dense(WIDTH, WIDTH),
        "feed_norm": mx.ones((WIDTH,)),
        "gate": dense(WIDTH, 4 * WIDTH),
        "up": dense(WIDTH, 4 * WIDTH),
        "down": dense(4 * WIDTH, WIDTH),
    }


def split_heads(x):
    return x.reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)


def attention(x, weights):
    queries = mx.fast.rope(
        split_heads(x @ weights["queries"]), WIDTH // HEADS, traditional=False, base=10000.0,
        scale=1.0, offset=0,
    )
    keys = mx.fast.rope(
        split_heads(x @ weights["keys"]), WIDTH // HEADS, traditional=False, base=10000.0,
        scale=1.0, offset=0,
    )
    values = split_heads(x @ weights["values"])
    mixed = mx.fast.scaled_dot_product_attention(
        queries, keys, values, scale=1.0 / math.sqrt(WIDTH // HEADS), mask="causal"
    )
    return mixed.transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, WIDTH) @ weights["output"]


def feed_forward(x, weights):
    gate = x @ weights["gate"]
    return (gate * mx.sigmoid(gate) * (x @ weights["up"])) @ weights["down"]


def block(x, weights):
    x = x + attention(mx.fast.rms_norm(x, weights["attention_norm"], 1e-5), weights)
    return x + feed_forward(mx.fast.rms_norm(x, weights["feed_norm"], 1e-5), weights)


def milliseconds(function, *arguments):
    mx.eval(function(*arguments))
    start = time.perf_counter()
    for _ in range(10):
        mx.eval(function(*arguments))
    return (time.perf_counter() - start) * 100


def main():
    mx.random.seed(1)
    weights = make_weights()
    x = mx.random.normal(shape=(BATCH, LENGTH, WIDTH))
    compiled = mx.compile(block)
    eager_out, compiled_out = block(x, weights), compiled(x, weights)
    mx.eval(eager_out, compiled_out)
    difference = mx.max(mx.abs(eager_out - compiled_out)).item()
    print(f"eager    {milliseconds(block, x, weights):8.2f} ms")
    print(f"compiled {milliseconds(compiled, x, weights):8.2f} ms")
    print(f"largest difference {difference:.2e}")
    assert difference < 1e-4


if __name__ == "__main__":
    main()
