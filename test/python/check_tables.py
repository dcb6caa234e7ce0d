"""Opens every table of a run in pyarrow and polars and checks what a researcher relies on.

usage: check_tables.py RUN [--story | --cash-outs]

Types column by column, times in UTC, money as 64-bit integers, dictionaries that are whole, nulls only where there is
nothing, hashes and row counts of the manifest, and sums that must reconcile. With --story the run is that of
test/record/story.ts, with --cash-outs that of test/record/cashOutStory.ts, and its totals are compared to figures made by hand.
"""

import hashlib
import json
import sys
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.ipc

# Per table: column, kind, and ? where a cell may be empty.
EXPECTED = {
    "requests": """seq int64?, service enum, request int64, version int32, bettor int32, cohort enum, arrival int64?, cluster enum,
        bet_micros micros, created_seq int64, created_at time, expires_at time, ended_at time?, window_closed_at time?, state enum, quote_count int32, maker_count int32,
        commit_attempts int32, best_odds_at_end_e4 odds?, filled_quote int64?, leg_count int32, leg_markets enums, leg_sides enums""",
    "quotes": """seq int64?, service enum, quote int64, request int64, version int32, maker enum, quoted_odds_e4 odds?,
        net_stake_micros micros, risk_micros micros, taker_fee_bps int32, submitted_seq int64, submitted_at time, valid_until time, ended_at time?,
        state enum, traded_away bool, book_seq int32?, competing_quotes int32, fair float?, fair_product float?, reference float?, reference_product float?""",
    "acceptances": """seq int64?, service enum, acceptance int64?, request int64, version int32, quote int64, maker enum, bettor int32,
        cohort enum, selected_seq int64, selected_at time, deadline_at time, decided_at time?, outcome enum, operation int64?, selected_odds_e4 odds?,
        net_stake_micros micros, risk_micros micros, reference_at_submission float?, reference_at_decision float?""",
    "positions": """seq int64?, service enum, position int64, request int64, version int32?, quote int64, acceptance int64?, maker enum,
        bettor int32, cohort enum, cluster enum, filled_odds_e4 odds?, net_stake_micros micros, risk_micros micros,
        payout_micros micros, taker_fee_micros micros, profit_fee_bps int32, opened_seq int64, opened_at time, ended_at time?, claimed_at time?, state enum,
        outcome enum?, holder_at_end int32, holder_maker enum?, transfer_count int32, holder_cost_micros micros, auction_count int32,
        funded_at time?, resolved_at time?, cluster_count int32, category enum, reference_at_close float?,
        reference_product_at_close float?, leg_count int32, leg_markets enums, leg_sides enums""",
    "settlements": """seq int64, service enum, at time, position int64, request int64, maker enum, holder int32,
        holder_cohort enum, cluster enum, outcome enum, net_stake_micros micros, payout_micros micros, to_holder_micros micros,
        to_maker_micros micros, profit_fee_micros micros, taker_fee_micros micros, maker_profit_fee_micros micros,
        price_micros micros?, auction int64?, holder_maker enum?, holder_cost_micros micros""",
    "auctions": """seq int64?, service enum, auction int64, position int64, request int64, seller int32, cohort enum,
        seller_maker enum?, backing_maker enum, cluster enum, opened_seq int64, opened_at time, ends_at time, ended_at time?, window_closed_at time?, state enum,
        payout_micros micros, net_stake_micros micros, seller_cost_micros micros, cost_basis_micros micros, buyback_bound_micros micros?,
        best_bid_at_end_micros micros?, winner enum?, bid int64?, route enum?, price_micros micros?,
        profit_fee_micros micros?, to_seller_micros micros?, bid_count int32, maker_count int32, failed_bid_count int32,
        reference_at_opening float?, reference_at_end float?""",
    "bids": """seq int64?, service enum, bid int64, auction int64, position int64, request int64, acceptance int64?,
        operation int64?, maker enum, is_buyback bool, price_micros micros, payout_micros micros, profit_fee_if_won_micros micros,
        submitted_seq int64, submitted_at time, valid_until time, selected_at time?, deadline_at time?, ended_at time?, state enum, failure enum?, taken bool, traded_away bool, competing_bids int32, fair float?, fair_product float?,
        reference float?, reference_product float?""",
    "vault_transactions": """seq int64?, service enum, transaction int64, effect enum, account int32, cohort enum?,
        maker enum?, amount_micros micros, request int64?, position int64?, started_seq int64, started_at time, initial_status enum,
        ended_at time?, status enum, next_step_at time?""",
    "operations": """seq int64?, service enum, operation int64?, reduction int64?, kind enum, account int32, cohort enum?,
        maker enum?, request int64?, quote int64?, acceptance int64?, position int64?, amount_micros micros, started_seq int64, started_at time,
        stall_count int32, ended_at time?, status enum, next_step_at time?""",
    "webhooks": """seq int64?, service enum, delivery int64, redeliveries int32, event enum, account int32, owner_kind enum,
        event_seq int64, request int64?, created_seq int64, created_at time, attempts int32, status enum, response_code int32?,
        next_attempt_at time?, ended_at time?""",
    "ledger": """seq int64, service enum, at time, cause enum, debit_kind enum, debit_owner int64?, credit_kind enum,
        credit_owner int64?, amount_micros micros, request int64?""",
    "rejections": """seq int64, service enum, at time, command int64, op enum?, account int32?, cohort enum?, rejection enum,
        http_status int32, code enum, reason enum?, retry enum?, field enum?, leg int32?, replayed bool?, request int64?, quote int64?, failed_maker enum?, required_micros micros?,
        available_micros micros?, position int64?, auction int64?, bid int64?, transaction int64?, retry_after_s int32?""",
    "journal": """seq int64, service enum, command int64, at time, op enum?, account int32?, credential int32?,
        source int32?, request int64?, version int32?, content_tag int64?, quote int64?, book_seq int32?, odds_e4 odds?,
        valid_ms int32?, bet_micros micros?, amount_micros micros?, market int32?, value int32?, fair_e9 int32?,
        fair_product_e9 int32?, legs text?, list text?, more text?""",
    "marks": """seq int64, service enum, quote int64, request int64, maker enum, kind enum, decided_at time,
        horizon_us int64, at time, censored bool, quoted_probability float, payout_micros micros, fair float?,
        reference_at_submission float?, reference float?""",
    "equity": """seq int64, service enum, at time, maker enum, account int32, free_micros micros, reserved_micros micros,
        locked_micros micros, at_cost_micros micros, mark_to_market_micros micros, liquidation_micros micros?, open_positions int32, unpriced_positions int32,
        held_positions int32, held_cost_micros micros""",
}

# Tables that a run of `parlor run` has besides.
PLAYED = {
    "markets": """market int32, ticker enum, outcome_id text?, venue enum, series enum, event enum, event_title text?, title text, category enum?,
        subcategory enum?, frequency enum?, game enum?, ladder enum?, exclusion_keys enums, is_exclusive bool?, cluster enum, opened_at time,
        scheduled_close_at time?, scheduled_close_known_at time?, closed_at time?, recorded_result enum?, recorded_value_e6 int64?,
        recorded_result_at time?, result enum, result_at time, result_by enum, closing_price float?,
        redrawn_as enum?, redrawn_by enum?, redrawn_group enum?, redrawn_from float?, redrawn_to float?""",
    "deliveries": """service enum, at time, maker enum, handler text, fate enum, request int64?, version int32?, quote int64?, position int64?,
        auction int64?""",
    "passes": "service enum, at time, maker enum, handler text, request int64?, leg_count int32?, reason text",
    "logs": "service enum, at time, participant text, handler text, request int64?, leg_count int32?, text text, name text?, value float?",
}

# The place in the total order where the subject of a row began.
BEGINS = {
    "requests": "created_seq", "quotes": "submitted_seq", "acceptances": "selected_seq", "positions": "opened_seq", "auctions": "opened_seq",
    "bids": "submitted_seq", "vault_transactions": "started_seq", "operations": "started_seq", "webhooks": "created_seq",
}

ARROW_TYPES = {
    "int32": pa.int32(), "int64": pa.int64(), "micros": pa.int64(), "odds": pa.int64(), "float": pa.float64(),
    "bool": pa.bool_(), "text": pa.utf8(), "time": pa.timestamp("us", tz="UTC"),
}
POLARS_TYPES = {
    "int32": pl.Int32, "int64": pl.Int64, "micros": pl.Int64, "odds": pl.Int64, "float": pl.Float64,
    "bool": pl.Boolean, "text": pl.String, "time": pl.Datetime("us", "UTC"),
}

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def expected_columns(name):
    """(column, kind, nullable) in order."""
    columns = []
    for item in (EXPECTED | PLAYED)[name].split(","):
        column, kind = item.split()
        columns.append((column, kind.rstrip("?"), kind.endswith("?")))
    return columns


def check_arrow(name, table):
    columns = expected_columns(name)
    check(table.schema.names == [column for column, _, _ in columns], f"{name}: columns are {table.schema.names}")
    metadata = table.schema.metadata or {}
    check(metadata.get(b"schema_version") == b"6", f"{name}: no schema_version in the metadata")
    check(metadata.get(b"table") == name.encode(), f"{name}: the metadata names another table")
    for column, kind, nullable in columns:
        field = table.schema.field(column)
        where = f"{name}.{column}"
        if kind in ("enum", "enums"):
            of_list = kind == "enums"
            check(pa.types.is_list(field.type) == of_list, f"{where}: {field.type}")
            word = field.type.value_type if of_list else field.type
            check(pa.types.is_dictionary(word) and word.value_type == pa.utf8(), f"{where}: {field.type}")
            chunks = [chunk.values if of_list else chunk for chunk in table.column(column).chunks]
            dictionaries = {tuple(chunk.dictionary.to_pylist()) for chunk in chunks}
            check(len(dictionaries) == 1, f"{where}: {len(dictionaries)} dictionaries in one file")
        else:
            check(field.type == ARROW_TYPES[kind], f"{where}: {field.type}, expected {ARROW_TYPES[kind]}")
        notes = field.metadata or {}
        check(notes.get(b"about"), f"{where}: no description")
        check(bool(notes.get(b"null")) == nullable, f"{where}: it does not say what null says, or has none")
        check(kind != "micros" or notes.get(b"unit") == b"microUSDC", f"{where}: no unit")
        check(kind != "odds" or notes.get(b"scale") == b"4", f"{where}: no scale")
        check(field.nullable == nullable, f"{where}: nullable is {field.nullable}")
        check(nullable or table.column(column).null_count == 0, f"{where}: {table.column(column).null_count} nulls")
    table.validate(full=True)


def check_polars(name, frame, rows):
    check(frame.height == rows, f"{name}: polars reads {frame.height} rows, pyarrow {rows}")
    for column, kind, _ in expected_columns(name):
        dtype = frame.schema[column]
        if kind == "enums":
            check(isinstance(dtype, pl.List) and dtype.inner in (pl.Categorical, pl.Enum), f"{name}.{column}: {dtype} in polars")
        elif kind == "enum":
            check(dtype in (pl.Categorical, pl.Enum), f"{name}.{column}: {dtype} in polars")
        else:
            check(dtype == POLARS_TYPES[kind], f"{name}.{column}: {dtype} in polars")


def null_exactly_when(frame, name, column, condition):
    wrong = frame.filter(pl.col(column).is_null() != condition).height
    check(wrong == 0, f"{name}.{column}: {wrong} rows are null, or not, against the rule")


def text(column):
    return pl.col(column).cast(pl.String)


def check_nulls(frames):
    for name in ("requests", "quotes", "positions", "auctions", "bids"):
        for column in ("seq", "ended_at"):
            null_exactly_when(frames[name], name, column, text("state") == "open")
    for column in ("seq", "decided_at"):
        null_exactly_when(frames["acceptances"], "acceptances", column, text("outcome") == "open")
    null_exactly_when(frames["positions"], "positions", "outcome", text("state") == "open")
    null_exactly_when(frames["positions"], "positions", "holder_maker", pl.col("transfer_count") == 0)
    null_exactly_when(frames["requests"], "requests", "filled_quote", text("state") != "committed")
    for column in ("winner", "bid", "route", "price_micros", "profit_fee_micros", "to_seller_micros"):
        null_exactly_when(frames["auctions"], "auctions", column, text("state") != "committed")
    null_exactly_when(frames["bids"], "bids", "failure", text("state") != "failed")
    for column in ("price_micros", "auction"):
        null_exactly_when(frames["settlements"], "settlements", column, text("outcome") != "bought_back")
    for column in ("seq", "ended_at"):
        null_exactly_when(frames["vault_transactions"], "vault_transactions", column, text("status").is_in(["chain_pending", "balance_pending"]))
        null_exactly_when(frames["webhooks"], "webhooks", column, text("status").is_in(["pending", "failed"]))
    for side in ("debit", "credit"):
        null_exactly_when(frames["ledger"], "ledger", f"{side}_owner", text(f"{side}_kind").is_in(["external", "house"]))
    for name in ("requests", "positions"):
        for column in ("leg_markets", "leg_sides"):
            check((frames[name][column].list.len() == frames[name]["leg_count"]).all(), f"{name}.{column}: not as many as leg_count")
    for name, begin in BEGINS.items():
        check((frames[name][begin] < frames[name]["seq"]).drop_nulls().all(), f"{name}: a row ended before {begin}")


def check_sums(frames, service):
    """What must hold of each service in every run, in exact integers."""
    ledger, positions, settlements = frames["ledger"], frames["positions"], frames["settlements"]
    check((ledger["amount_micros"] > 0).all(), "ledger: an amount is not above zero")
    for name, column in (("ledger", "seq"), ("journal", "command")):
        check(frames[name][column].is_sorted() and frames[name][column].is_unique().all(), f"{name}.{column} does not rise")
    balances = balances_of(ledger)
    check(sum(balances.values()) == 0, "ledger: debits and credits differ")
    below = [key for key, amount in balances.items() if amount < 0 and key[0] != "external"]
    check(not below, f"ledger: below zero at the end: {below}")

    # The outcome service takes its fee at the fill, the parlay service keeps it in escrow until the end.
    escrow = "taker_fee_micros" if service == "parlay" else pl.lit(0)
    settled = settlements.join(positions.select("position", position_fee=escrow), on="position")
    check(settled.height == settlements.height == positions.filter(text("state") != "open").height,
          "settlements and ended positions differ")
    paid = settled["to_holder_micros"] + settled["to_maker_micros"] + settled["profit_fee_micros"] + settled["taker_fee_micros"]
    check((paid == settled["payout_micros"] + settled["position_fee"]).all(), "a settled pot is not paid out in full")
    check((positions["net_stake_micros"] + positions["risk_micros"] == positions["payout_micros"]).all(),
          "a pot is not stake and risk")
    open_pots = positions.filter(text("state") == "open")
    check(sum(v for (kind, _), v in balances.items() if kind == "pot") == open_pots["payout_micros"].sum(),
          "pots of the ledger and open positions differ")
    held = open_pots["taker_fee_micros"].sum() if service == "parlay" else 0
    check(sum(v for (kind, _), v in balances.items() if kind == "escrow") == held,
          "escrow of the ledger and open positions differ")
    check_cash_outs(frames)
    for column in ("reference", "quoted_probability"):
        check(frames["marks"][column].drop_nulls().is_between(0, 1).all(), f"marks.{column} leaves 0…1")
    for name, suffix in (("quotes", ""), ("bids", ""), ("positions", "_at_close")):
        joint, product = (frames[name][f"{column}{suffix}"] for column in ("reference", "reference_product"))
        check((joint.is_null() == product.is_null()).all(), f"{name}: a reference{suffix} is unknown, and its product is not, or the other way about")
        check(joint.drop_nulls().is_between(0, 1).all() and product.drop_nulls().is_between(0, 1).all(), f"{name}: a reference{suffix} leaves 0…1")


def check_cash_outs(frames):
    """Every sale of the auctions is in the ledger, and every bid counted in its auction."""
    auctions, bids, ledger = frames["auctions"], frames["bids"], frames["ledger"]
    sold = auctions.filter(text("state") == "committed")
    check((sold["to_seller_micros"] + sold["profit_fee_micros"] == sold["price_micros"]).all(), "a price is not what its parts are")
    check((sold["price_micros"] <= sold["best_bid_at_end_micros"]).all(), "an auction sold above its best bid")
    check(auctions["bid_count"].sum() == bids.height, "bids of auctions and bids differ")
    check(bids.filter(pl.col("taken")).height == sold.height, "winning bids and committed auctions differ")
    transferred = sold.filter(text("route") == "transferred")
    moved = ledger.filter(text("cause") == "transfer")["amount_micros"].sum()
    check(moved == transferred["to_seller_micros"].sum(), "transfers of the ledger and of the auctions differ")
    bought = frames["settlements"].filter(text("outcome") == "bought_back")
    check(bought.height == sold.height - transferred.height, "buybacks of settlements and auctions differ")
    closed = ledger.filter(text("cause") == "buyback")["amount_micros"].sum()
    check(closed == bought["to_holder_micros"].sum() + bought["to_maker_micros"].sum(), "buybacks of the ledger and settlements differ")
    fees = frames["settlements"]["profit_fee_micros"].sum() + transferred["profit_fee_micros"].sum()
    check(fees == ledger.filter(text("cause") == "profitFee")["amount_micros"].sum(), "profit fees of the ledger differ")
    check(frames["positions"]["transfer_count"].sum() == transferred.height, "transfers of positions and auctions differ")


def check_markets(frames):
    """Every leg is on a market of the table, and every result that the journal gives is there."""
    markets = frames["markets"]
    for name in ("requests", "positions"):
        legs = frames[name].select(ticker=pl.col("leg_markets")).explode("ticker").drop_nulls().unique()
        check(legs.join(markets, on="ticker", how="anti").height == 0, f"{name}: a leg is on a market that is not in the table of markets")
    check(markets["market"].is_unique().all(), "markets: a number stands twice")
    given = frames["journal"].filter(text("op").is_in(["resolveMarket", "resolveOutcome"])).join(markets, on="market")
    results = pl.col("value").replace_strict({0: "no", 1: "yes", 2: "void"}, default=None)
    check(given.filter((results != text("result")) | (pl.col("at") != pl.col("result_at"))).height == 0, "markets: a result is not that of the journal")


def balances_of(ledger):
    balances = {}
    rows = ledger.select(text("debit_kind"), "debit_owner", text("credit_kind"), "credit_owner", "amount_micros")
    for debit, debtor, credit, creditor, amount in rows.iter_rows():
        balances[debit, debtor] = balances.get((debit, debtor), 0) - amount
        balances[credit, creditor] = balances.get((credit, creditor), 0) + amount
    return balances


def check_story(frames):
    """25 USDC at 4.0: fee 0.25, stake 24.75, payout 99, profit fee 0.7425, so 98.2575 to the holder (readings A21)."""
    heights = {name: frame.height for name, frame in frames.items()}
    check(heights == {
        "requests": 6, "quotes": 8, "acceptances": 5, "positions": 3, "settlements": 2, "auctions": 0, "bids": 0,
        "vault_transactions": 0, "operations": 0, "webhooks": 0, "ledger": 31, "rejections": 4, "journal": 36, "marks": 12, "equity": 8,
    }, f"story: rows {heights}")
    settlements = frames["settlements"]
    check(settlements["to_holder_micros"].sum() == 98_257_500, "story: to the holder")
    check(settlements["to_maker_micros"].sum() == 49_500_000, "story: to the maker")
    check(settlements["profit_fee_micros"].sum() == 742_500, "story: profit fee")
    check(frames["quotes"]["quoted_odds_e4"].max() == 40_000, "story: odds")
    balances = balances_of(frames["ledger"])
    check(balances["free", 1] == 1_023_257_500, "story: the bettor's free balance")
    check(balances["house", None] == 1_242_500, "story: the house")
    first = frames["requests"].row(0, named=True)
    check(first["created_at"].isoformat() == "2025-06-19T18:00:01+00:00", f"story: created at {first['created_at']}")
    check((first["leg_markets"], first["leg_sides"]) == (["MLB-NYY", "MLB-BOS"], ["yes", "yes"]), "story: legs")


def check_cash_out_story(frames):
    """Prices 39, 45 and 30 less 1 % of what they lie above 24.75, and a buyback that leaves 60 of 99 to its maker."""
    check((frames["auctions"].height, frames["bids"].height, frames["vault_transactions"].height) == (6, 7, 2), "cash-outs: rows")
    check(frames["auctions"]["to_seller_micros"].sum() == 113_602_500, "cash-outs: to sellers")
    check(frames["auctions"]["profit_fee_micros"].sum() == 397_500, "cash-outs: profit fees")
    check(frames["positions"]["transfer_count"].to_list() == [0, 0, 1, 0, 1], "cash-outs: transfers")
    bought = frames["settlements"].filter(text("outcome") == "bought_back")
    check(bought["to_maker_micros"].to_list() == [60_000_000], "cash-outs: to the maker")
    balances = balances_of(frames["ledger"])
    check(balances["free", 1] == 1_013_602_500, "cash-outs: the bettor's free balance")
    check(balances["house", None] == 1_147_500, "cash-outs: the house")


def main(run, story):
    manifest = json.loads((run / "manifest.json").read_text())
    check(set(EXPECTED) <= set(manifest["tables"]), f"tables are {sorted(manifest['tables'])}")
    frames = {}
    for name in [*EXPECTED, *(name for name in PLAYED if name in manifest["tables"])]:
        entry = manifest["tables"][name]
        path = run / entry["file"]
        check(hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"], f"{name}: another hash than in the manifest")
        with pa.memory_map(str(path)) as source:
            table = pa.ipc.open_file(source).read_all()
        check(table.num_rows == entry["rows"], f"{name}: {table.num_rows} rows, {entry['rows']} in the manifest")
        check_arrow(name, table)
        frames[name] = pl.read_ipc(path)
        check_polars(name, frames[name], table.num_rows)
    for service in frames["ledger"]["service"].cast(pl.String).unique(maintain_order=True):
        own = {name: frames[name].filter(text("service") == service) for name in EXPECTED}
        check_nulls(own)
        check_sums(own, service)
    if "markets" in frames:
        check_markets(frames)
    if story == "--story":
        check_story(frames)
    if story == "--cash-outs":
        check_cash_out_story(frames)
    for failure in failures:
        print(f"FAILED {failure}")
    rows = sum(frame.height for frame in frames.values())
    print(f"{run}: {len(frames)} tables, {rows} rows, {len(failures)} failures (pyarrow {pa.__version__}, polars {pl.__version__})")
    return 1 if failures else 0


if __name__ == "__main__":
    stories = [argument for argument in sys.argv[1:] if argument in ("--story", "--cash-outs")]
    arguments = [argument for argument in sys.argv[1:] if argument not in stories]
    if len(arguments) != 1:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(Path(arguments[0]), stories[0] if stories else None))
