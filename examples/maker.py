"""A maker of the parlay service. It asks for what the legs cost and a margin on top, and looks at the prices again before it confirms.

    npx parlor serve scenarios/live.yaml --credentials keys.json
    python examples/maker.py keys.json our-maker
"""
import asyncio
import json
import math
import sys

import httpx
import websockets

MARGIN = 0.03
REFRESH_S = 2


def probability(prices, legs):
    """What buying every leg costs, as if legs were independent. None while a leg has no price."""
    costs = [prices.get(leg["market_ticker"], {}).get(f"{leg['side']}_ask") for leg in legs]
    return None if None in costs else math.prod(costs)


async def follow_prices(http, prices):
    while True:
        answer = await http.get("/v1/markets", params={"limit": 40, "markets_per_event": 50})
        if answer.status_code == 200:
            prices.update((market["ticker"], market) for event in answer.json()["data"]["events"] for market in event["markets"])
        await asyncio.sleep(max(REFRESH_S, int(answer.headers.get("Retry-After", 0))))


async def quote_requests(http, prices, quoted):
    async with http.stream("GET", "/v1/mm/stream", headers={"Accept": "text/event-stream"}, timeout=None) as stream:
        event = ""
        async for line in stream.aiter_lines():
            event = line if line.startswith("event: ") else event
            if line.startswith("data: ") and event == "event: quote_request":
                await quote(http, prices, quoted, json.loads(line[6:]))


async def quote(http, prices, quoted, request):
    fair = probability(prices, request["legs"])
    if fair is None or not 0.0011 < fair * (1 + MARGIN) < 0.95:
        return
    odds = int(10_000 / (fair * (1 + MARGIN))) / 10_000
    quoted[request["id"]] = (request["legs"], fair)
    offer = {"request_version": request["version"], "request_hash": request["request_hash"], "payout_odds": odds}
    answer = await http.put(f"/v1/mm/quote-requests/{request['id']}/quote", json=offer)
    print(f"quote {request['id'][:8]} at {odds}: {answer.status_code}", flush=True)


async def selections(http, url, key, prices, quoted):
    async with websockets.connect(url.replace("http", "ws") + "/v1/ws", additional_headers={"X-API-Key": key}) as socket:
        async for frame in socket:
            if json.loads(frame)["type"] == "quote:accepted":
                await look_again(http, prices, quoted, **json.loads(frame)["data"])


async def look_again(http, prices, quoted, quote_request_id, quote_id, **_):
    legs, fair = quoted[quote_request_id]
    now = probability(prices, legs)
    word = "confirm" if now is not None and now <= fair * (1 + MARGIN) else "decline"
    answer = await http.post(f"/v1/mm/quote-requests/{quote_request_id}/quote/{word}", json={"quote_id": quote_id})
    print(f"{word} {quote_request_id[:8]}: {answer.status_code}", flush=True)


async def main(path, seat):
    service = json.load(open(path))["parlay"]
    url, key = service["url"], service["seats"][seat]["api_key"]
    prices, quoted = {}, {}
    async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as http:
        await asyncio.gather(follow_prices(http, prices), quote_requests(http, prices, quoted), selections(http, url, key, prices, quoted))


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:3]))
    except (httpx.TransportError, websockets.ConnectionClosed):
        print("the session is over")
