// Places in a sorted sequence. In front of this text stand the types T and Key and the function encode().
kernel void search_sorted(device const T* sorted [[buffer(0)]],
                          device const T* values [[buffer(1)]],
                          device uint* y [[buffer(2)]],
                          constant uint& length [[buffer(3)]],
                          constant uint& right [[buffer(4)]],
                          uint index [[thread_position_in_grid]]) {
  Key wanted = encode(values[index]);
  uint low = 0, high = length;
  while (low < high) {
    uint middle = (low + high) / 2;
    Key key = encode(sorted[middle]);
    bool is_before = key < wanted || (right != 0 && key == wanted);
    low = is_before ? middle + 1 : low;
    high = is_before ? high : middle;
  }
  y[index] = low;
}
