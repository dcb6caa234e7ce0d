import { expect, it } from 'vitest'
import { KnownNames } from '../../../../src/serve/parlay/records/names.ts'
import { CatalogueIndex } from '../../../../src/market/catalogue.ts'
import type { Market } from '../../../../src/market/market.ts'
import { contentTag } from '../../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../../../src/venue/parlay/protocol/events.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import { DeliveryQueued, KeyChanged } from '../../../../src/venue/parlay/protocol/events.ts'
import { requestHash } from '../../../../src/venue/parlay/wire/requestHash.ts'
import { identity } from '../../../venue/parlay/wire/rows.ts'
import { type Leg, sec, usd } from '../../../venue/parlay/driver.ts'
import { recordedTable } from './recorded.ts'

const market = (number: number): Market => ({
  number, ticker: `M${number}`, venue: number === 3 ? 'venue_b' : 'venue_a', event: `E${number}`, series: '', category: '', title: '', game: '', ladder: '',
  exclusionKeys: ['k'], openUs: 0, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null,
})
const index = new CatalogueIndex({ markets: Array.from({ length: 7 }, (_, number) => market(number)) })

function known() {
  const names = new KnownNames(identity, [10, 20, 21, 22])
  const d = recordedTable({}, names)
  return { d, names, numbers: names.numbers(d.records, index) }
}

it('PQ-032 finds accounts, requests, quotes, auctions and held positions by their names, in either case', () => {
  const { d, numbers } = known()
  d.cashout(10, d.open(10, 20, 4))
  expect([
    numbers.account(identity.account(21)), numbers.request(identity.request(1)), numbers.quote(identity.quote(1)), numbers.auction(identity.auction(1)),
    numbers.positionOfRfq(10, identity.rfq(1)), numbers.request(identity.request(1).toUpperCase()),
  ]).toEqual([21, 1, 1, 1, 1, 1])
})

it('PQ-288 finds no position of an account that does not hold it, and no name of another kind', () => {
  const { d, numbers } = known()
  d.open(10, 20, 4)
  expect([
    numbers.positionOfRfq(20, identity.rfq(1)), numbers.positionOfRfq(10, identity.request(1)), numbers.request(identity.rfq(1)), numbers.quote(identity.request(1)),
    numbers.account(identity.account(23)), numbers.request(identity.request(2)), numbers.auction(identity.auction(1)),
  ]).toEqual([-1, -1, -1, -1, -1, -1, -1])
})

it('PQ-346 forgets a request with its quotes when the venue does, but not the parlay of an account that is kept', () => {
  const { d, names, numbers } = known()
  d.open(10, 20, 4)
  d.open(22, 20, 4)
  d.cashout(10, 1)
  d.at(sec(70)).deposit(10, 1)
  expect([numbers.request(identity.request(1)), numbers.quote(identity.quote(1)), numbers.auction(identity.auction(1))]).toEqual([-1, -1, -1])
  expect([names.parlay(identity.rfq(1)), names.parlay(identity.rfq(2)), numbers.positionOfRfq(10, identity.rfq(1))]).toEqual([1, -1, 1])
})

it('PQ-457 PQ-288 names the parlay of a forgotten request again for an account that is kept and takes it over', () => {
  const { d, names, numbers } = known()
  d.open(22, 20, 4)
  d.at(sec(70)).deposit(10, 1)
  expect(names.parlay(identity.rfq(1))).toBe(-1)
  d.cashout(22, 1)
  d.bid(21, 1, usd(40))
  d.sell(22, 1)
  expect([names.parlay(identity.rfq(1)), numbers.positionOfRfq(21, identity.rfq(1)), numbers.positionOfRfq(20, identity.rfq(1))]).toEqual([1, 1, -1])
})

it('PQ-193 PQ-377 knows the content of each version by its hash, and no other', () => {
  const { d, numbers } = known()
  const legs: readonly Leg[] = [[3, 'no'], [1, 'yes']]
  d.create(10)
  d.update(10, 1, legs, usd(5.5))
  const first = requestHash([
    { market_ticker: 'M1', event_ticker: 'E1', venue: 'venue_a', side: 'yes' }, { market_ticker: 'M2', event_ticker: 'E2', venue: 'venue_a', side: 'no' },
  ], usd(25))
  const second = requestHash([
    { market_ticker: 'M3', event_ticker: 'E3', venue: 'venue_b', side: 'no' }, { market_ticker: 'M1', event_ticker: 'E1', venue: 'venue_a', side: 'yes' },
  ], usd(5.5))
  expect([numbers.contentTag(1, first), numbers.contentTag(1, second)]).toEqual([contentTag(2, [1, 2], [1, 0], usd(25)), d.view.request(1)!.contentTag])
  expect([numbers.contentTag(1, 'sha256:0'), numbers.contentTag(2, first)]).toEqual([0, 0])
})

it('PQ-051 finds a market by its ticker at its own venue alone', () => {
  const { numbers } = known()
  expect([numbers.market('M1', 'venue_a'), numbers.market('M1', 'venue_b'), numbers.market('M3', 'venue_b'), numbers.market('M9', 'venue_a')]).toEqual([1, -1, 3, -1])
})

it('PQ-232 PQ-272 finds keys by prefix for their own account, and by their whole text', () => {
  const { names, numbers } = known()
  const rows = new EventRows({ next: 1 }, 1, 4)
  const key = rows.open(1, ParlayEvent.keyCreated, -1)
  rows.write(key, KeyChanged.account, 10)
  rows.write(key, KeyChanged.credential, 5)
  const delivery = rows.open(1, ParlayEvent.deliveryQueued, -1)
  rows.write(delivery, DeliveryQueued.delivery, 9)
  for (const row of [key, delivery]) names.take(rows, row)
  const text = identity.apiKey(5)
  expect([numbers.key(10, text.slice(0, 17)), numbers.key(20, text.slice(0, 17)), numbers.key(10, text.slice(0, 16)), numbers.delivery(identity.event(9))]).toEqual([5, -1, -1, 9])
  expect([names.keyOfText(text), names.keyOfText(text.slice(0, -1))]).toEqual([{ account: 10, number: 5, prefix: text.slice(0, 17) }, undefined])
})
