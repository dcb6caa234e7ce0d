import { describe, expect, it } from 'vitest'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { type Fields, GateDriver, MAKER, MINUTE, sec, T0, TAKER } from './gateDriver.ts'
import { Read } from '../../../src/venue/outcome/protocol/commands.ts'

/** Routes by name; lists of the catalogue and of the account, and the others. */
const MARKETS = 0
const HISTORY = 2
const ACCOUNT_LISTS = [6, 8, 11, 13, 15, 16]
const CATALOGUE_LISTS = [MARKETS, HISTORY]
const LISTS = [...CATALOGUE_LISTS, ...ACCOUNT_LISTS]
const PLAIN = [1, 3, 4, 5, 7, 9, 10, 12, 14]
const NOW_MS = T0 / 1_000

/** A maker may read every route. */
const read = (d: GateDriver, value: number, fields: Fields = {}) => d.send('read', MAKER, { value, ...fields })!
const code = (d: GateDriver, value: number, fields: Fields = {}) => read(d, value, fields).code

describe('pages', () => {
  it.each(LISTS)('OM-243 OM-244 a page of list %i has 1 to 200 items, of market history to 1440; 50 when none is named', (route) => {
    const d = new GateDriver()
    const max = route === HISTORY ? 1_440 : 200
    expect([1, max].map((value2) => read(d, route, { value2 })['pageLimit'])).toEqual([1, max])
    expect(read(d, route)['pageLimit']).toBe(50)
    for (const value2 of [0, max + 1, -2, 1.5, NaN]) {
      expect(read(d, route, { value2 })).toEqual({ event: 'reply', at: 0, cause: d.seq, account: MAKER, op: 'read', code: 'invalidQuery' })
    }
  })

  it.each(PLAIN)('OM-185 route %i is no list and takes neither a limit nor a cursor', (route) => {
    const d = new GateDriver()
    expect(read(d, route)).toEqual({ event: 'reply', at: 0, cause: 1, account: MAKER, op: 'read', code: 'ok' })
    for (const fields of [{ value2: 1 }, { value2: 0 }, { cursor: 0 }, { cursor: NOW_MS }, { cursor: -2 }]) expect(code(d, route, fields)).toBe('invalidQuery')
  })

  it('OM-185 a bad limit comes before a bad cursor', () => {
    const d = new GateDriver()
    for (const route of LISTS) expect(code(d, route, { value2: 0, cursor: -2 })).toBe('invalidQuery')
  })

  it.each([-1, 17, 1.5, NaN, -2])('OM-184 route %s does not exist', (value) => {
    const d = new GateDriver()
    expect(read(d, value, { value2: 0 })).toEqual(
      { event: 'reply', at: 0, cause: 1, account: MAKER, op: 'read', code: 'invalidRequest', invalidField: InvalidField.value })
    expect(code(d, value, { credential: d.issue(MAKER, 128) })).toBe('invalidRequest')
  })
})

describe('cursors', () => {
  it('OM-245 the first page needs none, and names the cursor of the next', () => {
    const d = new GateDriver()
    for (const route of CATALOGUE_LISTS) expect(read(d, route)['nextCursor']).toBe(0)
    d.at(1_999)
    for (const route of ACCOUNT_LISTS) {
      const first = read(d, route)
      expect(first).toMatchObject({ code: 'ok', nextCursor: NOW_MS + 1 })
      expect(code(d, route, { cursor: NOW_MS + 1 })).toBe('ok')
    }
    expect(d.venue.effects).toBe(0)
  })

  it.each(LISTS)('OM-186 a malformed cursor of list %i', (route) => {
    const d = new GateDriver()
    for (const cursor of [-2, -3, 0.5, NaN, 2 ** 53]) expect(code(d, route, { cursor })).toBe('invalidCursor')
  })

  it.each(CATALOGUE_LISTS)('OM-196 OM-186 a cursor of list %i is of the present catalogue: an older one is stale, a later one of no query', (route) => {
    const d = new GateDriver()
    for (const op of ['listOutcome', 'haltOutcome', 'listOutcome', 'delistOutcome', 'resolveOutcome'] as const) d.send(op, -1)
    expect(read(d, route)['nextCursor']).toBe(3)
    expect([0, 2, 3, 4].map((cursor) => code(d, route, { cursor }))).toEqual(['staleCursor', 'staleCursor', 'ok', 'invalidCursor'])
    d.send('listOutcome', -1)
    expect(code(d, route, { cursor: 3 })).toBe('staleCursor')
  })

  it.each(ACCOUNT_LISTS)('OM-197 a cursor of list %i is good for 5 minutes to the microsecond', (route) => {
    const d = new GateDriver()
    const cursor = read(d.at(700), route)['nextCursor'] as number
    expect(cursor).toBe(NOW_MS)
    expect(code(d.at(5 * MINUTE - 1), route, { cursor })).toBe('ok')
    expect(code(d.at(5 * MINUTE), route, { cursor })).toBe('cursorExpired')
  })

  it.each(ACCOUNT_LISTS)('OM-186 a cursor of list %i cannot be after now', (route) => {
    const d = new GateDriver()
    expect([NOW_MS, NOW_MS + 1].map((cursor) => code(d.at(999), route, { cursor }))).toEqual(['ok', 'invalidCursor'])
    expect(code(d.at(1_000), route, { cursor: NOW_MS + 1 })).toBe('ok')
  })

  it('OM-197 OM-196 the settings of pages and lives are the profile\'s', () => {
    const d = new GateDriver({ cursorLifeMs: 1, pageMax: 3, historyPageMax: 4, pageDefault: 2 })
    expect(read(d, 13)['pageLimit']).toBe(2)
    expect([3, 4].map((value2) => code(d, 13, { value2 }))).toEqual(['ok', 'invalidQuery'])
    expect([4, 5].map((value2) => code(d, HISTORY, { value2 }))).toEqual(['ok', 'invalidQuery'])
    expect(code(d.at(1_000), 13, { cursor: NOW_MS })).toBe('cursorExpired')
  })
})

it('OM-243 a read of a participant\'s lists needs no more than its limit and cursor', () => {
  const d = new GateDriver()
  d.at(sec(1))
  expect([6, 11, 13].map((value) => d.code('read', TAKER, { value, [Read.pageLimit]: 200, cursor: NOW_MS + 1_000 }))).toEqual(['ok', 'ok', 'ok'])
})
