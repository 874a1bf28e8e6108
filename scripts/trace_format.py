#!/usr/bin/python3
"""Writes docs/trace-format.md from the schema of trace documents.

    trace_format.py           rewrites the document
    trace_format.py --check   exit status 1 if it is not what the schema says; this is also a test

Tables, columns and their meaning come from src/trace/schema/schema.sql, the version from
src/trace/schema.h. What the facts mean stands below; their names must be those that the code writes.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "src/trace/schema/schema.sql"
VERSION = ROOT / "src/trace/schema.h"
CAPTURE = ROOT / "src/capture/session.cpp"
RING = ROOT / "src/trace/timeline_ring.cpp"
TARGET = ROOT / "docs/trace-format.md"

FACTS = {
    "format": "`assay trace`",
    "assay_version": "the assay that wrote it",
    "detail": "`timeline` (times only), `skeleton` (all but contents) or `full`",
    "started_at": "wall clock when the capture began, UTC",
    "process_id": "of the captured program",
    "command_line": "of the captured program",
    "system": "operating system, its release and the machine's architecture",
    "host": "name of the machine",
    "cores": "processors of the machine",
    "device_name": "device that was captured",
    "device_kind": "`cpu`, `cuda` or `null`",
    "device_memory_bytes": "memory of the device",
    "only_queue": "only this queue was captured; missing: all",
    "only_name": "only commands whose kernel or label contains this were captured; missing: all",
    "kept_from": "earlier times are not in the document, which kept only its last seconds; missing: all "
                 "are",
    "ended": "when the capture ended; missing: the program died before",
    "remark": "for people: why there is nothing in it, for example",
}

HEAD = """# The trace document

Made by `scripts/trace_format.py` from `src/trace/schema/schema.sql`; change those instead.

A trace is one SQLite 3 database, whatever its extension. Everything that reads SQLite reads it:

```sh
sqlite3 model.gputrace '.tables'
sqlite3 model.gputrace 'SELECT name, file FROM kernels'
assay trace sql model.gputrace 'SELECT count(*) FROM commands'
```

What each kernel took, by hand:

```sql
SELECT kernels.name, count(*) AS dispatches, sum(ended - started) / 1e6 AS milliseconds
FROM commands JOIN kernels ON kernels.id = commands.kernel
GROUP BY kernels.name ORDER BY milliseconds DESC;
```

And which lines of a program asked for the bytes that were written:

```sql
SELECT texts.text AS line, sum(range_end - range_begin) AS bytes
FROM bindings JOIN commands ON commands.id = bindings.command JOIN texts ON texts.id = commands.site
WHERE bindings.kind = 0 AND bindings.access & 2
GROUP BY commands.site ORDER BY bytes DESC;
```

## Rules

- `PRAGMA application_id` is 0x61737361 ("assa"), `PRAGMA user_version` is the version of the format:
  **{version}**. It rises with every change of the tables; further tables, views and indexes of your own
  do no harm.
- Times are nanoseconds of a steady clock since the capture began, sizes are bytes.
- Ids count from 1 and are never used again. A column that names a table holds an id of it.
- Rows are written in pieces that are complete in themselves. A document whose program died opens like
  any other: it lacks the fact `ended` and what was submitted in the last moments. While a program still
  writes, readers have to wait.
- Contents may be compressed with zstd (`contents.encoding`). `hash` is assay's own 128-bit content
  hash, high word first.
- Nobody has to believe a document: `assay` checks tables, sizes and hashes of what it reads.

"""


def parse_tables(sql):
    """(name, comment, [(column, type, comment)]) for each table."""
    tables = []
    for match in re.finditer(r"((?:^--[^\n]*\n)*)CREATE TABLE (\w+) \(\n(.*?)\n\)[^;]*;", sql,
                             re.MULTILINE | re.DOTALL):
        comment = " ".join(line[2:].strip() for line in match[1].splitlines())
        columns = []
        for line in match[3].splitlines():
            code, _, note = line.partition("--")
            code, note = code.strip().rstrip(","), note.strip()
            if not code:  # the comment of the column above goes on
                name, kind, before = columns[-1]
                columns[-1] = (name, kind, f"{before} {note}".strip())
                continue
            if code.startswith("PRIMARY KEY"):
                columns.append(("", "key: " + code[len("PRIMARY KEY"):].strip(" ()"), note))
                continue
            for part in code.split(","):
                name, _, kind = part.strip().partition(" ")
                columns.append((name, kind, note))
        tables.append((match[2], comment, columns))
    return tables


def column_type(kind):
    is_key = "PRIMARY KEY" in kind
    plain = kind.replace("PRIMARY KEY", "").replace("NOT NULL", "").strip().lower()
    if is_key:
        return f"{plain}, key"
    return plain if "NOT NULL" in kind else f"{plain} or null"


def table_text(name, comment, columns):
    text = f"### {name}\n\n{comment}\n\n| Column | Type | Meaning |\n|---|---|---|\n"
    for column, kind, note in columns:
        if column:
            text += f"| `{column}` | {column_type(kind)} | {note} |\n"
    for column, kind, _ in columns:
        if not column:
            text += f"\nThe key is ({kind[len('key: '):]}).\n"
    return text + "\n"


def written_facts(source):
    return set(re.findall(r'FactRecord\{"(\w+)"', source)) | set(
        re.findall(r'^ {6}\{"(\w+)", ', source, re.MULTILINE)) | set(
        re.findall(r"INTO facts VALUES \('(\w+)'", source))


def make_document():
    version = re.search(r"kSchemaVersion = (\d+)", VERSION.read_text())[1]
    names = written_facts(CAPTURE.read_text() + RING.read_text())
    if names != set(FACTS):
        sys.exit(f"scripts/trace_format.py: the facts differ from those of {CAPTURE.name}: "
                 f"{', '.join(sorted(names ^ set(FACTS)))}")
    text = HEAD.format(version=version) + "## Facts\n\n| Name | Value |\n|---|---|\n"
    text += "".join(f"| `{name}` | {meaning} |\n" for name, meaning in FACTS.items())
    text += "\n## Tables\n\n"
    sql = SCHEMA.read_text()
    tables = parse_tables(sql)
    if len(tables) != sql.count("CREATE TABLE"):
        sys.exit("scripts/trace_format.py: a table of the schema has a form that it does not know")
    return text + "".join(table_text(*table) for table in tables).rstrip("\n") + "\n"


def main():
    text = make_document()
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text() != text:
            sys.exit("docs/trace-format.md is not what the schema says; run scripts/trace_format.py")
        return
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
