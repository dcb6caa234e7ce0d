"""Writes a price store that parlor opens, as docs/store.md shows it. usage: write_store.py STORE"""

import hashlib
import json
import sys
from datetime import date, datetime, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc

store = Path(sys.argv[1])
for folder in ("markets", "parts", "imports"):
    (store / folder).mkdir(parents=True)

day, open_us = date(2025, 6, 19), int(datetime(2025, 6, 19, tzinfo=timezone.utc).timestamp() * 1_000_000)
market = {"venue": "venue_a", "event": "E", "series": "S", "category": "sports", "game": "", "ladder": "", "exclusionKeys": ["event:E"],
          "openUs": open_us, "scheduledCloseUs": None, "scheduledCloseKnownUs": None, "actualCloseUs": None, "outcome": "yes",
          "settlementE6": None, "settledUs": open_us + 60_000_000}
tickers = ["HOME", "RAIN"]
(store / "markets/0.json").write_text(json.dumps([{"ticker": ticker, "title": ticker, **market} for ticker in tickers]))

at = [open_us + i * 1_000_000 for i in range(10)]
int32 = lambda values: pa.array(values, pa.int32())
ticks = pa.table({
    "at": pa.array(at, pa.timestamp("us", "UTC")), "market": pa.DictionaryArray.from_arrays(int32([i % 2 for i in range(10)]), tickers),
    "bid_e6": int32([400_000 + i for i in range(10)]), "ask_e6": int32([420_000] * 10), "bid_size": int32([100] * 10),
    "ask_size": int32([-1] * 10), "last_e6": int32([-1] * 10),
})
part = f"parts/{day}.0.arrow"
rows = 262_144
with pa.ipc.new_file(store / part, ticks.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
    file.write_table(ticks, max_chunksize=rows)
batches = [{"ticks": len(some), "firstUs": some[0], "lastUs": some[-1]} for i in range(0, len(at), rows) for some in [at[i:i + rows]]]

report = {"format": "mine", "files": [], "inputRows": 10, "acceptedRows": 10, "quarantinedRows": 0, "troubles": [], "markets": 2, "ticks": 10, "coverage": {}}
(store / "imports/0.json").write_text(json.dumps(report))
files = {name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
         for name in ("imports/0.json", "markets/0.json", part) for data in [(store / name).read_bytes()]}
lines = "".join(f"{files[name]['sha256']}  {name}\n" for name in sorted(files) if not name.startswith("imports/"))
extent = {"ticks": 10, "firstUs": at[0], "lastUs": at[-1]}
(store / "store.json").write_text(json.dumps({
    "format": "parlor-store", "version": 3, "markets": 2, **extent, "dataHash": hashlib.sha256(lines.encode()).hexdigest(), "sources": [],
    "parts": [{"name": part, **extent, "markets": 2, "batches": batches}], "files": files,
}))
