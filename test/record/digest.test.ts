import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POSTING_STRIDE, PostingField, PostingRows } from '../../src/ledger/postingRows.ts'
import { Digest, DIGEST_BLOCK_ROWS } from '../../src/record/digest.ts'
import type { Cell } from '../../src/venue/eventCells.ts'
import { EVENT_STRIDE, EventCell, EventRows } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { OutcomeJournal } from '../../src/venue/outcome/protocol/journal.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'

interface EventSpec { readonly kind: 'event'; readonly fields: readonly number[]; readonly list: readonly number[] }
interface PostingSpec { readonly kind: 'posting'; readonly fields: readonly number[] }
type RowSpec = EventSpec | PostingSpec

const event = (fields: readonly number[] = [], list: readonly number[] = []): EventSpec => ({ kind: 'event', fields, list })
const posting = (...fields: readonly number[]): PostingSpec => ({ kind: 'posting', fields })

/** Digest of rows written in order and flushed after each of the row counts in `cuts`. */
function digestOf(rows: readonly RowSpec[], cuts: readonly number[] = [], edit?: (events: EventRows, postings: PostingRows) => void): string {
  const sequence = { next: 1 }
  const events = new EventRows(sequence, 1, 2)
  const postings = new PostingRows(sequence, 1, 2)
  const journal = new ParlayJournal(1, 2)
  const digest = new Digest()
  const flush = (): void => {
    edit?.(events, postings)
    digest.flush({ parlay: { events, postings, journal }, outcome: null })
    events.clear()
    postings.clear()
  }
  rows.forEach((row, i) => {
    if (cuts.includes(i)) flush()
    write({ events, postings }, row, i)
  })
  flush()
  digest.finish()
  return digest.hex()
}

function write({ events, postings }: { readonly events: EventRows; readonly postings: PostingRows }, row: RowSpec, i: number): void {
  if (row.kind === 'posting') {
    const [at = 0, cause = 0, debitKind = 0, debitOwner = 0, creditKind = 0, creditOwner = 0, amount = 0, request = 0] = row.fields
    return postings.append(at, cause, debitKind, debitOwner, creditKind, creditOwner, amount, request)
  }
  const opened = events.open(1000 + i, ParlayEvent.quoteSubmitted, i)
  // The cells after those that every row has, whatever they are called.
  row.fields.forEach((value, field) => events.write(opened, EventCell.cause + 1 + field as Cell<string>, value))
  for (const item of row.list) events.push(item)
}

const STORY: readonly RowSpec[] = [
  event([7, -1, 1, 1], [4, 1, 9, 0]),
  posting(1001, 3, 1, 7, 2, 7, 25_000_000, 1),
  posting(1001, 3, 1, 2, 2, 2, 74_250_000, 1),
  event([2, 7, 1, 1, 3]),
  event([7, 2, 1, 1, 3], [4, 1, 9, 0]),
]

const amount = fc.integer({ min: -1, max: 2 ** 40 })
const anyRow: fc.Arbitrary<RowSpec> = fc.oneof(
  fc.record({ kind: fc.constant('event' as const), fields: fc.array(amount, { maxLength: 14 }), list: fc.array(fc.nat(), { maxLength: 8 }) }),
  fc.record({ kind: fc.constant('posting' as const), fields: fc.array(amount, { minLength: 8, maxLength: 8 }) }),
)

test('the digest does not depend on where the batches were cut', () => {
  fc.assert(fc.property(fc.array(anyRow, { maxLength: 60 }), fc.array(fc.nat({ max: 60 })), (rows, cuts) => {
    expect(digestOf(rows, cuts)).toBe(digestOf(rows))
  }))
})

test('the digest does not depend on the cuts around a full block', () => {
  const rows = Array.from({ length: DIGEST_BLOCK_ROWS + 3 }, (_, i) => (i % 3 === 0 ? posting(i, 1, 0, -1, 1, i, i, -1) : event([i], [i])))
  const whole = digestOf(rows)
  for (const cut of [DIGEST_BLOCK_ROWS - 1, DIGEST_BLOCK_ROWS, DIGEST_BLOCK_ROWS + 1]) expect(digestOf(rows, [1, cut])).toBe(whole)
  expect(digestOf(rows.slice(0, DIGEST_BLOCK_ROWS))).not.toBe(whole)
})

test('every field of an event row but the start of its list changes the digest', () => {
  const before = digestOf(STORY)
  for (let field = 0; field < EVENT_STRIDE; field++) {
    if (field === EventCell.listStart || field === EventCell.listLength) continue
    for (const change of [1, 2 ** 32]) {
      const after = digestOf(STORY, [], (events) => { events.rawCells()[2 * EVENT_STRIDE + field]! += change })
      expect(after, `field ${field}`).not.toBe(before)
    }
  }
})

test('every field of a posting row changes the digest', () => {
  const before = digestOf(STORY)
  for (let field = 0; field < POSTING_STRIDE; field++) {
    const after = digestOf(STORY, [], (_, postings) => { postings.cells[POSTING_STRIDE + field]! += 1 })
    expect(after, `field ${field}`).not.toBe(before)
  }
})

test('the contents, the order and the length of a list change the digest', () => {
  const of = (list: readonly number[]): string => digestOf([event([1], list), event([2])])
  const lists = [[], [0], [0, 0], [4, 1, 9, 0], [4, 1, 9, 1], [9, 0, 4, 1], [4, 1, 9, 0, 4], [4, 0, 9, 0, 1]]
  expect(new Set(lists.map(of)).size).toBe(lists.length)
})

test('where a list starts in its pool does not change the digest', () => {
  const shifted = digestOf(STORY, [], (events) => {
    const pool = new Int32Array(events.pool.length + 5)
    pool.set(events.pool, 5)
    events.pool = pool
    for (let row = 0; row < events.count; row++) events.rawCells()[row * EVENT_STRIDE + EventCell.listStart]! += 5
  })
  expect(shifted).toBe(digestOf(STORY))
})

test('the order of rows changes the digest, and so does a row more', () => {
  const [first, second] = [event([1]), event([2])]
  expect(digestOf([first, second])).not.toBe(digestOf([second, first]))
  expect(digestOf([...STORY, event()])).not.toBe(digestOf(STORY))
  expect(digestOf([])).not.toBe(digestOf([event()]))
})

test('minus zero is zero', () => {
  const zero = digestOf([event([0, 0, 5]), posting(0, 1, 1, 1, 1, 1, 0, 0)])
  const minus = digestOf([event([-0, -0, 5]), posting(-0, 1, 1, 1, 1, 1, -0, -0)])
  expect(minus).toBe(zero)
  expect(digestOf([event([-1])])).not.toBe(digestOf([event([1])]))
})

/** Digest of the same rows when each stands with its service, 0 or 1, and both are flushed together after each of `cuts`. */
function mergedDigestOf(rows: readonly RowSpec[], services: readonly number[], cuts: readonly number[]): string {
  const sequence = { next: 1 }
  const parts = [0, 1].map((service) => ({ events: new EventRows(sequence, service, 2), postings: new PostingRows(sequence, service, 2) }))
  const digest = new Digest()
  const flush = (): void => {
    digest.flush({ parlay: { ...parts[0]!, journal: new ParlayJournal(0, 2) }, outcome: { ...parts[1]!, journal: new OutcomeJournal(1, 2) } })
    for (const { events, postings } of parts) {
      events.clear()
      postings.clear()
    }
  }
  rows.forEach((row, i) => {
    if (cuts.includes(i)) flush()
    write(parts[services[i]!]!, row, i)
  })
  flush()
  return digest.hex()
}

/** What `mergedDigestOf` should give: one stream of rows that name their services. */
const interleavedDigestOf = (rows: readonly RowSpec[], services: readonly number[]): string =>
  digestOf(rows, [], (events, postings) => {
    const cells = events.rawCells()
    for (let row = 0; row < events.count; row++) cells[row * EVENT_STRIDE + EventCell.service] = services[cells[row * EVENT_STRIDE + EventCell.seq]! - 1]!
    for (let row = 0; row < postings.count; row++) {
      const at = row * POSTING_STRIDE
      postings.cells[at + PostingField.service] = services[postings.cells[at + PostingField.seq]! - 1]!
    }
  })

test('rows of two services are taken in the order of their seq, wherever the batches were cut', () => {
  const rowOfService = fc.tuple(anyRow, fc.constantFrom(0, 1))
  fc.assert(fc.property(fc.array(rowOfService, { maxLength: 60 }), fc.array(fc.nat({ max: 60 })), (specs, cuts) => {
    const [rows, services] = [specs.map(([row]) => row), specs.map(([, service]) => service)]
    expect(mergedDigestOf(rows, services, cuts)).toBe(interleavedDigestOf(rows, services))
  }))
})

test('rows of two services fill one block', () => {
  const rows = Array.from({ length: DIGEST_BLOCK_ROWS + 3 }, (_, i) => (i % 3 === 0 ? posting(i, 1, 0, -1, 1, i, i, -1) : event([i], [i])))
  const services = rows.map((_, i) => Math.floor(i / 5) % 2)
  for (const cut of [DIGEST_BLOCK_ROWS - 1, DIGEST_BLOCK_ROWS]) expect(mergedDigestOf(rows, services, [1, cut])).toBe(interleavedDigestOf(rows, services))
  expect(mergedDigestOf(rows, services.map((service) => 1 - service), [])).not.toBe(mergedDigestOf(rows, services, []))
})

test('a session of the second service alone has the digest of its rows', () => {
  const services = STORY.map(() => 1)
  expect(mergedDigestOf(STORY, services, [2])).toBe(digestOf(STORY))
})

test('asking for the digest midway does not disturb it, and an image carries on where it was', () => {
  const sequence = { next: 1 }
  const events = new EventRows(sequence, 1)
  const postings = new PostingRows(sequence, 1)
  const journal = new ParlayJournal(1)
  const feed = (digest: Digest, from: number): void => {
    events.clear()
    sequence.next = from
    events.open(5, ParlayEvent.reply, from)
    digest.flush({ parlay: { events, postings, journal }, outcome: null })
  }
  const asked = new Digest()
  const quiet = new Digest()
  feed(asked, 1)
  feed(quiet, 1)
  const midway = asked.hex()
  const carried = new Digest()
  carried.restore(quiet.snapshot())
  for (const digest of [asked, quiet, carried]) feed(digest, 2)
  expect(asked.hex()).toBe(quiet.hex())
  expect(carried.hex()).toBe(quiet.hex())
  expect(midway).not.toBe(asked.hex())
})
