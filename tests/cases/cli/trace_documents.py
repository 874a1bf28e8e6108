"""Makes small trace documents for the stored cases: the same ones each time, written without assay.

eager.gputrace     two rounds of sin, cos, exp, log on one stream, then a sum on another that waits for it
compiled.gputrace  the same with one fused kernel instead of the four
timeline.gputrace  only times
cut.gputrace       of a program that died; one command failed
checked.gputrace   of a program that ran under checks, which found something
named.gputrace     arrays, a stream and evaluations have names of the user
"""

import json
import pathlib
import sqlite3

SCHEMA = pathlib.Path(__file__).resolve().parents[3] / "src/trace/schema/schema.sql"
APPLICATION_ID = 0x61737361
FLOATS = 1 << 20
BYTES = 4 * FLOATS

SOURCE = """kernel void {}(device const float* x [[buffer(0)]], device float* out [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {{
  out[i] = x[i];
}}
"""
# Of the texts above, by assay's content hash.
SOURCE_HASHES = {
    "sin": "5c453cf9e91fe8e1dcdeba05e5e24ae4",
    "cos": "b910edfe00bafa0f23399ab9bc83929a",
    "exp": "ccb422bfaf0c10ed62019f644677bd70",
    "log": "7b187ba1fa83fb54bf1f30ec4e36f897",
    "sin_cos_exp_log": "00683416724184fd67bb03e45a857f64",
}


class Document:
    """Rows in the order a recorder tells them; times advance as commands run."""

    def __init__(self, path, detail="full"):
        self.database = sqlite3.connect(path)
        self.database.executescript(
            f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=2;" + SCHEMA.read_text())
        self.detail = detail
        self.texts, self.kernels = {}, {}
        self.now, self.commands, self.buffers, self.memory = 10_000, 0, 0, 0
        self.writers = {}
        for fact in (("format", "assay trace"), ("assay_version", "0.1.0"), ("detail", detail),
                     ("started_at", "2026-01-02T03:04:05.678Z"), ("command_line", "python3 model.py"),
                     ("host", "bench"), ("device_name", "CPU"), ("device_kind", "cpu")):
            self.add("facts", *fact)
        self.add("processes", 1, 4711, "python3 model.py", 0)
        self.add("threads", 1, 1, "python3")
        for queue in (1, 2):
            self.add("queues", queue, f"stream {queue - 1}", 1)
        self.add("launches", 1, 1, FLOATS, 1, 1, 256, 1, 1)
        self.add("arrays", 1, "", "float32", json.dumps([FLOATS]), "[1]")

    def add(self, table, *values):
        marks = ",".join("?" * len(values))
        self.database.execute(f"INSERT INTO {table} VALUES ({marks})", values)

    def text(self, text):
        if text not in self.texts:
            self.texts[text] = len(self.texts) + 1
            self.add("texts", self.texts[text], text)
        return self.texts[text]

    def kernel(self, name):
        if name in self.kernels:
            return self.kernels[name]
        number = self.kernels[name] = len(self.kernels) + 1
        source = None
        if self.detail == "full":
            source, text = number, SOURCE.format(name).encode()
            self.add("contents", source, bytes.fromhex(SOURCE_HASHES[name]), len(text), 0, text)
        options = json.dumps({"math_mode": 1, "defines": {}, "include_folders": [], "constants": []})
        self.add("kernels", number, name, f"{name}.metal", source, options, "{}")
        self.now += 2_000_000
        self.add("compilations", None, number, self.now, 1_900_000, int(name == "cos"))
        return number

    def buffer(self, label=""):
        if self.detail == "timeline":
            return None
        self.buffers += 1
        self.memory += BYTES
        self.now += 500
        self.add("buffers", self.buffers, self.text(label), BYTES, self.now, None, None, None, None)
        self.add("memory", None, self.now, self.memory, 0)
        return self.buffers

    def free(self, buffer):
        if buffer is None:
            return
        self.now += 100
        self.memory -= BYTES
        self.database.execute("UPDATE buffers SET freed=? WHERE id=?", (self.now, buffer))
        self.add("memory", None, self.now, self.memory, BYTES)

    def command(self, queue, kind, duration, site, *, kernel=None, reads=None, writes=None, event=None,
                value=None, needs=None, error=None, label="", arrays=(1, 1), evaluation=""):
        """One command in a command buffer of its own."""
        self.commands += 1
        number, start = self.commands, self.now + 2_000
        self.now = start + duration
        self.add("command_buffers", number, queue, self.text(evaluation), start - 1_500, self.now + 300,
                 error, 1)
        self.add("spans", None, 1, 1, start - 1_900, start - 1_500, 0, self.text(site))
        self.add("spans", None, 1, 3, start - 1_500, self.now + 400, 0, self.text(site))
        self.add("commands", number, number, 0, kind, start, self.now, self.text(label or kernel or ""),
                 self.text(site), self.kernels.get(kernel), 1 if kernel else None, value, event, None,
                 error, 1 if kernel else 2, *((BYTES, BYTES) if kernel else (None, None)))
        for slot, (buffer, access) in enumerate(((reads, 1), (writes, 2))):
            if buffer is None:
                continue
            self.add("bindings", number, slot, 0, access, buffer, 0, 0, 0, BYTES, None, arrays[slot],
                     None)
            if access == 1 and buffer in self.writers:
                self.add("dependencies", number, self.writers[buffer], 0, buffer)
        if writes is not None:
            self.writers[writes] = number
        if needs is not None:
            self.add("dependencies", number, needs, 3, 0)
        return number

    def close(self, is_complete=True):
        if is_complete:
            self.add("facts", "ended", str(self.now + 1_000))
        self.database.commit()
        self.database.close()


def run_chain(document, kernels, duration):
    """Two rounds of the kernels, each on what the one before wrote."""
    x = document.buffer("x")
    for _ in range(2):
        current = x
        for number, name in enumerate(kernels):
            document.kernel(name)
            out = document.buffer()
            document.command(1, 0, duration + 1_000 * number, f"model.py:{12 + number}", kernel=name,
                             reads=current, writes=out)
            if current is not x:
                document.free(current)
            current = out
    signal = document.command(1, 5, 50, "model.py:20", event=7, value=1, label="signal")
    document.command(2, 4, 4_000, "model.py:20", event=7, value=1, needs=signal, label="wait")
    total = document.buffer("total")
    document.command(2, 2, 300_000, "model.py:21", reads=current, writes=total, label="copy")


def make_documents(folder):
    folder = pathlib.Path(folder)
    eager = Document(folder / "eager.gputrace")
    run_chain(eager, ("sin", "cos", "exp", "log"), 1_000_000)
    eager.close()
    compiled = Document(folder / "compiled.gputrace")
    run_chain(compiled, ("sin_cos_exp_log",), 1_250_000)
    compiled.close()
    timeline = Document(folder / "timeline.gputrace", "timeline")
    run_chain(timeline, ("sin", "cos"), 700_000)
    timeline.close()
    cut = Document(folder / "cut.gputrace")
    cut.kernel("sin")
    cut.command(1, 0, 5_000, "model.py:3\033[31m", kernel="sin", reads=cut.buffer(), writes=cut.buffer(),
                error="kernel 'sin' did not end in 60 s")
    cut.close(is_complete=False)
    make_named(folder / "named.gputrace")
    make_checked(folder / "checked.gputrace")


def make_checked(path):
    checked = Document(path)
    checked.kernel("sin")
    checked.command(1, 0, 5_000, "model.py:3", kernel="sin", reads=checked.buffer(), writes=checked.buffer())
    checked.add("findings", None, 1, "bounds-read", 2, "sin", "sin.metal", 3, 12,
                "reads element 1048576 of 'x', which has 1048576 elements", "return early", "model.py:3", 12)
    checked.add("findings", None, None, "wrap", 1, "sin", "sin.metal", 99, 0, "wraps\033[31m", "", "", 1)
    checked.close()


def make_named(path):
    named = Document(path)
    named.database.execute("UPDATE queues SET label = 'stream 1: side' WHERE id = 2")
    for number, name in ((2, "x"), (3, "angles")):
        named.add("arrays", number, name, "float32", json.dumps([FLOATS]), "[1]")
    x, angles = named.buffer(), named.buffer()
    for kernel in ("sin", "cos", "exp"):
        named.kernel(kernel)
    named.command(1, 0, 5_000, "model.py:3", kernel="sin", reads=x, writes=angles, arrays=(2, 3),
                  evaluation="step 1")
    named.command(2, 0, 4_000, "model.py:4", kernel="cos", reads=angles, writes=named.buffer(),
                  arrays=(3, 1), evaluation="step 1/attention")
    named.command(1, 0, 3_000, "model.py:5", kernel="exp", reads=named.buffer(), writes=x,
                  arrays=(1, 2))
    named.close()
