"""A bettor of the parlay service. It asks for prices of two legs of different events, waits a few seconds for the best quote, and commits
to it.

    npx parlor serve scenarios/live.yaml --credentials keys.json
    python examples/bettor.py keys.json our-bettor
"""
import json
import random
import sys
import threading
import time

import httpx

BET_USDC = 20
WAIT_S = 2


def follow_best_quotes(url, key, best):
    """The newest best quote of each request, as the stream tells it."""
    event = ""
    with httpx.stream("GET", f"{url}/v1/stream", headers={"X-API-Key": key, "Accept": "text/event-stream"}, timeout=None) as stream:
        for line in stream.iter_lines():
            event = line if line.startswith("event: ") else event
            if line.startswith("data: ") and event == "event: best_quote":
                quote = json.loads(line[6:])
                best[quote["quote_request_id"]] = quote


def markets(http):
    answer = http.get("/v1/markets", params={"limit": 40, "markets_per_event": 10})
    if answer.status_code == 429:
        time.sleep(int(answer.headers["Retry-After"]))
        return markets(http)
    events = answer.raise_for_status().json()["data"]["events"]
    return [[market for market in event["markets"] if market["yes_ask"] is not None] for event in events]


def bet(http, best, rng):
    one, other = (rng.choice(event) for event in rng.sample([event for event in markets(http) if event], 2))
    legs = [{"market_ticker": market["ticker"], "side": rng.choice(["yes", "no"]), "venue": market["venue"]} for market in (one, other)]
    asked = http.post("/v1/quote-requests", json={"legs": legs, "bet_amount": BET_USDC})
    if asked.status_code != 201:
        return print(f"refused: {asked.json()['error']}", flush=True)
    request = asked.json()["data"]["quote_request"]
    time.sleep(WAIT_S)
    quote = best.get(request["id"])
    if quote is None or quote["quote_id"] is None:
        return print(f"{request['id'][:8]}: nobody quotes", flush=True)
    body = {
        "expected_version": quote["request_version"], "displayed_quote_id": quote["quote_id"],
        "displayed_quote_book_seq": quote["book_seq"], "min_payout_odds_seen": quote["payout_odds"],
    }
    # The answer comes when the maker has confirmed, or has let its time pass.
    answer = http.post(f"/v1/quote-requests/{request['id']}/commit", json=body, timeout=60)
    result = answer.json()
    told = f"{result['data']['status']} at {result['data']['selected_payout_odds']}" if answer.status_code == 201 else result["error"]["code"]
    print(f"{request['id'][:8]}: {told}", flush=True)


def main(path, seat):
    service = json.load(open(path))["parlay"]
    url, key = service["url"], service["seats"][seat]["api_key"]
    best, rng = {}, random.Random(1)
    threading.Thread(target=follow_best_quotes, args=(url, key, best), daemon=True).start()
    with httpx.Client(base_url=url, headers={"X-API-Key": key}) as http:
        while True:
            bet(http, best, rng)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except httpx.HTTPError:
        print("the session is over")
