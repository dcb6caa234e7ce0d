"""Reads every part of price stores in pyarrow and compares it with store.json. usage: check_store.py STORE…"""

import hashlib
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc

PRICES = ("bid_e6", "ask_e6", "bid_size", "ask_size", "last_e6")

for store in map(Path, sys.argv[1:]):
    head = json.loads((store / "store.json").read_text())
    for name, said in head["files"].items():
        data = (store / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (said["bytes"], said["sha256"]), name
    lines = "".join(f"{head['files'][name]['sha256']}  {name}\n" for name in sorted(head["files"]) if not name.startswith("imports/"))
    assert hashlib.sha256(lines.encode()).hexdigest() == head["dataHash"], store
    for part in head["parts"]:
        ticks = pa.ipc.open_file(store / part["name"]).read_all()
        ticks.validate(full=True)
        at = ticks["at"].cast(pa.int64()).to_pylist()
        assert ticks.schema.field("at").type == pa.timestamp("us", "UTC") and ticks.schema.field("market").type == pa.dictionary(pa.int32(), pa.string())
        assert ticks.column_names == ["at", "market", *PRICES] and all(column.null_count == 0 for column in ticks.columns)
        assert (len(at), at[0], at[-1], at == sorted(at)) == (part["ticks"], part["firstUs"], part["lastUs"], True), part
        assert pc.count_distinct(ticks["market"].cast(pa.string())).as_py() == part["markets"], part
        last_name = part["name"].replace(".arrow", ".last.arrow")
        if last_name not in head["files"]:
            continue
        rows = pa.ipc.open_file(store / last_name).read_all().to_pylist()
        ends = {tick["market"]: tick for tick in ticks.to_pylist()}
        assert [row["market"] for row in rows] == sorted(ends) and sum(row["ticks"] for row in rows) == part["ticks"]
        for row in rows:
            assert [row["last_at"], *(row[name] for name in PRICES)] == [ends[row["market"]][name] for name in ("at", *PRICES)], row
    depth = head.get("depth", {"levels": 0, "parts": []})
    levels = [name for i in range(1, depth["levels"] + 1) for name in (f"bid_{i}_e6", f"bid_{i}_size", f"ask_{i}_e6", f"ask_{i}_size")]
    for part in depth["parts"]:
        books = pa.ipc.open_file(store / part["name"]).read_all()
        books.validate(full=True)
        at = books["at"].cast(pa.int64()).to_pylist()
        assert books.column_names == ["at", "market", *levels] and all(books.schema.field(name).type == pa.int32() for name in levels), part
        assert (len(at), at[0], at[-1], at == sorted(at)) == (part["rows"], part["firstUs"], part["lastUs"], True), part
        ends = {book["market"]: book for book in books.to_pylist()}
        rows = pa.ipc.open_file(store / part["name"].replace(".arrow", ".last.arrow")).read_all().to_pylist()
        assert rows == [ends[ticker] for ticker in sorted(ends)] and len(rows) == part["markets"], part
    print(f"{store}: {len(head['parts'])} parts, {head['ticks']} ticks")
