// Nothing, for the cost of a launch.
kernel void empty() {}
