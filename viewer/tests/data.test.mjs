// The parts of the viewer that compute: judged by the simplest way to do the same.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { load } from "./support/bundle.mjs";

// Numbers that look random and are the same each time.
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function intervals(count, seed) {
  const random = numbers(seed);
  const next = () => random.next().value;
  const started = Float64Array.from({ length: count }, () => Math.floor(next() * 1000));
  const ended = started.map((start) => start + Math.floor(next() * 40));
  return { started, ended, rows: Uint32Array.from(started, (_, i) => i) };
}

// How much of [from, to) some interval covers, counted tick by tick.
function covered({ started, ended }, from, to) {
  let sum = 0;
  for (let time = from; time < to; time++) sum += started.some((start, i) => start <= time && time < ended[i]) ? 1 : 0;
  return sum;
}

describe("lanes", async () => {
  const { layOut, unite, lowerBound } = await load("data/lane.ts");
  const all = () => true;

  it("never overlap and lose nothing", () => {
    for (let seed = 1; seed < 30; seed++) {
      const given = intervals(seed * 3, seed);
      const lanes = layOut(given.rows, given.started, given.ended, all, 100);
      const seen = lanes.flatMap((lane) => [...lane.rows]).sort((a, b) => a - b);
      assert.deepEqual(seen, [...given.rows]);
      for (const lane of lanes) {
        for (let i = 0; i < lane.count; i++) {
          assert.equal(lane.start[i], given.started[lane.rows[i]]);
          assert.equal(lane.end[i], given.ended[lane.rows[i]]);
          if (i > 0) assert.ok(lane.start[i] >= lane.end[i - 1]);
        }
      }
    }
  });

  it("share the last lane where there are too many", () => {
    const given = intervals(200, 7);
    const lanes = layOut(given.rows, given.started, given.ended, all, 2);
    assert.equal(lanes.length, 2);
    assert.equal(lanes[0].count + lanes[1].count, 200);
    for (const lane of lanes) for (let i = 1; i < lane.count; i++) assert.ok(lane.start[i] >= lane.end[i - 1]);
  });

  it("know how busy any stretch is", () => {
    for (let seed = 1; seed < 12; seed++) {
      const given = intervals(20, seed);
      const device = unite(layOut(given.rows, given.started, given.ended, all, 100), all);
      for (const [from, to] of [[0, 1040], [100, 200], [333, 334], [500, 500], [-50, 2000], [950, 990]]) {
        assert.equal(device.busyBetween(from, to), covered(given, from, to), `seed ${seed}: ${from} to ${to}`);
      }
    }
  });

  it("find what is at a time, ends included, or near it", () => {
    const given = { started: Float64Array.of(10, 30, 50), ended: Float64Array.of(20, 40, 50), rows: Uint32Array.of(0, 1, 2) };
    const [lane] = layOut(given.rows, given.started, given.ended, all);
    assert.deepEqual([5, 10, 19, 20, 25, 35, 45].map((time) => lane.findAt(time)), [-1, 0, 0, 0, -1, 1, -1]);
    assert.deepEqual([8, 22, 28, 49].map((time) => lane.findAt(time, 3)), [0, 0, 1, 2]);
    assert.equal(lane.findAt(25, 2), -1);
    for (let time = 0; time < 60; time++) {
      const expected = [...lane.start].findIndex((start) => start >= time);
      for (const from of [0, 1]) {
        const wanted = Math.max(from, expected < 0 ? 3 : expected);
        assert.equal(lane.firstStartingAt(time, from), wanted, `${time} from ${from}`);
      }
    }
    assert.equal(lowerBound(Float64Array.of(1, 2, 2, 3), (value) => value >= 2), 1);
  });
});

describe("graphs", async () => {
  const { StepGraph } = await load("views/timeline/draw_graph.ts");

  it("know the largest value of any stretch", () => {
    const random = numbers(3);
    const at = Float64Array.from({ length: 1000 }, (_, i) => i * 3);
    const value = Float64Array.from(at, () => Math.floor(random.next().value * 1e6));
    const graph = new StepGraph(at, value);
    assert.equal(graph.largest, Math.max(...value));
    for (const [from, to] of [[0, 1], [0, 3000], [7, 8], [100, 1000], [2990, 5000], [1, 49], [48, 97], [768, 1536]]) {
      const held = [...at].map((time, i) => [time, at[i + 1] ?? Infinity, value[i]]).filter(([begin, end]) => begin < to && end > from);
      assert.equal(graph.largestBetween(from, to), Math.max(0, ...held.map((each) => each[2])), `${from} to ${to}`);
    }
  });
});

describe("arrays", async () => {
  const { Matrix } = await load("data/array_values.ts");

  it("are read by shape, strides and offset", () => {
    const bytes = new Uint8Array(new Float32Array(Array.from({ length: 24 }, (_, i) => i)).buffer);
    const transposed = new Matrix(bytes, { dtype: "float32", shape: [2, 4, 3], strides: [12, 1, 4], offset: 0 });
    assert.deepEqual(transposed.choosePlane(1), [1]);
    assert.equal(transposed.at(2, 1), 12 + 2 + 4);
    const part = new Matrix(bytes, { dtype: "float32", shape: [3], strides: [2], offset: 8 });
    assert.deepEqual([0, 1, 2].map((i) => part.at(0, i)), [2, 4, 6]);
    assert.equal(new Matrix(bytes, { dtype: "float32", shape: [30], strides: [1], offset: 0 }).at(0, 24), undefined);
    assert.equal(part.statistics().mean, 4);
  });

  it("have halves as IEEE and Google write them", () => {
    const bits = Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00, 0x3555);
    const matrix = new Matrix(new Uint8Array(bits.buffer), { dtype: "float16", shape: [6], strides: [1], offset: 0 });
    assert.deepEqual([0, 1, 2, 3, 4].map((i) => matrix.at(0, i)), [1, -2, 2 ** -24, Infinity, NaN]);
    assert.ok(Math.abs(matrix.at(0, 5) - 1 / 3) < 1e-3);
    const brain = new Matrix(new Uint8Array(Uint16Array.of(0x3f80, 0x4049).buffer), { dtype: "bfloat16", shape: [2], strides: [1], offset: 0 });
    assert.deepEqual([brain.at(0, 0), brain.at(0, 1)], [1, 3.140625]);
  });
});

describe("numbers", async () => {
  const format = await load("ui/format.ts");

  it("have three digits and a unit", () => {
    assert.deepEqual([0, 12, 999, 1234, 56_789, 999_600, 1.5e6, 2e9, 123e9].map(format.duration), ["0 ns", "12 ns", "999 ns", "1.23 µs", "56.8 µs", "1.00 ms", "1.50 ms", "2.00 s", "123 s"]);
    assert.deepEqual([0, 1023, 1024, 1 << 20, 5e12].map(format.bytes), ["0 B", "1023 B", "1.00 KiB", "1.00 MiB", "4.55 TiB"]);
    assert.deepEqual([0, 0.0001, 0.123, 0.99999, 1].map(format.percent), ["0 %", "< 0.1 %", "12.3 %", "100 %", "100 %"]);
    assert.deepEqual([[8, 1], [0, 5], [5, 100], [1e6, 1]].map(([size, ns]) => format.rate(size, ns)), ["8.00 GB/s", "0.00 GB/s", "50.0 MB/s", "1000 TB/s"]);
    assert.equal(format.rate(5, 0), "–");
    assert.equal(format.count(1234567), "1\u202f234\u202f567");
    assert.deepEqual([[100, 50], [50, 100], [100, 101]].map(([a, b]) => format.speedup(a, b)), ["2.00× faster", "2.00× slower", "the same"]);
  });

  it("are round on a ruler", () => {
    assert.deepEqual([1, 3, 70, 1001, 4.9e6].map(format.roundStep), [1, 5, 100, 2000, 5e6]);
    assert.deepEqual([[0, 1000], [1500, 500], [2e6, 500_000], [3e9, 1e9]].map(([time, step]) => format.tick(time, step)), ["0 µs", "1500 ns", "2000 µs", "3 s"]);
  });
});

describe("the source", async () => {
  const { spans } = await load("views/kernels/msl_words.ts");

  it("keeps every letter, and comments over lines", () => {
    let isInComment = false;
    const kinds = [];
    for (const line of ["kernel void f(device float4* x) { /* begins", "inside */ x[0] = 1.5f; // end", 'printf("a // b");', "<script>"]) {
      const result = spans(line, isInComment);
      isInComment = result.isInComment;
      assert.equal(result.spans.map((each) => each.text).join(""), line);
      kinds.push(result.spans.filter((each) => each.kind).map((each) => each.kind));
    }
    assert.deepEqual(kinds, [["word", "word", "word", "word", "comment"], ["comment", "literal", "literal", "comment"], ["literal"], []]);
  });
});
