"""Attention against NumPy in double precision: every form of the kernel, every mask, odd sizes."""

import itertools
import unittest

import assay.core as mx
import numpy as np

GENERATOR = np.random.default_rng(11)
# batch, heads, heads of keys, queries, keys, depth, depth of values: few and many queries for the
# two forms of the kernel, depths that no vector length divides, and one that is too large for it.
SHAPES = [
    (1, 1, 1, 1, 1, 1, 1),
    (2, 3, 3, 1, 77, 64, 64),
    (1, 4, 2, 2, 33, 20, 12),
    (1, 8, 2, 5, 40, 33, 70),
    (2, 2, 1, 31, 64, 16, 24),
    (1, 6, 3, 67, 70, 40, 40),
    (1, 2, 2, 45, 129, 128, 128),
    (1, 1, 1, 3, 9, 300, 5),
    (1, 2, 1, 50, 20, 8, 8),  # more queries than keys: causal hides all keys from some
]


def values(*shape):
    return GENERATOR.normal(size=shape).astype(np.float32)


def softmax(scores):
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)


def reference(q, k, v, scale, mask=None, sinks=None):
    q, k, v = (np.asarray(a, np.float64) for a in (q, k, v))
    repeats = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeats, 1), np.repeat(v, repeats, 1)
    scores = scale * q @ k.swapaxes(-1, -2)
    if mask is not None and mask.dtype == bool:
        scores = np.where(mask, scores, np.finfo(np.float32).min)
    elif mask is not None:
        scores = scores + mask
    if sinks is None:
        return softmax(scores) @ v
    column = np.broadcast_to(np.asarray(sinks, np.float64)[None, :, None, None], scores.shape[:3] + (1,))
    return softmax(np.concatenate([column, scores], -1))[..., 1:] @ v


def causal(queries, keys):
    return np.arange(keys - queries, keys)[:, None] >= np.arange(keys)[None]


class Attention(unittest.TestCase):
    def check(self, q, k, v, found, **with_mask):
        tolerance = {mx.float32: 2e-5, mx.float16: 4e-3, mx.bfloat16: 4e-2}[q.dtype]
        as_numpy = [np.array(a.astype(mx.float32)) for a in (q, k, v)]
        expected = reference(*as_numpy, 0.25, **with_mask)
        self.assertEqual(found.dtype, q.dtype)
        np.testing.assert_allclose(np.array(found.astype(mx.float32)), expected, rtol=tolerance,
                                   atol=tolerance)

    def test_every_shape_mask_and_type(self):
        attend = mx.fast.scaled_dot_product_attention
        cases = [(shape, mx.float32) for shape in SHAPES]
        cases += itertools.product(SHAPES[2:5], (mx.float16, mx.bfloat16))
        for shape, dtype in cases:
            batch, heads, shared, queries, keys, depth, out = shape
            q = mx.array(values(batch, heads, queries, depth)).astype(dtype)
            k = mx.array(values(batch, shared, keys, depth)).astype(dtype)
            v = mx.array(values(batch, shared, keys, out)).astype(dtype)
            with self.subTest(shape=shape, dtype=dtype):
                self.check(q, k, v, attend(q, k, v, scale=0.25))
                self.check(q, k, v, attend(q, k, v, scale=0.25, mask="causal"),
                           mask=causal(queries, keys))
                picks = GENERATOR.random((batch, 1, queries, keys)) > 0.3
                self.check(q, k, v, attend(q, k, v, scale=0.25, mask=mx.array(picks)), mask=picks)
                added = GENERATOR.integers(-8, 8, (heads, 1, keys)).astype(np.float32) / 4
                self.check(q, k, v,
                           attend(q, k, v, scale=0.25, mask=mx.array(added).astype(dtype)),
                           mask=added)
                sinks = GENERATOR.integers(-4, 4, (heads,)).astype(np.float32) / 2
                self.check(q, k, v,
                           attend(q, k, v, scale=0.25, sinks=mx.array(sinks).astype(dtype)),
                           sinks=sinks)

    def test_inputs_that_are_views(self):
        for queries in (2, 37):
            q = mx.array(values(2, queries, 4, 24)).transpose(0, 2, 1, 3)
            k = mx.array(values(2, 50, 2, 48))[..., ::2].transpose(0, 2, 1, 3)
            v = mx.array(values(2, 2, 16, 50)).swapaxes(-1, -2)
            found = mx.fast.scaled_dot_product_attention(q, k, v, scale=0.25, mask="causal")
            self.check(q, k, v, found, mask=causal(queries, 50))

    def test_keys_behind_minus_infinity(self):
        for queries in (1, 40):
            q, k, v = (mx.array(values(1, 2, n, 32)) for n in (queries, 100, 100))
            added = np.zeros((queries, 100), np.float32)
            added[:, :64] = -np.inf  # whole blocks of keys, at the beginning
            found = mx.fast.scaled_dot_product_attention(q, k, v, scale=0.25, mask=mx.array(added))
            self.check(q, k, v, found, mask=added)
            added[0] = -np.inf  # nothing to see for one query: no number, as with a softmax
            found = mx.fast.scaled_dot_product_attention(q, k, v, scale=0.25, mask=mx.array(added))
            self.check(q, k, v, found, mask=added)

    def test_force_fused_says_where_there_is_no_fused_kernel(self):
        def attend(queries, keys, dims, heads=8, key_heads=8, **options):
            q = mx.ones((1, heads, queries, dims))
            k = mx.ones((1, key_heads, keys, dims))
            return mx.fast.scaled_dot_product_attention(q, k, k, scale=1.0, force_fused=True, **options)

        self.assertEqual(attend(9, 33, 64, mask="causal").shape, (1, 8, 9, 64))
        for text, arguments, options in (
            ("supports head dims", (16, 33, 512), {}),
            ("supports head dims", (1, 33, 72), {}),
            ("no longer than the key sequence", (32, 16, 64), {"mask": "causal"}),
            ("GQA factor to be at most 32", (8, 33, 64, 8, 1), {}),
            ("require a GPU", (8, 33, 64), {"stream": mx.cpu}),
        ):
            with self.assertRaisesRegex(ValueError, text):
                attend(*arguments, **options)

    def test_keys_without_values_are_refused(self):
        q, k, v = mx.ones((1, 2, 3, 8)), mx.ones((1, 2, 300, 8)), mx.ones((1, 2, 3, 8))
        with self.assertRaisesRegex(ValueError, "the same length"):
            mx.fast.scaled_dot_product_attention(q, k, v, scale=1.0)

    def test_scores_that_would_overflow(self):
        q = mx.full((1, 1, 40, 8), 200.0)
        k, v = mx.full((1, 1, 40, 8), 200.0), mx.array(values(1, 1, 40, 8))
        self.check(q, k, v, mx.fast.scaled_dot_product_attention(q, k, v, scale=0.25))


if __name__ == "__main__":
    unittest.main()
