// log(exp(cos(sin x))): arithmetic on data that comes from memory once.
kernel void chain(global const float* x, global float* y) {
  size_t i = get_global_id(0);
  y[i] = log(exp(cos(sin(x[i]))));
}
