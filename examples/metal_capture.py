"""Captures two streams and the place where they join.

    MTL_CAPTURE_ENABLED=1 assay run examples/metal_capture.py [FILE]
    assay trace summary metal_capture.gputrace
    assay replay metal_capture.gputrace
"""

import sys

import mlx.core as mx


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "metal_capture.gputrace"
    mx.random.seed(7)
    a = mx.random.uniform(shape=(512, 512))
    b = mx.random.uniform(shape=(512, 512))
    mx.eval(a, b)  # before the capture, so that it holds nothing but what follows

    first = mx.new_stream(mx.gpu)
    second = mx.new_stream(mx.gpu)
    with mx.metal.capture(path):
        with mx.stream(first):
            left = mx.softmax(a @ b, axis=-1)
        with mx.stream(second):
            right = mx.sin(a) + mx.cos(b)
        joined = (left * right).sum()  # needs both streams
        mx.eval(joined)
    print(f"sum: {joined.item():.3f}")
    print(f"captured to {path}")


if __name__ == "__main__":
    main()
