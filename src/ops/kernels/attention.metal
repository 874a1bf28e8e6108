// Attention without a matrix of scores: blocks of 32 keys, with the highest score so far kept beside
// the sums, which are made smaller when a higher one comes. In front of this text stand the types T
// (queries and results), C (keys and values) and M (mask), kDepth, kValueDepth, and what kind of mask
// there is: kCausal, kPicks (bool) or kAdds.

struct Attention {
  uint queries;
  uint keys;
  uint heads;
  uint repeats;  // heads that share keys and values
  uint has_sinks;
  float scale;
  // Elements between batches, heads and rows; the innermost axes have no gaps, but for the mask's.
  long query_batch, query_head, query_row;
  long key_batch, key_head, key_row;
  long value_batch, value_head, value_row;
  long mask_batch, mask_head, mask_row, mask_key;
};

constant constexpr uint kBlock = 32;
// What a key that a mask hides counts: rows that are all hidden become means, as with a softmax.
constant constexpr float kHidden = -3.402823466e+38f;

// Queries see keys up to their own place; both end at the same one.
inline int last_seen(constant Attention& a, uint query) {
  return kCausal ? int(query) + int(a.keys) - int(a.queries) : int(a.keys) - 1;
}

inline float masked(float score, device const M* row, constant Attention& a, uint key, int last) {
  if (kPicks) score = row[long(key) * a.mask_key] ? score : kHidden;
  if (kAdds) score += float(row[long(key) * a.mask_key]);
  return kCausal && int(key) > last ? kHidden : score;
}

// Rows are the queries of all heads that share keys and values, head by head. Keys behind these are
// hidden from the rows first … last. A query before the first key sees none and takes the mean of all.
inline uint end_of_keys(constant Attention& a, uint first, uint last) {
  if (!kCausal || a.queries > a.keys) return a.keys;
  bool is_one_head = first / a.queries == last / a.queries;
  return uint(last_seen(a, is_one_head ? last % a.queries : a.queries - 1) + 1);
}
