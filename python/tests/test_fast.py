"""Normalisation, positions, attention and custom kernels."""

import unittest

import assay.core as mx
import numpy as np

GENERATOR = np.random.default_rng(5)


def values(*shape):
    return GENERATOR.normal(size=shape).astype(np.float32)


class Ops(unittest.TestCase):
    def test_norms(self):
        x, w, b = values(3, 5, 33), values(33), values(33)
        rms = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(np.array(mx.fast.rms_norm(mx.array(x), mx.array(w), 1e-5)),
                                   rms * w, rtol=1e-4, atol=1e-5)
        centred = x - x.mean(-1, keepdims=True)
        norm = centred / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(
            np.array(mx.fast.layer_norm(mx.array(x), mx.array(w), mx.array(b), 1e-5)),
            norm * w + b, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(np.array(mx.fast.layer_norm(mx.array(x), None, None, 1e-5)),
                                   norm, rtol=1e-4, atol=1e-5)

    def test_rope(self):
        x = values(1, 2, 7, 8)
        out = np.array(mx.fast.rope(mx.array(x), 8, traditional=False, base=10000.0, scale=1.0,
                                    offset=3))
        angles = (np.arange(7) + 3)[:, None] * 10000.0 ** (-np.arange(4) / 4)
        first, second = x[..., :4], x[..., 4:]
        expected = np.concatenate([first * np.cos(angles) - second * np.sin(angles),
                                   first * np.sin(angles) + second * np.cos(angles)], -1)
        np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)

    def test_attention(self):
        q, k, v = values(2, 4, 5, 16), values(2, 2, 9, 16), values(2, 2, 9, 16)
        scores = 0.25 * q @ np.repeat(k, 2, 1).transpose(0, 1, 3, 2)
        for mask, added in [(None, 0), (mx.array(values(5, 9)), None), ("causal", "causal")]:
            s = scores.copy()
            if isinstance(mask, mx.array):
                s = s + np.array(mask)
            elif mask == "causal":
                s[..., np.triu(np.ones((5, 9), bool), 9 - 5 + 1)] = -np.inf
            e = np.exp(s - s.max(-1, keepdims=True))
            expected = e / e.sum(-1, keepdims=True) @ np.repeat(v, 2, 1)
            out = mx.fast.scaled_dot_product_attention(
                mx.array(q), mx.array(k), mx.array(v), scale=0.25, mask=mask)
            np.testing.assert_allclose(np.array(out), expected, rtol=1e-4, atol=1e-5)
        with self.assertRaises(ValueError):
            mx.fast.scaled_dot_product_attention(mx.array(q), mx.array(k), mx.array(v), scale=1.0,
                                                 mask="other")


class CustomKernels(unittest.TestCase):
    def test_element_wise(self):
        kernel = mx.fast.metal_kernel(
            name="myexp", input_names=["inp"], output_names=["out"],
            source="""
                uint elem = thread_position_in_grid.x;
                T tmp = inp[elem];
                out[elem] = metal::exp(tmp);
            """)
        for dtype in (mx.float32, mx.float16):
            a = mx.array(values(4, 16)).astype(dtype)
            (out,) = kernel(inputs=[a], template=[("T", dtype)], grid=(a.size, 1, 1),
                            threadgroup=(64, 1, 1), output_shapes=[a.shape],
                            output_dtypes=[a.dtype])
            self.assertEqual(out.dtype, dtype)
            np.testing.assert_allclose(np.array(out.astype(mx.float32)),
                                       np.exp(np.array(a.astype(mx.float32))), rtol=2e-3)

    def test_scalars_templates_and_initial_values(self):
        kernel = mx.fast.metal_kernel(
            name="add_some", input_names=["a", "b"], output_names=["x", "y"],
            source="""
                uint i = thread_position_in_grid.x;
                if (i % N == 0) x[i] = a[i] + b;
                if (FLAG) y[i] = i;
            """)
        x, y = kernel(inputs=[mx.array([1.0, 2.0, 3.0, 4.0]), 10.0],
                      template=[("N", 2), ("FLAG", True)], grid=(4, 1, 1), threadgroup=(4, 1, 1),
                      output_shapes=[(4,), (4,)], output_dtypes=[mx.float32, mx.int32],
                      init_value=0)
        self.assertEqual((x.tolist(), y.tolist()), ([11, 0, 13, 0], [0, 1, 2, 3]))

    def test_wrong_calls(self):
        kernel = mx.fast.metal_kernel(name="k", input_names=["a"], output_names=["o"],
                                      source="o[0] = a[0];")
        with self.assertRaises(TypeError):
            kernel([mx.array([1.0])])
        with self.assertRaises(ValueError):
            kernel(inputs=[mx.array([1.0])], template=[("T", "float")], grid=(1, 1, 1),
                   threadgroup=(1, 1, 1), output_shapes=[(1,)], output_dtypes=[mx.float32])


if __name__ == "__main__":
    unittest.main()
