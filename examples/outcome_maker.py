"""A maker of the outcome service. It quotes bettors' RFQs at what the legs cost and a margin, and confirms what is accepted, by the service's time.

    npx parlor serve scenarios/live-outcome.yaml --credentials keys.json
    python examples/outcome_maker.py keys.json our-maker"""
import asyncio
import json
import math
import sys
import uuid

import httpx
import websockets
from eth_account import Account

MARGIN, EXPIRES_IN_S, REFRESH_S = 0.02, 20, 1
QUOTE = "string maker,string rfqId,uint64 generation,uint256 netStake,uint256 payout,uint64 takerFeeBps,uint64 feeBps,uint64 expiry,Leg[] legs"
CONFIRMATION = "string maker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 payout,uint64 takerFeeBps,uint64 feeBps"
TYPES = {"Quote": {"Quote": QUOTE, "Leg": "string outcomeId,string side"}, "Confirmation": {"Confirmation": CONFIRMATION}}


class Maker:
    def __init__(self, http, seat, deployment):
        self.http, self.seat, self.prices, self.now_s = http, seat, {}, 0
        self.domain = {**deployment["domain"], "chainId": int(deployment["chain_id"]), "verifyingContract": deployment["vault"]}
        self.terms = {"maker": seat["maker_id"], "takerFeeBps": deployment["taker_fee_bps"], "feeBps": deployment["fee_bps"]}

    async def follow_prices(self):
        told = {"next": 0}
        while True:
            told = (await self.http.get("/prices", params={"ticks": "latest", "from": told["next"]})).raise_for_status().json()
            self.prices.update((tick["market"], {"YES": tick["yes_ask"], "NO": tick["yes_bid"] and 1 - tick["yes_bid"]}) for tick in told["prices"])
            self.now_s = told["now_us"] // 1_000_000
            await asyncio.sleep(0 if told["has_more"] else REFRESH_S)

    async def follow_events(self, url, tasks):
        headers, cursor = {"Authorization": f"Bearer {self.seat['api_key']}"}, {}
        while True:
            async with websockets.connect(f"{url}/v1/stream", subprotocols=["outcome-rfq.v1"], additional_headers=headers) as socket:
                await socket.send(json.dumps({"type": "subscribe", "channels": ["maker"], **cursor}))
                try:
                    while frame := json.loads(await socket.recv()):
                        cursor = {"cursor": frame["cursor"]}
                        if act := {"RFQ_CREATED": self.quote, "QUOTE_ACCEPTED": self.confirm}.get(frame.get("event")):
                            tasks.create_task(act(**frame["data"]))
                except websockets.ConnectionClosed:
                    cursor = {} if socket.close_reason == "CURSOR_RESET" else cursor  # else the next stream goes on behind the last frame

    def sign(self, kind, **fields):
        types = {name: [dict(zip(("type", "name"), field.split())) for field in text.split(",")] for name, text in TYPES[kind].items()}
        return "0x" + Account.sign_typed_data(self.seat["wallet_private_key"], self.domain, types, {**self.terms, **fields}).signature.hex()

    async def quote(self, rfq_id, kind, generation, net_stake, legs, **_):
        costs = [self.prices.get(leg["outcome_id"], {}).get(leg["side"]) for leg in legs]
        if kind != "ENTRY" or None in costs or not 0.001 < (price := math.prod(costs) * (1 + MARGIN)) < 0.95:
            return
        terms = {"generation": generation, "payout": str(int(int(net_stake) / price)), "expiry": self.now_s + EXPIRES_IN_S}
        signed_legs = [{"outcomeId": leg["outcome_id"], "side": leg["side"]} for leg in legs]
        signature = self.sign("Quote", rfqId=rfq_id, netStake=net_stake, legs=signed_legs, **terms)
        uuid7 = str(uuid.UUID(f"{self.now_s * 1000:012x}7{uuid.uuid4().hex[13:]}"))
        answer = await self.http.post(f"/v1/rfqs/{rfq_id}/quotes", json={**terms, "signature": signature}, headers={"Idempotency-Key": uuid7})
        print(f"quote {rfq_id} for {terms['payout']}: {answer.status_code}", flush=True)

    async def confirm(self, rfq_id, quote_id, acceptance_id, payout, **_):
        signature = self.sign("Confirmation", rfqId=rfq_id, quoteId=quote_id, acceptanceId=acceptance_id, payout=payout)
        answer = await self.http.post(f"/v1/quotes/{quote_id}/confirm", json={"decision": "CONFIRM", "signature": signature})
        print(f"confirm {quote_id[:10]}: {answer.status_code}", flush=True)


async def main(url, seats, **_):
    seat = seats[sys.argv[2]]
    async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {seat['api_key']}"}) as http, asyncio.TaskGroup() as tasks:
        maker = Maker(http, seat, (await http.get("/v1/deployment")).raise_for_status().json())
        tasks.create_task(maker.follow_prices())
        tasks.create_task(maker.follow_events(url.replace("http", "ws"), tasks))

try:
    asyncio.run(main(**json.load(open(sys.argv[1]))["outcome"]))
except* (httpx.HTTPError, websockets.WebSocketException, OSError):
    print("the session is over")
