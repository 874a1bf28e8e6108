"""Trace documents for the viewer's tests: make_traces.py FOLDER [--large COMMANDS]

eager, compiled, timeline, cut   those of the stored cases of the command line
hostile                          texts that try to be markup, numbers that lie
findings                         a kernel with three findings of checks, one of them hostile
contents                         a full capture with known contents of buffers
empty                            nothing in it
large                            with --large: so many dispatches on two queues, and nothing else
"""

import pathlib
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/cases/cli"))
import trace_documents  # noqa: E402

# Of 24 float32 that count from 0, by assay's content hash.
COUNTING_HASH = "a3d5c17ce4cb0073591cbe578f6f9ace"
MARKUP = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>'


def make_hostile(path):
    document = trace_documents.Document(path)
    document.add("facts", "remark", MARKUP)
    document.database.execute("UPDATE facts SET value=? WHERE name='command_line'", (MARKUP,))
    document.database.execute("UPDATE queues SET label=? WHERE id=1", (MARKUP,))
    trace_documents.SOURCE_HASHES[MARKUP] = "0" * 32
    document.kernel(MARKUP)
    document.database.execute("UPDATE kernels SET source=NULL, options=?, reflection=?",
                              (MARKUP, '{"arguments": 7, "line": "x"}'))
    for number in range(3):
        document.command(1, 0, 5_000, f"{MARKUP}:{number}", kernel=MARKUP, reads=document.buffer(MARKUP),
                         writes=document.buffer("__proto__"), error=MARKUP if number == 1 else None)
    execute = document.database.execute
    execute("UPDATE arrays SET name=?, dtype=?, shape='[\"x\", {}]', strides='nonsense'", (MARKUP, MARKUP))
    document.add("notes", None, 20_000, 1, MARKUP)
    execute("UPDATE commands SET kernel=99, site=-1, launch=77 WHERE id=3")
    execute("UPDATE bindings SET buffer=1000, range_begin=9000000000000000000, range_end=-5 WHERE command=3")
    execute("INSERT INTO dependencies VALUES (1, 99999, 0, 0), (2, 1, 200, 7)")
    document.close()


def make_contents(path):
    """Buffer 2 holds 0, 1, 2, … as float32 behind the last command."""
    document = trace_documents.Document(path)
    document.database.execute("UPDATE arrays SET shape='[4, 6]', strides='[6, 1]', name='image'")
    document.kernel("sin")
    document.command(1, 0, 9_000, "model.py:5", kernel="sin", reads=document.buffer("x"), writes=document.buffer("y"))
    values = struct.pack("<24f", *range(24))
    number = 1000
    document.add("contents", number, bytes.fromhex(COUNTING_HASH), len(values), 0, values)
    document.database.execute("UPDATE buffers SET bytes=96, last_content=?, last_writer=1 WHERE id=2", (number,))
    document.close()


def make_checked(path):
    document = trace_documents.Document(path)
    document.kernel("sin")
    document.command(1, 0, 9_000, "model.py:5", kernel="sin", reads=document.buffer("x"), writes=document.buffer("y"))
    document.add("findings", None, 1, "bounds-read", 2, "sin", "sin.metal", 2, 3, "reads element 9 of 'x'",
                 "return early", "model.py:5", 12)
    document.add("findings", None, None, "wrap", 1, "sin", "sin.metal", 1, 1, MARKUP, "", "", 1)
    document.add("findings", None, 77, "unwritten", 0, "gone", "header", -4, 0, "of no kernel", "", "", 1)
    document.close()


def make_empty(path):
    document = trace_documents.Document(path)
    document.add("facts", "remark", "nothing was evaluated")
    document.close()


def make_large(path, commands):
    document = trace_documents.Document(path, "timeline")
    names = [f"kernel_{i}" for i in range(40)]
    for name in names:
        document.database.execute("INSERT INTO kernels VALUES (?,?,?,?,?,?)",
                                  (len(document.kernels) + 1, name, f"{name}.metal", None, "{}", "{}"))
        document.kernels[name] = len(document.kernels) + 1
    label, sites = document.text("op"), [document.text(f"model.py:{i}") for i in range(100)]
    columns = [row[1] for row in document.database.execute("PRAGMA table_info(commands)")]
    buffers = [row[1] for row in document.database.execute("PRAGMA table_info(command_buffers)")]

    def rows(names, make, step):
        now = [1000, 1000]
        for i in range(commands):
            queue = i % 2
            start = now[queue] + 150 + i * 7919 % 300
            end = start + 400 + i * 104729 % 1800
            now[queue] = end + (40_000 if i % 5000 < 2 else 0)
            if i % step > 1:
                continue
            values = make(i, queue + 1, start, end)
            yield [values.get(name) for name in names]

    def command(i, _queue, start, end):
        return {"id": i + 1, "command_buffer": i // 40 * 2 + i % 2 + 1, "position": 0, "kind": 0, "started": start, "ended": end,
                "label": label, "site": sites[i % 100], "kernel": i * 31 % 40 + 1, "launch": 1, "role": 0}

    def command_buffer(i, queue, start, end):
        return {"id": i // 40 * 2 + i % 2 + 1, "queue": queue, "label": 1, "submitted": start - 100,
                "completed": start + 29_000, "thread": 1}

    # Twenty commands in each command buffer, as arrays encode them.
    for table, names, make, step in (("commands", columns, command, 1),
                                     ("command_buffers", buffers, command_buffer, 40)):
        marks = ",".join("?" * len(names))
        document.database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows(names, make, step))
    document.close()


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    if "--large" in sys.argv:
        make_large(folder / "large.gputrace", int(sys.argv[sys.argv.index("--large") + 1]))
        return
    trace_documents.make_documents(folder)
    make_hostile(folder / "hostile.gputrace")
    make_contents(folder / "contents.gputrace")
    make_checked(folder / "findings.gputrace")
    make_empty(folder / "empty.gputrace")


if __name__ == "__main__":
    main()
