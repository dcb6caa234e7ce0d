import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { TableWriter } from '../../src/arrow/tableWriter.ts'
import { webhookTable } from '../../src/record/logTables.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import { replayJournal } from '../../src/record/replayJournal.ts'
import { WebhookRows } from '../../src/record/webhookRows.ts'
import { rowOfKind } from '../../src/venue/eventCells.ts'
import { ParlayCommand, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, type ParlayKind } from '../../src/venue/parlay/protocol/events.ts'
import { JOURNAL_STRIDE, ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'
import { Answer, DeliveryStatus, OwnerKind, WebhookEvent } from '../../src/venue/parlay/protocol/webhooks.ts'
import { HandRows } from './handRows.ts'
import { DIRECTORY } from './story.ts'

const E = ParlayEvent
const S = DeliveryStatus

let dir: string
beforeAll(() => { dir = mkdtempSync(join(tmpdir(), 'parlor-webhooks-')) })
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const recorderOf = (more: Partial<RecorderOptions> = {}): Recorder =>
  new Recorder({ dir, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: {}, reference: null, horizonsUs: [], equityEveryUs: 0, ...more })

function rows(...names: readonly string[]): (number | string | null)[][] {
  const table = readTable(join(dir, 'tables', 'webhooks.arrow'))
  return Array.from({ length: table.rowCount }, (_, row) => names.map((name) => {
    const column = table.column(name)
    if (column.valid !== null && column.valid[row] === 0) return null
    return column.codes === undefined ? column.numbers![row]! : column.values![column.codes[row]!]!
  }))
}

/** Deliveries of a status change of request 7 to its bettor (1), and of a deposit to a maker (2). */
function play(): HandRows {
  const queued = (ownerKind: number, delivery: number, webhookEvent: number, eventSeq: number, account: number) =>
    ({ ownerKind, delivery, webhookEvent, eventSeq, account })
  return new HandRows()
    .row(10, E.statusChanged, { owner: 1, request: 7, status: 1 })
    .row(10, E.fundsDeposited, { account: 2, amountMicros: 5 })
    .row(10, E.deliveryQueued, queued(OwnerKind.user, 1, WebhookEvent.statusChanged, 1, 1))
    .row(10, E.deliveryQueued, queued(OwnerKind.user, 2, WebhookEvent.fundsDeposited, 2, 2))
    .row(10, E.deliveryAttempted, { account: 1, delivery: 1, attempt: 1, timeoutAtUs: 20 })
    .row(20, E.deliveryChanged, { account: 1, status: S.failed, delivery: 1, attempts: 1, response: Answer.timeout, nextAttemptAtUs: 50 })
    .row(21, E.deliveryChanged, { account: 2, status: S.deadLetter, delivery: 2, attempts: 0, response: Answer.notAllowed })
    .row(50, E.deliveryAttempted, { account: 1, delivery: 1, attempt: 2, timeoutAtUs: 60 })
    .row(51, E.deliveryChanged, { account: 1, status: S.delivered, delivery: 1, attempts: 2, response: 204 })
    .row(60, E.deliveryRequeued, { account: 2, status: S.pending, delivery: 2 })
    .row(60, E.deliveryAttempted, { account: 2, delivery: 2, attempt: 1, timeoutAtUs: 70 })
    .row(63, E.deliveryChanged, { account: 2, status: S.failed, delivery: 2, attempts: 1, response: 503, nextAttemptAtUs: 90 })
}

test('a delivery leaves a row at each end, and one for what a redelivery has not ended', () => {
  const recorder = recorderOf()
  recorder.flush(play())
  recorder.finish(80)
  expect(rows('seq', 'delivery', 'redeliveries', 'event', 'account', 'owner_kind', 'event_seq', 'request')).toEqual([
    [7, 2, 0, 'funds.deposited', 2, 'user', 2, null],
    [9, 1, 0, 'parlay.status_changed', 1, 'user', 1, 7],
    [null, 2, 1, 'funds.deposited', 2, 'user', 2, null],
  ])
  expect(rows('created_at', 'attempts', 'status', 'response_code', 'next_attempt_at', 'ended_at')).toEqual([
    [10, 0, 'dead_letter', -2, null, 21],
    [10, 2, 'delivered', 204, null, 51],
    [10, 1, 'failed', 503, 90, null],
  ])
})

test('a delivery that was never answered has no response', () => {
  const recorder = recorderOf()
  recorder.flush(new HandRows()
    .row(10, E.fundsDeposited, { account: 2, amountMicros: 5 })
    .row(10, E.deliveryQueued, { account: 2, ownerKind: OwnerKind.user, delivery: 1, webhookEvent: WebhookEvent.fundsDeposited, eventSeq: 1 })
    .row(10, E.deliveryAttempted, { account: 2, delivery: 1, attempt: 1, timeoutAtUs: 40 }))
  recorder.finish(20)
  expect(rows('seq', 'status', 'response_code', 'attempts', 'next_attempt_at', 'ended_at')).toEqual([[null, 'pending', null, 1, 40, null]])
})

test('an ended delivery begins another row until its retention is over, and is forgotten with it, as the gate forgets it', () => {
  const redelivered = (atUs: number) => (): void => {
    const recorder = recorderOf({ parlay: { legsMax: 5, deliveryRetentionUs: 100 } })
    recorder.flush(new HandRows()
      .row(10, E.fundsDeposited, { account: 2, amountMicros: 5 })
      .row(10, E.deliveryQueued, { account: 2, ownerKind: OwnerKind.user, delivery: 1, webhookEvent: WebhookEvent.fundsDeposited, eventSeq: 1 })
      .row(21, E.deliveryChanged, { account: 2, status: S.deadLetter, delivery: 1, attempts: 0, response: Answer.notAllowed })
      .row(atUs, E.deliveryRequeued, { account: 2, status: S.pending, delivery: 1 }))
    recorder.finish(200)
  }
  // It ended at 21: known up to and at 120.
  redelivered(120)()
  expect(rows('delivery', 'redeliveries', 'status', 'event_seq', 'created_at', 'ended_at')).toEqual([
    [1, 0, 'dead_letter', 1, 10, 21], [1, 1, 'pending', 1, 10, null],
  ])
  expect(redelivered(121)).toThrow('number 1, which is not open')
})

test('what the recorder knows of deliveries is bounded by their retention', () => {
  const { spec, at } = webhookTable()
  const writer = new TableWriter(spec, join(dir, 'bounded.arrow'), {})
  const webhooks = new WebhookRows(writer, at, 100)
  const hand = new HandRows()
  const told = (number: number, atUs: number, op: 'queued' | 'changed' | 'requeued'): void => {
    const about = { account: 2, delivery: number, webhookEvent: WebhookEvent.fundsDeposited }
    if (op === 'queued') hand.row(atUs, E.deliveryQueued, { ...about, ownerKind: OwnerKind.user, eventSeq: 1 })
    else hand.row(atUs, op === 'changed' ? E.deliveryChanged : E.deliveryRequeued, { ...about, status: op === 'changed' ? S.delivered : S.pending, attempts: 1 })
    const row = hand.events.row(hand.events.count - 1)
    const kind = hand.events.kindOf(row) as ParlayKind
    if (kind === E.deliveryQueued) webhooks.queued(hand.events, rowOfKind(row, kind))
    else if (kind === E.deliveryChanged) webhooks.changed(hand.events, rowOfKind(row, kind))
    else if (kind === E.deliveryRequeued) webhooks.requeued(hand.events, rowOfKind(row, kind))
  }
  // One every 10 µs, and each ends at once: at 9990 what ended at 9890 is forgotten, and what ended from 9900 on is known.
  for (let number = 1; number < 1000; number++) {
    told(number, 10 * number, 'queued')
    told(number, 10 * number, 'changed')
  }
  expect(webhooks.knownCount).toBe(10)
  // The one of 9920 is asked for again at 9995 and ends at 10005: known until 10105, and the others no longer than until 10090.
  told(992, 9995, 'requeued')
  told(992, 10005, 'changed')
  told(1000, 10100, 'queued')
  expect(webhooks.knownCount).toBe(2)
  told(1001, 10105, 'queued')
  expect(webhooks.knownCount).toBe(2)
  writer.abort()
})

test('the journal gives back every field of every command, those of the gate too', () => {
  const recorder = recorderOf()
  const events = new HandRows()
  const sent = Object.entries(ParlayOp).map(([, op], i) => {
    const command = new ParlayCommand().reset(op, op === ParlayOp.answerDelivery ? -1 : 2)
    return Object.assign(command, {
      seq: i + 1, credential: [0, 3, -1, -2][i % 4]!, source: i * 1000, position: 100 + i, auction: 200 + i, amountMicros: 300 + i,
      value: i - 2, value2: 2 ** 40 + i, closeUs: 1_750_000_000_000_000 + i, memoE9: 400_000_000 + i, validMs: i,
    })
  })
  for (const command of sent) {
    events.journal.append(10, command)
    events.row(10, E.reply, { cause: command.seq, account: command.account, op: command.op, code: 0 })
  }
  recorder.flush(events)
  recorder.finish(20)
  const again = new ParlayJournal(0, 4)
  replayJournal(join(dir, 'tables', 'journal.arrow'), { parlay: { command: new ParlayCommand(), apply: (atUs, command) => again.append(atUs, command) } })
  expect(again.cells.slice(0, again.count * JOURNAL_STRIDE)).toEqual(events.journal.cells.slice(0, sent.length * JOURNAL_STRIDE))
})
