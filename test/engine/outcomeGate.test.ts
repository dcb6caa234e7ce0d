import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/agent/bettors/scripted.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import { AuctionOutcome, Refusal } from '../../src/agent/vocabulary.ts'
import type { OutcomeGateConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import { PostingRows } from '../../src/ledger/postingRows.ts'
import { FIRST_GATE_OP, FIRST_PARTICIPANT_OP, SetFault } from '../../src/venue/contract.ts'
import { type Row, rowAs } from '../../src/venue/eventCells.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { outcomeGate } from '../../src/venue/outcome/gate/gate.ts'
import { GateFault, needsKey, SCOPES_OF_ROLE } from '../../src/venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { OutcomeCommand, OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { KeyChanged, OutcomeEvent, type QuoteRow, Reply, RfqReply, StreamOpened } from '../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../../src/venue/outcome/protocol/gate.ts'
import { outcomeVenue } from '../../src/venue/outcome/venue.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { type LoggedRow, ofKind } from './loggedRow.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { holding, note, play, quoting, REQUEST, resolved, sec, selling, START, START_S, type Told, usd } from './outcomeStory.ts'
import { outcomeAuctionConfig, type OutcomeConfig } from './outcomeWorld.ts'

const SECONDS = 20

const gate = (profile: Partial<OutcomeGateProfile> = {}, replaced: Partial<OutcomeGateConfig> = {}): OutcomeGateConfig => ({
  profile: profileOf(OUTCOME_GATE_SETTINGS, profile), keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 3, backoffUs: 500_000 }, ...replaced,
})

const behind = (config: OutcomeConfig, entry: OutcomeGateConfig): OutcomeConfig => ({ ...config, outcome: { ...config.outcome, gate: entry } })

/** Limits are met, streams come and go, and keys are issued. */
const config = behind(outcomeAuctionConfig(SECONDS), gate({ limitWindowMs: 5_000, quoteLimit: 60, heartbeatMs: 4_000 }))

function digestOf(of: OutcomeConfig, chunk = 4096): string {
  const digest = new Digest()
  new Session({ ...of, sinks: [digest] }).runToEnd(chunk)
  return digest.hex()
}

function logOf(of: OutcomeConfig): OutcomeLog {
  const log = new OutcomeLog()
  new Session({ ...of, sinks: [log] }).runToEnd()
  return log
}

describe('INV-30 same inputs, same bytes behind the outcome gate', () => {
  it('INV-30 gives the same digest with every chunk size, when views cannot be kept, and from an image', () => {
    const expected = digestOf(config)
    expect(digestOf(config, 3)).toBe(expected)
    expect(digestOf({ ...config, freshViews: true })).toBe(expected)
    for (const steps of [300, 2500]) {
      const digests = [new Digest(), new Digest()]
      const [first, second] = digests.map((digest) => new Session({ ...config, sinks: [digest] })) as [Session, Session]
      first.run(steps)
      second.restore(structuredClone(first.snapshot()))
      digests[1]!.restore(digests[0]!.snapshot())
      second.runToEnd()
      expect(digests[1]!.hex()).toBe(expected)
    }
  })

  it('INV-30 is replayed from its journal through another gate', () => {
    const { profile, gate: own } = config.outcome
    const sequence = { next: 1 }
    const events = new EventRows(sequence, 1)
    const postings = new PostingRows(sequence, 1)
    const venue = outcomeGate(outcomeVenue(profile, events, postings), own!.profile, events)
    const digest = new Digest()
    const command = new OutcomeCommand()
    const replay: Sink = {
      flush({ outcome }: Batch) {
        for (let row = 0; row < outcome!.journal.count; row++) venue.apply(outcome!.journal.read(row, command), command)
      },
      finish(endUs) {
        venue.pulse(endUs)
        digest.flush({ parlay: null, outcome: { events, postings, journal: null as never } })
      },
      abort() {},
    }
    const whole = new Digest()
    new Session({ ...config, sinks: [whole, replay] }).runToEnd()
    expect(digest.hex()).toBe(whole.hex())
  })

  it('changes nothing that the venue says when nobody meets its limits or its streams', () => {
    const plain = outcomeAuctionConfig(SECONDS, { makers: outcomeAuctionConfig(1).outcome.makers.map((entry) => ({ ...entry, faults: NO_FAULTS })) })
    const open = gate({ rfqLimit: 1e6, acceptLimit: 1e6, quoteLimit: 1e6, quoteCancelLimit: 1e6, confirmLimit: 1e6 }, { retries: { most: 0, backoffUs: 0 } })
    const rows = (log: OutcomeLog): LoggedRow[] => (log.rows as (LoggedRow & { readonly op?: number })[])
      .filter(({ kind, op = 0 }) => kind < OutcomeEvent.sessionStarted && op < FIRST_GATE_OP)
      .map((row) => ({ ...row, seq: 0, cause: 0 }))
    expect(rows(logOf(behind(plain, open)))).toEqual(rows(logOf(plain)))
  })
})

describe('participants behind the outcome gate', () => {
  const log = logOf(config)

  it('OM-115 OM-119 have a key of their role’s scopes, which their wallet issued in a session', () => {
    const issued = ofKind(log.rows, OutcomeEvent.keyIssued, KeyChanged)
    const makers = config.outcome.makers.length
    expect(issued).toHaveLength(160)
    expect(issued.map(({ scopes }) => scopes)).toEqual([...Array(160 - makers).fill(SCOPES_OF_ROLE[0]), ...Array(makers).fill(SCOPES_OF_ROLE[1])])
    const rows = log.rows as (LoggedRow & { readonly account?: number; readonly op?: number })[]
    const kinds = rows.filter(({ account }) => account === 7).slice(0, 9).map(({ kind, op }) => (op === undefined ? kind : -op))
    expect(kinds).toEqual([
      OutcomeEvent.accountBound, OutcomeEvent.sessionStarted, -OutcomeOp.signIn, OutcomeEvent.challengeMade, -OutcomeOp.challengeKey,
      OutcomeEvent.keyIssued, -OutcomeOp.issueKey, OutcomeEvent.sessionEnded, -OutcomeOp.signOut,
    ])
  })

  it('OM-107 OM-084 name every command that must have one effect by a key of its own, and no other', () => {
    const named = new Map<string, object>()
    const unnamed = new Set<number>()
    for (const { atUs: _, ...command } of log.commands) {
      const { op, account, key } = command
      if (op < FIRST_PARTICIPANT_OP) continue
      expect(key > 0).toBe(needsKey(op))
      if (key <= 0) unnamed.add(op)
      else {
        // A command that is sent again is so under the key of the first time.
        const name = `${account} ${key}`
        expect(named.get(name) ?? command).toEqual(command)
        named.set(name, command)
      }
    }
    expect(named.size).toBeGreaterThan(300)
    expect(unnamed).toContain(OutcomeOp.confirmQuote)
    const codes = ofKind(log.rows, OutcomeEvent.reply, Reply).map(({ code }) => code)
    expect(codes.filter((code) => code === OutcomeCode.idempotencyKeyReused || code === OutcomeCode.unauthenticated)).toEqual([])
  })

  it('hear nothing over a stream that is not open, and close it at the end', () => {
    const open = new Set<number>()
    const makers = new Set(ofKind(log.rows, OutcomeEvent.streamOpened, StreamOpened).map(({ account }) => account))
    const absent = new Map<number, number[]>()
    let quotes = 0
    for (const { kind, account, maker, rfq } of log.rows as LoggedRow<typeof StreamOpened & typeof QuoteRow>[]) {
      if (kind === OutcomeEvent.streamOpened) open.add(account)
      else if (kind === OutcomeEvent.streamClosed) open.delete(account)
      else if (kind === OutcomeEvent.rfqCreated) absent.set(rfq, [...makers].filter((other) => !open.has(other)))
      else if (kind === OutcomeEvent.quoteCreated) {
        quotes++
        expect(absent.get(rfq)).not.toContain(maker)
      }
    }
    expect(quotes).toBeGreaterThan(100)
    expect([...absent.values()].flat().length).toBeGreaterThan(5)
    expect(open.size).toBe(0)
    const beats = log.rows.filter(({ kind }) => kind === OutcomeEvent.streamHeartbeat)
    expect(beats.length).toBeGreaterThan(10)
    expect(beats.at(-1)!.atUs).toBeLessThanOrEqual(config.operator.at(-1)!.atUs)
  })

  it('OM-116 are refused from the expiry of their key until they have the next', () => {
    const day = 86_400
    const { replies } = play([quoting([], 'four', 0)], scripted([REQUEST, REQUEST, REQUEST]), {
      gate: gate({}, { keys: { lifeDays: 1, renewAfterUs: sec(60) } }), arrivals: [10, day + 10, day + 70], results: resolved(2 * day, 1),
    })
    expect(replies().filter(([, op]) => op === 'createRfq' || op === 'issueKey').slice(2)).toEqual([
      [10.05, 'createRfq', 'ok'], [day + 10.05, 'createRfq', 'unauthenticated'],
      [day + 60, 'issueKey', 'ok'], [day + 60, 'issueKey', 'ok'], [day + 70.05, 'createRfq', 'ok'],
    ])
  })

  it('a maker opens its stream again when a drain closed it, and misses what came in between', () => {
    const told: number[] = []
    const heard = quoting([], 'heard', 0, 0, { onRequest: (request) => void told.push((request.deliveredAtUs - START) / 1e6) })
    const drain = (atS: number, value: number) => ({ atUs: START + sec(atS), op: OutcomeOp.drain, market: -1, service: 'outcome' as const, value })
    play([heard], scripted(Array.from({ length: 4 }, () => REQUEST)), { gate: gate(), faults: [drain(15, 1), drain(22.2, 0)], arrivals: [10, 20, 22.3, 30] })
    // Refused each half second from 15 s on; open again at 22.5 s.
    expect(told).toEqual([10.07, 30.07])
  })
})

describe('what a client repeats', () => {
  it('OM-169 asks again with the same key when the limit is over that it was told of', () => {
    const { log, replies } = play([quoting([], 'four', 0)], scripted([REQUEST, REQUEST]), {
      gate: gate({ rfqLimit: 1, limitWindowMs: 10_000 }), arrivals: [10, 12],
    })
    // The window ends at 20.05 s: 8 s from 12.05 s, then 20 ms and 50 ms on the way.
    expect(replies().filter(([, op]) => op === 'createRfq')).toEqual([[10.05, 'createRfq', 'ok'], [12.05, 'createRfq', 'rateLimited'], [20.12, 'createRfq', 'ok']])
    expect(log.commands.filter(({ op }) => op === OutcomeOp.createRfq).map(({ key }) => key)).toEqual([2, 3, 3])
  })

  it('OM-169 backs off, each time twice as long, and tells its strategy at last', () => {
    const fault = (atS: number, on: number) =>
      ({ atUs: START + sec(atS), op: OutcomeOp.setFault, market: -1, service: 'outcome' as const, [SetFault.fault]: GateFault.contractUnavailable, [SetFault.isOn]: on })
    const asked = (untilS: number, most: number) => play([quoting([], 'four', 0)], scripted([REQUEST]), {
      gate: gate({}, { retries: { most, backoffUs: sec(0.5) } }), faults: [fault(10, 1), fault(untilS, 0)],
    }).replies().filter(([, op]) => op === 'createRfq').map(([at, , code]) => [at, code])
    expect(asked(12, 3)).toEqual([[10.05, 'contractUnavailable'], [10.62, 'contractUnavailable'], [11.69, 'contractUnavailable'], [13.76, 'ok']])
    expect(asked(12, 2)).toHaveLength(3)
    expect(asked(12, 0)).toHaveLength(1)
    const refusals: Told[] = []
    const sponsor = (atS: number, on: number) => ({ ...fault(atS, on), value: GateFault.sponsorshipUnavailable })
    play([quoting([], 'four', 0.25)], holding({ onRefused: (_intent, { refusal }, desk) => note(refusals, 'bettor')(desk.nowUs, 'refused', refusal) }), {
      gate: gate({}, { retries: { most: 1, backoffUs: sec(0.5) } }), faults: [sponsor(14, 1), sponsor(30, 0)],
    })
    expect(refusals).toEqual([[15.64, 'bettor', 'refused', Refusal.unavailable]])
  })

  it('OM-169 OM-172 signs a quote again, with a new key, for the generation that it was told of', () => {
    const wavering = quoting([], 'wavering', 0.25, 0, {
      onRequest: (request, desk) => { desk.quote(request, { probability: 0.25, validUs: 15_000_000 }); desk.later(request, sec(6)) },
      onSelected: (selection, desk) => desk.decline(selection),
      onLater: (request, desk) => desk.quote(request, { probability: 0.2, validUs: 15_000_000 }),
    })
    const { log, replies } = play([wavering], scripted([REQUEST]), { gate: gate() })
    expect(replies().filter(([, op]) => op === 'submitQuote').map(([at, , code]) => [at, code])).toEqual([[10.12, 'ok'], [16.12, 'rfqGenerationStale'], [16.19, 'ok']])
    const quotes = log.commands.filter(({ op }) => op === OutcomeOp.submitQuote)
    expect(quotes.map(({ key, generation, expiryS }) => [key, generation, expiryS - START_S])).toEqual([[2, 1, 25], [3, 1, 31], [4, 2, 31]])
  })

  it('OM-169 does the same with a bid', () => {
    const fickle = quoting([], 'fickle', 0.25, 40, { onBidTaken: (taken, desk) => desk.decline(taken) })
    const slow = quoting([], 'slow', 0, 50)
    const { replies, log, free } = play([fickle, { ...slow, latency: { ...slow.latency, submit: { baseUs: sec(1), jitterUs: 0 } } }], selling([]), { gate: gate() })
    // Taken at 17.48 s and declined at 17.70 s; the slow bid comes at 18.36 s, and again 20 ms and a second later, to stand 25 s then.
    expect(replies().filter(([at, op]) => op === 'submitQuote' && at > 18).map(([at, , code]) => [at, code])).toEqual([[18.36, 'rfqGenerationStale'], [19.38, 'ok']])
    expect(log.commands.filter(({ op, account }) => op === OutcomeOp.submitQuote && account === 2).map(({ key, generation, expiryS }) => [key, generation, expiryS - START_S])).toEqual([[2, 1, 44], [3, 2, 45]])
    expect(free(0)).toBe(usd(1000 - 25 + 50))
  })

  it('OM-170 sends nothing again after NEVER', () => {
    // The net stake of half a dollar is below 1 USDC.
    const { log, replies } = play([quoting([], 'four', 0)], scripted([{ ...REQUEST, betMicros: usd(0.5) }, REQUEST]), { gate: gate(), arrivals: [10, 20] })
    expect(replies().filter(([, op]) => op === 'createRfq')).toEqual([[10.05, 'createRfq', 'invalidRequest'], [20.05, 'createRfq', 'ok']])
    expect(log.commands.filter(({ op }) => op === OutcomeOp.createRfq).map(({ key }) => key)).toEqual([2, 3])
  })

  it('OM-109 a repeated call for an auction has no second effect: its maker hears all of the next auction', () => {
    const seen: unknown[] = []
    let session: Session
    const opens = (position: number, key: number): void => session.outcome!.sendAt(session.outcome!.nowUs, 2, { op: OutcomeOp.openCashout, fields: { position, key } }, {
      answered: (rows: EventRows, row: Row<'outcome.reply'>) => void seen.push([key, rows.read(rowAs(RfqReply, row), RfqReply.rfq)]), told: () => {},
    })
    const reseller = quoting([], 'b', 0, 0, {
      onCashOut: (auction, desk) => { if (auction.auction === 1) desk.bid(auction, { priceMicros: usd(50), validUs: 15_000_000 }) },
      onBought(position, desk) {
        opens(position.position, 901)
        desk.checkIn(position, sec(0.5))
        desk.checkIn(position, sec(1))
      },
      onCheck(position, desk) {
        seen.push([(desk.nowUs - START) / 1e6, 'check', position.auctions])
        if (position.checks === 1) opens(position.position, 901)
        else desk.cancelCashOut(position)
      },
      onBid(position, desk) {
        seen.push([(desk.nowUs - START) / 1e6, position.bestPriceMicros, position.auctions])
        if (position.bestPriceMicros > 0) opens(position.position, 901)
      },
      onAuctionEnded(position, outcome, desk) {
        seen.push([(desk.nowUs - START) / 1e6, `ended ${outcome}`, position.auctions])
        if (outcome === AuctionOutcome.cancelled) opens(position.position, 902)
      },
    })
    const third = quoting([], 'c', 0, 0, { onCashOut: (auction, desk) => { if (auction.auction === 3) desk.bid(auction, { priceMicros: usd(45), validUs: 15_000_000 }) } })
    play([quoting([], 'a', 0.25), reseller, third], selling([]), { gate: gate(), begins: (begun) => { session = begun } })
    // Bought at 19.72 s. The second auction opens at 20.84 s, and its bid, which comes at 20.91 s, expires 25 s later by whole seconds
    // (OM-258): at 46 s. From 22 s before that on the bid is not listed.
    expect(seen).toEqual([
      [901, 3], [20.22, 'check', 1], [901, 3], [20.72, 'check', 1], [20.79, `ended ${AuctionOutcome.cancelled}`, 1], [902, 4],
      [20.93, usd(45), 2], [901, 3], [24.02, NaN, 2], [50.86, `ended ${AuctionOutcome.expired}`, 2],
    ])
  })

  it('sends no quote that would come too late, and tells the maker of the limit', () => {
    const acks: unknown[] = []
    const twice = quoting([], 'twice', 0, 0, {
      onRequest: (request, desk) => { for (const probability of [0.25, 0.2]) desk.quote(request, { probability, validUs: 15_000_000 }) },
      onAck: (ack) => void acks.push([ack.refusal, ack.retryAfterUs]),
    })
    const { replies } = play([twice], scripted([REQUEST]), { gate: gate({ quoteLimit: 1 }) })
    expect(replies().filter(([, op]) => op === 'submitQuote').map(([, , code]) => code)).toEqual(['ok', 'rateLimited'])
    expect(acks.slice(0, 2)).toEqual([[Refusal.none, NaN], [Refusal.rateLimited, sec(60)]])
  })
})
