-- The trace document: one SQLite database. Times are nanoseconds since the capture began (of the
-- steady clock), sizes are bytes. Texts that repeat are in `texts`, large bytes in `contents`, each
-- stored once. docs/trace-format.md is made from this file.

-- Facts about the document as a whole: see the list in docs/trace-format.md.
CREATE TABLE facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Texts that many rows share: labels, call sites, dtypes.
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);

-- Contents of buffers, constants and sources, once for each hash.
CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,         -- 16 bytes, of the contents before compression
  bytes INTEGER NOT NULL,     -- before compression
  encoding INTEGER NOT NULL,  -- 0: as they are, 1: zstd, 2: every byte is the one in `data`
  data BLOB NOT NULL          -- the first piece, where it is too large for one row
);

-- The further pieces of such contents, which follow `data` in the order of `part`.
CREATE TABLE content_parts (
  content INTEGER NOT NULL,
  part INTEGER NOT NULL,      -- from 1
  data BLOB NOT NULL,
  PRIMARY KEY (content, part)
) WITHOUT ROWID;

-- Programs that were recorded; more than one where a program started others.
CREATE TABLE processes (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL,
  command_line TEXT NOT NULL,
  started INTEGER NOT NULL    -- negative: before the capture began
);

-- Host threads that submitted, waited or compiled.
CREATE TABLE threads (
  id INTEGER PRIMARY KEY,
  process INTEGER NOT NULL,
  name TEXT NOT NULL
);

-- What host threads did. Spans of one thread nest: compile lies in encode, encode and wait in read.
CREATE TABLE spans (
  id INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL,
  kind INTEGER NOT NULL,      -- 0 build: from the first op of a graph to its evaluation, 1 encode,
                              -- 2 compile, 3 wait: for the device, 4 read: needs a value, 5 start:
                              -- of the program, up to its first commands, 6 make kernel: a custom
                              -- kernel object
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  label INTEGER NOT NULL,     -- texts: the kernel, for example; 0: none
  site INTEGER NOT NULL       -- texts: file:line that asked for it; 0: none
);

-- What the machine's device can do, where `assay devices --measure` was run: peak_bandwidth in bytes/s,
-- peak_flops in flop/s, launch_overhead in ns; copy_bandwidth_N in bytes/s, of an op that moves N bytes,
-- in_place_bandwidth_N of one that writes to the array that it reads; cost_of_OP in ns, for one element
-- inside of a fused kernel, time_of_OP in a kernel of its own; exposed_traffic, the share of its traffic
-- that a fused kernel does not hide behind computing; evaluation_of_one and evaluation_of_fused in ns of
-- the host, for one op and for a compiled function.
CREATE TABLE measurements (
  name TEXT PRIMARY KEY,
  value REAL NOT NULL,
  unit TEXT NOT NULL
) WITHOUT ROWID;

-- Queues; one for each stream of arrays.
CREATE TABLE queues (
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL,
  process INTEGER NOT NULL
);

-- Kernels that were run.
CREATE TABLE kernels (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL,               -- name of the source
  source INTEGER,                   -- contents; null where nobody knows the source
  options TEXT NOT NULL,            -- JSON: math_mode, allows_double, defines, include_folders,
                                    -- constants
  reflection TEXT NOT NULL          -- JSON: arguments, threadgroup_bytes, max_threads
);

-- Kernels that became ready to run while the capture was on.
CREATE TABLE compilations (
  id INTEGER PRIMARY KEY,
  kernel INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  from_cache INTEGER NOT NULL       -- 1: an earlier process had compiled it
);

-- Buffers that commands used, and all that were allocated during the capture.
CREATE TABLE buffers (
  id INTEGER PRIMARY KEY,
  label INTEGER NOT NULL,           -- texts
  bytes INTEGER NOT NULL,
  allocated INTEGER,                -- null: before the capture
  freed INTEGER,                    -- null: after the capture
  first_content INTEGER,            -- contents in front of the first command that uses it
  last_content INTEGER,             -- contents behind the last command that writes it
  last_writer INTEGER               -- that command
);

-- Units of submission, in the order they were submitted.
CREATE TABLE command_buffers (
  id INTEGER PRIMARY KEY,
  queue INTEGER NOT NULL,
  label INTEGER NOT NULL,           -- texts
  submitted INTEGER NOT NULL,
  completed INTEGER,                -- null: the capture ended before
  error TEXT,                       -- null: none
  thread INTEGER NOT NULL           -- who submitted it
);

-- Everything that ran, in the order it ended.
CREATE TABLE commands (
  id INTEGER PRIMARY KEY,
  command_buffer INTEGER NOT NULL,
  position INTEGER NOT NULL,        -- in its command buffer
  kind INTEGER NOT NULL,            -- 0 dispatch, 1 fill, 2 copy, 3 matrix product, 4 wait, 5 signal
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  label INTEGER NOT NULL,           -- texts: the operation
  site INTEGER NOT NULL,            -- texts: file:line that created it
  kernel INTEGER,                   -- dispatch
  launch INTEGER,                   -- dispatch: launches
  value INTEGER,                    -- fill: the byte; wait, signal: the event's value
  event INTEGER,                    -- wait, signal
  product INTEGER,                  -- matrix product: texts, JSON
  error TEXT,                       -- null: none
  role INTEGER NOT NULL,            -- 0 unknown, 1 element-wise op, 2 other op, 3 custom kernel,
                                    -- 4 copy of an input that had to be row-contiguous
  bytes_read INTEGER,               -- of its arrays; null where nobody knows
  bytes_written INTEGER
);

-- Sizes of launches.
CREATE TABLE launches (
  id INTEGER PRIMARY KEY,
  counts_threads INTEGER NOT NULL,  -- 1: the grid counts threads, 0: threadgroups
  grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
  group_x INTEGER NOT NULL, group_y INTEGER NOT NULL, group_z INTEGER NOT NULL
);

-- Arrays as the program sees them.
CREATE TABLE arrays (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,               -- the user's; may be empty
  dtype TEXT NOT NULL,
  shape TEXT NOT NULL,              -- JSON
  strides TEXT NOT NULL             -- JSON, in elements
);

-- What a command uses, by slot.
CREATE TABLE bindings (
  command INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  kind INTEGER NOT NULL,            -- 0 buffer, 1 bytes, 2 threadgroup memory
  access INTEGER NOT NULL,          -- bits: 1 read, 2 write
  buffer INTEGER,                   -- kind 0
  start INTEGER NOT NULL,           -- kind 0: where the slot points, bytes into the buffer
  bytes INTEGER NOT NULL,           -- kinds 1 and 2: how many
  range_begin INTEGER NOT NULL,     -- kind 0: the part of the buffer that the command may touch
  range_end INTEGER NOT NULL,
  content INTEGER,                  -- kind 1: contents
  array INTEGER,                    -- arrays
  result BLOB,                      -- hash of the range behind the command, where it was written;
                                    -- kernels with atomics have it among the contents
  PRIMARY KEY (command, kind, slot)
) WITHOUT ROWID;

-- Why one command had to run behind another.
CREATE TABLE dependencies (
  command INTEGER NOT NULL,
  needs INTEGER NOT NULL,           -- the earlier command
  kind INTEGER NOT NULL,            -- 0 reads what it wrote, 1 writes what it read, 2 writes what it
                                    -- wrote, 3 waits for its event
  buffer INTEGER NOT NULL,          -- 0: kind 3, and in timelines, which know no buffers and have
                                    -- kind 0 within an evaluation only
  PRIMARY KEY (command, needs, kind, buffer)
) WITHOUT ROWID;

-- Memory of the device over time: at each allocation and release, of all processes together.
CREATE TABLE memory (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  active INTEGER NOT NULL,          -- bytes of live buffers
  cached INTEGER NOT NULL           -- bytes kept for reuse
);

-- Texts that kernels printed, warnings of the recorder and other notes for people.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  command INTEGER,
  text TEXT NOT NULL
);

-- What checks of kernels found where the program ran under them (`ASSAY_CHECK`), each place once.
-- Documents that were written before there was this table lack it.
CREATE TABLE findings (
  id INTEGER PRIMARY KEY,
  command INTEGER,                  -- the first that did it; null: none of the document
  rule TEXT NOT NULL,               -- `assay check --list` has them
  severity INTEGER NOT NULL,        -- 0 note, 1 warning, 2 error
  kernel TEXT NOT NULL,             -- name
  file TEXT NOT NULL,               -- as `#line` of the source says, or the kernel's file
  line INTEGER NOT NULL,            -- of that file, from 1; 0: nobody knows
  character INTEGER NOT NULL,       -- in that line, from 1; 0: nobody knows
  message TEXT NOT NULL,
  fix TEXT NOT NULL,                -- what to change; may be empty
  site TEXT NOT NULL,               -- file:line that asked for the kernel; may be empty
  occurrences INTEGER NOT NULL
);
