"""finding: none; verdict: too_short"""
import mlx.core as mx

mx.eval(mx.sin(mx.ones((1000,))))
