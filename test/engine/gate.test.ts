import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import { Action, Refusal } from '../../src/agent/vocabulary.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { PostingRows } from '../../src/ledger/postingRows.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { parlayGate } from '../../src/venue/parlay/gate/gate.ts'
import { FIRST_GATE_OP } from '../../src/venue/contract.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { ParlayCommand, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import {
  DeliveryChanged, DeliveryQueued, KeyChanged, type LimitRefusal, ParlayEvent, Reply, StreamChanged,
} from '../../src/venue/parlay/protocol/events.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'
import { DeliveryStatus, OwnerKind } from '../../src/venue/parlay/protocol/webhooks.ts'
import { parlayVenue } from '../../src/venue/parlay/venue.ts'
import { SOUND_ENDPOINT } from './soundEndpoint.ts'
import { gate, gateConfig, gateProfile } from './gateWorld.ts'
import { type LoggedRow, ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, makerEntry, makers, type ParlayConfig, type Replaced, WORLD_START_US } from './world.ts'

const SECONDS = 80
const FIRST_MAKER = 5 + 50 + 50 + 50

/** Keeps the journal of a session, for another venue. */
class Journals implements Sink {
  readonly commands: { atUs: number; command: ParlayCommand }[] = []
  flush({ parlay }: Batch): void {
    const { journal } = parlay!
    for (let row = 0; row < journal.count; row++) {
      const command = new ParlayCommand()
      this.commands.push({ atUs: journal.read(row, command), command })
    }
  }
  finish(): void {}
  abort(): void {}
}

function digestOf(replaced: Replaced = {}, chunk = 4096): string {
  const digest = new Digest()
  new Session(gateConfig(SECONDS, { ...replaced, sinks: [digest] })).runToEnd(chunk)
  return digest.hex()
}

function logOf(config: SessionConfig): RowLog {
  const log = new RowLog()
  new Session({ ...config, sinks: [log] }).runToEnd()
  return log
}

const allReplies = ({ rows }: RowLog): LoggedRow<typeof Reply>[] => ofKind(rows, ParlayEvent.reply, Reply)
const replies = <C>(log: RowLog, op: number, code: number): LoggedRow<typeof Reply & C>[] =>
  allReplies(log).filter((row) => row.op === op && row.code === code) as LoggedRow<typeof Reply & C>[]
const queued = ({ rows }: RowLog): LoggedRow<typeof DeliveryQueued>[] => ofKind(rows, ParlayEvent.deliveryQueued, DeliveryQueued)
const changed = ({ rows }: RowLog): LoggedRow<typeof DeliveryChanged>[] => ofKind(rows, ParlayEvent.deliveryChanged, DeliveryChanged)
const requeued = ({ rows }: RowLog): LoggedRow<typeof DeliveryChanged>[] => ofKind(rows, ParlayEvent.deliveryRequeued, DeliveryChanged)

describe('INV-30 same inputs, same bytes behind a gate', () => {
  const expected = digestOf()

  it('INV-30 gives the same digest again, with every chunk size, and when views cannot be kept', () => {
    for (const chunk of [1, 13, 1_000_000]) expect(digestOf({}, chunk)).toBe(expected)
    expect(digestOf({ freshViews: true })).toBe(expected)
  })

  it('INV-30 goes on from an image with deliveries under way', () => {
    const digest = new Digest()
    const session = new Session(gateConfig(SECONDS, { sinks: [digest] }))
    const log = new RowLog()
    const probe = new Session(gateConfig(SECONDS, { sinks: [log] }))
    const pending = (): number => queued(log).length
      - changed(log).filter(({ status }) => status === DeliveryStatus.delivered || status === DeliveryStatus.deadLetter).length
    let chunks = 0
    do {
      probe.run(500)
      chunks++
    } while (pending() < 5)
    for (let i = 0; i < chunks; i++) session.run(500)
    const image = deserialize(serialize({ session: session.snapshot(), digest: digest.snapshot() })) as { session: Image; digest: Image }
    const laterDigest = new Digest()
    const later = new Session(gateConfig(SECONDS, { sinks: [laterDigest] }))
    later.restore(image.session)
    laterDigest.restore(image.digest)
    expect(later.stateHash()).toBe(session.stateHash())
    later.runToEnd()
    expect(laterDigest.hex()).toBe(expected)
  })

  it('INV-30 is replayed from its journal through another gate', () => {
    const journals = new Journals()
    const config = gateConfig(SECONDS, { sinks: [journals] })
    new Session(config).runToEnd()
    const sequence = { next: 1 }
    const events = new EventRows(sequence, 0)
    const postings = new PostingRows(sequence, 0)
    const venue = parlayGate(parlayVenue(config.parlay.profile, events, postings), config.parlay.gate!.profile, events)
    for (const { atUs, command } of journals.commands) venue.apply(atUs, command)
    for (let atUs = venue.nextDeadlineUs(); atUs < Number.MAX_SAFE_INTEGER; atUs = venue.nextDeadlineUs()) venue.pulse(atUs)
    const digest = new Digest()
    digest.flush({ parlay: { events, postings, journal: new ParlayJournal(0) }, outcome: null })
    expect(digest.hex()).toBe(expected)
  })

  it('changes nothing that the venue says when nobody meets its limits or its streams', () => {
    const calm = (config: ParlayConfig): ParlayConfig => (
      { ...config, parlay: { ...config.parlay, makers: config.parlay.makers.map((entry) => ({ ...entry, faults: NO_FAULTS })) } }
    )
    const open = { profile: gateProfile({ quoteServiceLimit: 1e6, authenticatedLimit: 1e6 }), keys: { lifeUs: 0, renewAfterUs: 0 }, endpoints: [] }
    const rowsOf = (config: SessionConfig): unknown[] => (logOf(config).rows as (LoggedRow & { readonly op?: number })[])
      .filter(({ kind, op = 0 }) => kind < ParlayEvent.keyCreated && op < FIRST_GATE_OP)
      .map(({ list, ...row }) => ({ ...row, seq: 0, cause: 0, list: list.join(' ') }))
    const gated = rowsOf(calm(gateConfig(40, { gate: open })))
    expect(gated.length).toBeGreaterThan(5_000)
    expect(gated).toEqual(rowsOf(calm(auctionConfig(40))))
  })
})

describe('participants behind a gate', () => {
  const log = logOf(gateConfig(SECONDS))

  it('PQ-267 everybody has a key of its own, made by its JWT, and a source of its own', () => {
    const made = ofKind(log.rows, ParlayEvent.keyCreated, KeyChanged)
    const accounts = FIRST_MAKER + 4
    expect(made.slice(0, accounts).map(({ account }) => account)).toEqual(Array.from({ length: accounts }, (_, i) => i))
    const journals = new Journals()
    new Session(gateConfig(20, { gate: gate({ keys: { lifeUs: 0, renewAfterUs: 0 } }), sinks: [journals] })).runToEnd()
    const own = journals.commands.filter(({ command }) => command.account >= 0)
    expect(own.every(({ command }) => command.source === command.account + 1)).toBe(true)
    expect(own.every(({ command }) => command.credential === (command.op === ParlayOp.createKey ? 0 : command.account + 1))).toBe(true)
    const others = journals.commands.filter(({ command }) => command.account < 0)
    expect(others.every(({ command }) => command.source === 0 && command.credential === 0)).toBe(true)
  })

  it('PQ-104 refuses an account from the expiry of its key until it makes another', () => {
    // The first keys are void 60 s after the begin and there are others 3 s later, which are void 60 s after that.
    const lapsesUs = [60, 123].map((seconds) => WORLD_START_US + seconds * 1_000_000)
    const lapseUs = lapsesUs[0]!
    const refused = allReplies(log).filter(({ code }) => code === ParlayCode.unauthorized)
    expect(refused.length).toBeGreaterThan(10)
    expect(refused.filter(({ atUs }) => !lapsesUs.some((fromUs) => atUs >= fromUs && atUs <= fromUs + 3_000_000))).toEqual([])
    expect(ofKind(log.rows, ParlayEvent.keyCreated, KeyChanged).map(({ atUs }) => atUs)).toEqual(
      [WORLD_START_US, ...lapsesUs.map((atUs) => atUs + 3_000_000)].flatMap((atUs) => Array.from({ length: FIRST_MAKER + 5 }, () => atUs)))
    expect(replies(log, ParlayOp.submitQuote, ParlayCode.ok).some(({ atUs }) => atUs > lapseUs + 3_000_000)).toBe(true)
  })

  it('PQ-208 brings a maker nothing while its stream is closed', () => {
    const heard: { maker: number; atUs: number }[] = []
    const listener = (maker_: number): MakerStrategy => maker({}, () => ({
      onRequest: (request) => { heard.push({ maker: maker_, atUs: request.deliveredAtUs }) },
    })) as unknown as MakerStrategy
    const entry = makerEntry('listener', listener(0))
    const own = {
      ...entry, latency: { ...entry.latency, broadcast: { baseUs: 0, jitterUs: 0 } },
      faults: { ...NO_FAULTS, disconnectEveryUs: 10_000_000, disconnectForUs: 10_000_000 },
    }
    const streams = logOf(gateConfig(SECONDS, { makers: [own, ...makers(4)], gate: gate({ endpoints: [] }) }))
    const changes = ofKind(streams.rows, [ParlayEvent.streamOpened, ParlayEvent.streamClosed], StreamChanged).filter(({ account }) => account === FIRST_MAKER)
    expect(changes.length).toBeGreaterThan(4)
    const isOpenAt = (atUs: number): boolean => changes.findLast((row) => row.atUs <= atUs)!.kind === ParlayEvent.streamOpened
    expect(heard.length).toBeGreaterThan(100)
    expect(heard.filter(({ atUs }) => !isOpenAt(atUs))).toEqual([])
  })

  it('PQ-131 plays every end of a delivery, and forgets those that ended', () => {
    const answers = new Set(changed(log).map(({ response }) => response))
    for (const answer of [200, 500, 400, 408, 429, 0, -1]) expect(answers).toContain(answer)
    const ended = changed(log).filter(({ nextAttemptAtUs }) => nextAttemptAtUs === -1)
    expect(ended.length).toBe(queued(log).length)
    // A gate that forgets at once knows an ended delivery no longer than to the next one.
    const brief = gate()
    const session = new Session(gateConfig(SECONDS, { gate: { ...brief, profile: { ...brief.profile, deliveryRetentionMs: 0 } } }))
    session.runToEnd()
    const { access } = session.parlay!.snapshot() as unknown as { access: { endpoints: Record<string, { numbers: Float64Array }> } }
    for (const name of ['placeOfDelivery', 'endpointOfDelivery', 'askedAgain']) {
      expect([name, access.endpoints[name]!.numbers.length < 5]).toEqual([name, true])
    }
  })

  it('gives an endpoint the same answers whoever else has one', () => {
    const other = { of: 'stop-loss', owner: OwnerKind.user, events: 127, behaviour: { ...SOUND_ENDPOINT, networkError: 0.3 } }
    const answersOf = (endpoints: NonNullable<Replaced['gate']>['endpoints']): string[] =>
      changed(logOf(gateConfig(SECONDS, { gate: gate({ endpoints }) })))
        .filter(({ account }) => account === FIRST_MAKER).map(({ atUs, attempts, response }) => `${atUs} ${attempts} ${response}`)
    const own = gate().endpoints
    const alone = answersOf(own)
    expect(alone.length).toBeGreaterThan(50)
    expect(answersOf([other, ...own])).toEqual(alone)
  })

  describe('whose endpoint asks again for what did not reach it', () => {
    // Down from 10 s to 50 s, while four attempts of a delivery take 14 s: 2, 4 and 8 s between them.
    const outage = { fromUs: WORLD_START_US + 10_000_000, untilUs: WORLD_START_US + 50_000_000 }
    const endpoint = (of: string, owner: number, redelivers: boolean, behaviour = {}) =>
      ({ of, owner, events: 7, redelivers, behaviour: { ...SOUND_ENDPOINT, outages: [outage], ...behaviour } })
    const again = (redelivers: boolean, behaviour = {}): SessionConfig =>
      gateConfig(SECONDS, {
        gate: gate({
          keys: { lifeUs: 0, renewAfterUs: 0 },
          endpoints: [endpoint('maker 0', OwnerKind.maker, redelivers, behaviour), endpoint('impatient', OwnerKind.user, redelivers, behaviour)],
        }),
      })
    const DEAD = DeliveryStatus.deadLetter

    it('PQ-133 PQ-134 redelivers each dead letter once, when its outage is over, and delivers it then', () => {
      const told = logOf(again(true))
      const dead = changed(told).filter(({ status }) => status === DEAD)
      expect(dead.length).toBeGreaterThan(5)
      expect(new Set(dead.map(({ response }) => response))).toEqual(new Set([0]))
      const asked = requeued(told)
      expect(new Set(asked.map(({ atUs }) => atUs))).toEqual(new Set([outage.untilUs]))
      expect(asked.map(({ delivery }) => delivery).sort((a, b) => a - b)).toEqual(dead.map(({ delivery }) => delivery).sort((a, b) => a - b))
      const owners = new Set(queued(told).filter(({ delivery }) => dead.some((one) => one.delivery === delivery)).map(({ ownerKind }) => ownerKind))
      expect(owners).toEqual(new Set([OwnerKind.user, OwnerKind.maker]))
      const last = new Map(changed(told).map(({ delivery, status }) => [delivery, status]))
      expect(new Set(asked.map(({ delivery }) => last.get(delivery)))).toEqual(new Set([DeliveryStatus.delivered]))
      expect(replies(told, ParlayOp.redeliver, ParlayCode.ok).length).toBe(asked.length)
      expect(requeued(logOf(again(false)))).toEqual([])
    })

    it('PQ-133 asks no second time when the redelivery fails too, and never for what it refused', () => {
      const told = logOf(again(true, { networkError: 0.9, clientError: 0.1 }))
      const asked = requeued(told).map(({ delivery }) => delivery)
      expect(new Set(asked).size).toBe(asked.length)
      const dead = changed(told).filter(({ status }) => status === DEAD)
      expect(dead.filter(({ delivery }) => asked.includes(delivery)).length).toBe(2 * asked.length)
      const firstEnds = new Map(dead.reverse().map(({ delivery, response }) => [delivery, response]))
      expect([...firstEnds].filter(([, answer]) => answer === 400).length).toBeGreaterThan(3)
      expect([...firstEnds].filter(([, answer]) => answer === 0).map(([delivery]) => delivery).sort((a, b) => a - b)).toEqual(asked.sort((a, b) => a - b))
    })

    it('INV-30 goes on from an image of the outage with the redeliveries that are planned', () => {
      const whole = new Digest()
      new Session({ ...again(true), sinks: [whole] }).runToEnd()
      const digest = new Digest()
      const session = new Session({ ...again(true), sinks: [digest] })
      while (session.nowUs < outage.untilUs - 5_000_000) session.run(500)
      expect(session.nowUs).toBeLessThan(outage.untilUs)
      const image = deserialize(serialize({ session: session.snapshot(), digest: digest.snapshot() })) as { session: Image; digest: Image }
      const laterDigest = new Digest()
      const later = new Session({ ...again(true), sinks: [laterDigest] })
      later.restore(image.session)
      laterDigest.restore(image.digest)
      later.runToEnd()
      expect(laterDigest.hex()).toBe(whole.hex())
    })
  })

  it('does not live for ever, with streams, keys and endpoints that never end', () => {
    const session = new Session(gateConfig(20))
    session.runToEnd()
    // Deliveries are known for a day; the last market is over after 80 s.
    expect(session.nowUs).toBeLessThan(WORLD_START_US + 2 * 86_400_000_000)
  })
})

describe('PQ-448 a limit tells when it is over', () => {
  const tight = gate({ profile: gateProfile({ limitWindowMs: 10_000, quoteServiceLimit: 5 }), endpoints: [], keys: { lifeUs: 0, renewAfterUs: 0 } })

  it('PQ-439 lets a client that exhausted the quote service go on after it', () => {
    const told: { atUs: number; retryAfterUs: number }[] = []
    const passed: number[] = []
    let mutedUntilUs = 0
    const client = maker({}, () => ({
      onRequest: (request, desk) => {
        if (request.deliveredAtUs >= mutedUntilUs) desk.quote(request, { probability: 0.9, validUs: 5_000_000 })
      },
      onAck(ack) {
        if (ack.action !== Action.submitQuote) return
        if (ack.refusal === Refusal.rateLimited) {
          told.push({ atUs: ack.deliveredAtUs, retryAfterUs: ack.retryAfterUs })
          mutedUntilUs = ack.deliveredAtUs + ack.retryAfterUs
        } else if (ack.refusal === Refusal.none) {
          passed.push(ack.deliveredAtUs)
          expect(ack.retryAfterUs).toBeNaN()
        }
      },
    })) as unknown as MakerStrategy
    const log = logOf(gateConfig(60, { makers: [{ ...makerEntry('client', client), faults: NO_FAULTS }], gate: tight }))
    const refused = replies<typeof LimitRefusal>(log, ParlayOp.submitQuote, ParlayCode.rateLimited)
    expect(told.length).toBe(refused.length)
    expect(told.map(({ retryAfterUs }) => retryAfterUs)).toEqual(refused.map(({ retryAfterS }) => retryAfterS * 1_000_000))
    expect(refused.every((row) => row.retryAfterS === Math.ceil((row.resetAtUs - row.atUs) / 1_000_000) && row.limit === 5)).toBe(true)
    // It goes on after each window in which it was told to wait, while requests come.
    const windows = new Set(refused.map(({ resetAtUs }) => resetAtUs))
    expect(windows.size).toBeGreaterThan(2)
    for (const untilUs of [...windows].filter((atUs) => atUs < WORLD_START_US + 50_000_000)) {
      expect(passed.some((atUs) => atUs > untilUs && atUs < untilUs + 11_000_000)).toBe(true)
    }
  })

  it('PQ-439 has a bettor ask once more when its request was refused, and no third time', () => {
    const bettors = auctionConfig(1).parlay.cohorts.slice(0, 1).map((entry) => ({ ...entry, bettors: 1, everyUs: 200_000 }))
    const log = logOf(auctionConfig(60, { cohorts: bettors, gate: tight, makers: makers(1) }))
    const journals = new Journals()
    const session = new Session(auctionConfig(60, { cohorts: bettors, gate: tight, makers: makers(1), sinks: [journals] }))
    session.runToEnd()
    const refused = replies(log, ParlayOp.createRequest, ParlayCode.rateLimited)
    const passed = replies(log, ParlayOp.createRequest, ParlayCode.ok)
    expect(refused.length).toBeGreaterThan(20)
    const asked = new Map<string, number>()
    for (const { command: c } of journals.commands) {
      if (c.op !== ParlayOp.createRequest) continue
      const key = `${c.betMicros} ${Array.from(c.legMarkets.subarray(0, c.legCount)).join(' ')}`
      asked.set(key, (asked.get(key) ?? 0) + 1)
    }
    expect(new Set(asked.values())).toEqual(new Set([1, 2]))
    expect(refused.length + passed.length).toBe([...asked.values()].reduce((sum, times) => sum + times, 0))
  })
})
