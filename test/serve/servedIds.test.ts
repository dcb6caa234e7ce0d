import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { requestOfId } from '../../src/serve/servedIds.ts'
import { WireIdentity as OutcomeIdentity } from '../../src/venue/outcome/wire/identity.ts'
import { WireIdentity as ParlayIdentity } from '../../src/venue/parlay/wire/identity.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put } from '../scenario/small.ts'

const SHIFT_US = 3_600_000_000
const SCENARIO = `
version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 }, outcome: { profile: outcome@1 } }
history: { store: ${resolve('data', 'quickstart')}, maxAge: 2m }
arrivals: { until: 10m, max: 80 }
settlement: { lag: 10m, missing: exclude, scalar: void }
bettors:
  - { kind: impatient, name: sellers, service: parlay, n: 100, bankroll: 2000 USDC, every: 30m, legsMax: 3, holdMin: 60s, holdMax: 5m }
  - { kind: impatient, name: leavers, service: outcome, n: 100, bankroll: 5000 USDC, every: 30m, legsMax: 3, holdMin: 60s, holdMax: 5m }
makers:
  - { use: fixed-margin, name: rival, service: parlay, capital: 100000 USDC, params: { margin: 2%, bid: 2% } }
  - { use: fixed-margin, name: street, service: outcome, capital: 200000 USDC, params: { margin: 2%, bid: 2% } }
inference: { cluster: gameDay }
`

let dir = ''
/** The last row of a table that is one service's: cells by column. */
const lastRow = (name: string, service: string): Record<string, number> => {
  const table = readTable(join(dir, 'tables', `${name}.arrow`))
  const services = table.column('service')
  const row = Array.from({ length: table.rowCount }, (_, i) => i).findLast((i) => services.values![services.codes![i]!] === service)!
  return Object.fromEntries(table.columnNames.flatMap((column) => {
    const { numbers } = table.column(column)
    return numbers === undefined ? [] : [[column, numbers[row]!]]
  }))
}

/** As a session that was served leaves it. */
function served(keys: object): void {
  const path = join(dir, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...manifest, served: { clock: 'wall', speed: 1, shiftUs: SHIFT_US, stoppedUs: null, ...keys } }))
}

beforeAll(async () => {
  const folder = newFolder()
  put(folder, 'both.yaml', SCENARIO)
  await parlorHere(folder, 'run', 'both.yaml', '--out', 'run', '--no-report')
  dir = join(folder, 'run')
  served({ idKey: 'ids' })
})

describe('an id that a client had', () => {
  const parlay = new ParlayIdentity({ ids: 'ids', secrets: 'secrets' }, SHIFT_US)
  const outcomeAt = (atUs: number): OutcomeIdentity => {
    const never = (): never => { throw new Error('not asked for') }
    return new OutcomeIdentity({ ids: 'ids', secrets: 'secrets' }, { rfqCreatedAtUs: () => atUs, operationStartedAtUs: never, acceptance: never }, null, SHIFT_US)
  }

  it.each([
    ['a request', 'parlay', 'requests', ({ request }) => parlay.request(request!)],
    ['an RFQ of a request', 'parlay', 'requests', ({ request }) => parlay.rfq(request!)],
    ['a quote', 'parlay', 'quotes', ({ quote }) => parlay.quote(quote!)],
    ['a position', 'parlay', 'positions', ({ position }) => parlay.position(position!)],
    ['an auction', 'parlay', 'auctions', ({ auction }) => parlay.auction(auction!)],
    ['a bid', 'parlay', 'bids', ({ bid }) => parlay.bid(bid!)],
    ['a request, in capitals', 'parlay', 'requests', ({ request }) => parlay.request(request!).toUpperCase()],
    ['an RFQ', 'outcome', 'requests', ({ request, created_at }) => outcomeAt(created_at!).rfq(request!)],
    ['a quote', 'outcome', 'quotes', ({ quote }) => outcomeAt(0).quote(quote!)],
    ['a position', 'outcome', 'positions', ({ position }) => outcomeAt(0).position(position!)],
    ['a cash-out RFQ', 'outcome', 'auctions', ({ auction, opened_at }) => outcomeAt(opened_at!).rfq(auction!)],
    ['a quote for a cash-out', 'outcome', 'bids', ({ bid }) => outcomeAt(0).quote(bid!)],
  ] as readonly (readonly [string, string, string, (row: Record<string, number | undefined>) => string])[])(
    'as that of %s on the %s service, leads to the request', (_, service, table, idOf) => {
      const row = lastRow(table, service)
      expect(requestOfId(dir, idOf(row))).toEqual({ service, request: row['request'] })
      expect(requestOfId(dir, idOf(row), service)).toEqual({ service, request: row['request'] })
      expect(() => requestOfId(dir, idOf(row), service === 'parlay' ? 'outcome' : 'parlay')).toThrow('the run has no id')
    })

  it('tells the same story as the number of its request', async () => {
    const { request } = lastRow('positions', 'parlay')
    const [byId, byNumber] = [await parlorHere('.', 'explain', dir, parlay.request(request!)), await parlorHere('.', 'explain', dir, `parlay:${request}`)]
    expect([byId.code, byId.out]).toEqual([0, byNumber.out])
  })

  it('is one of this run, and of one that keeps what ids are made under', () => {
    const id = new ParlayIdentity('of another session').request(1)
    expect(() => requestOfId(dir, id)).toThrow(`the run has no id ${id}`)
    served({ idKey: undefined })
    expect(() => requestOfId(dir, id)).toThrow(expect.objectContaining({ message: expect.stringContaining('the run has numbers alone'), hint: expect.stringContaining('of an older version') }))
    served({ idKey: 'ids' })
  })

  it('says nothing of a secret', () => {
    const [other, whole] = [new ParlayIdentity({ ids: 'ids', secrets: 'others' }), new ParlayIdentity('ids')]
    expect([other.request(1), other.position(2)]).toEqual([parlay.request(1), parlay.position(2)])
    expect([other.apiKey(1), other.webhookSecret(1, 0, 1)]).not.toContain(parlay.apiKey(1))
    expect([parlay.apiKey(1), parlay.webhookSecret(1, 0, 1)]).not.toEqual([whole.apiKey(1), whole.webhookSecret(1, 0, 1)])
    const [own, plain] = [outcomeAt(0), new OutcomeIdentity('ids', { rfqCreatedAtUs: () => 0, operationStartedAtUs: () => 0, acceptance: () => ({ taker: 0, key: 0 }) })]
    expect(own.quote(1)).toBe(plain.quote(1))
    expect([own.secret(1) === plain.secret(1), own.accessToken(1) === plain.accessToken(1)]).toEqual([false, false])
  })
})
