import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { GateFault, ReadRoute } from '../../../src/venue/outcome/protocol/access.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { OpenStream, OutcomeOp, Read } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_EVENT_NAMES, OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { cheapTermsTag, SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { answerIn, isOfKind, rowsOfKind } from '../../model/outcome/namedRows.ts'
import { commandOf, type GateCommand } from '../../model/outcomeGate/command.ts'
import { missing, newCoverage, table } from '../../model/outcomeGate/coverage.ts'
import { duel, duelOf, type Script } from '../../model/outcomeGate/duel.ts'
import { gateProfile, intent } from '../../model/outcomeGate/intents.ts'
import type { Row } from '../../model/outcomeGate/rows.ts'

/** Shrinking stops then, so that a failure is told before the test runs out of time. A duel that is cut off by it has failed too. */
const LONGEST_MS = 600_000
/** Enough runs from a fixed seed to reach everything that `missing` asks for; further ones start where chance says. */
const SEED = 20_250_619
const RUNS = 190
const RANDOM_RUNS = 30
const LEAST_ACCEPTED = 0.2
const LEAST_COMMANDS = 30_000

const run = fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: 260, size: 'max' }))

describe('the gate against the reference model', () => {
  const coverage = newCoverage()

  beforeAll(() => {
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, coverage)), {
      numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true,
    })
    console.log(`seed ${SEED}\n${table(coverage)}`)
  })

  it('agrees on every row, reply and read on the way through every transition, class of answer, limit and code', () => {
    expect(missing(coverage, LEAST_ACCEPTED)).toEqual([])
    expect(coverage.commands).toBeGreaterThanOrEqual(LEAST_COMMANDS)
  })

  it('agrees wherever chance leads', () => {
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, newCoverage())), {
      numRuns: RANDOM_RUNS, interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true,
    })
  })

  it.runIf(process.env['PARLOR_SOAK'])('agrees over as many fixed runs as PARLOR_SOAK says', () => {
    const soaked = newCoverage()
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, soaked)), {
      numRuns: Number(process.env['PARLOR_SOAK']), seed: SEED + 1,
    })
    console.log(`seed ${SEED + 1}\n${table(soaked)}`)
  }, 3_600_000)
})

/**
 * The prelude leaves participants 0 and 1 and makers 2 and 3 with 2,000 USDC each, outcomes 0 to 7, and an API key (1 to 4) for each
 * account, of which the first ends 6 s after it.
 */
describe('corners where the order decides', () => {
  const MS = 1_000
  const SECOND = 1_000_000
  const START_S = 1_750_086_400
  const START_US = START_S * SECOND

  /** Limits out of the way. */
  const WIDE: Partial<OutcomeGateProfile> = { rfqLimit: 1_000, heartbeatMs: 3_600_000 }

  const play = (overrides: Partial<OutcomeGateProfile>, script: Script, venue: Partial<OutcomeProfile> = {}): Row[][] =>
    duelOf(profileOf(OUTCOME_GATE_SETTINGS, { ...WIDE, ...overrides }), script, newCoverage(), venue)

  /** A row as its kind, of a reply or closing with its code, of some with the stream, the credential or the number that it is about. */
  const said = (row: Row): string => {
    const name = OUTCOME_EVENT_NAMES[row.kind]!
    if (isOfKind(row, OutcomeEvent.reply)) return `${row.list.length > 0 ? 'replayed' : 'reply'} ${OUTCOME_CODES[row.code]!.name} to ${row.cause}`
    if (isOfKind(row, OutcomeEvent.streamClosed)) return `${name} ${row.stream} ${OUTCOME_CODES[row.reason]!.name}`
    if (isOfKind(row, OutcomeEvent.streamOpened) || isOfKind(row, OutcomeEvent.streamHeartbeat)) return `${name} ${row.stream}`
    if (isOfKind(row, OutcomeEvent.sessionEnded) || isOfKind(row, OutcomeEvent.keyExpired)) return `${name} ${row.credential}`
    if (isOfKind(row, OutcomeEvent.rfqCreated)) return `${name} ${row.betMicros}`
    if (isOfKind(row, OutcomeEvent.quoteAccepted)) return `${name} ${row.riskMicros}`
    if (isOfKind(row, OutcomeEvent.operationStarted)) return `${name} ${row.amountMicros}`
    return isOfKind(row, OutcomeEvent.quoteFailed) ? `${name} ${row.isDeclined}` : name
  }
  const replyOf = (rows: readonly Row[]): Row<'reply'> => rowsOfKind(rows, OutcomeEvent.reply)[0]!
  const codes = (steps: readonly (readonly Row[])[]): string[] => steps.map((rows) => OUTCOME_CODES[replyOf(rows).code]!.name)

  const rfq = (account: number, key: number, legs = 1): GateCommand => commandOf(OutcomeOp.createRfq, account, {
    key, stakeMicros: 2_000_000, legs: Array.from({ length: legs }, (_, outcome) => [outcome, 1] as const),
  })
  const stream = (account: number, fields: Partial<GateCommand> = {}): GateCommand =>
    commandOf(OutcomeOp.openStream, account, { [OpenStream.channels]: 1, [OpenStream.flags]: 0, version: 1, ...fields })

  /** Fifty more outcomes, 8 to 57. */
  const more: Script = Array.from({ length: 50 }, (_, i) =>
    [0, commandOf(OutcomeOp.listOutcome, -1, { outcome: 8 + i, closeUs: START_US + 1e12, list: [1_008 + i] })] as const)

  it('OM-157 shows the newest 100 of 101 RFQs in a snapshot', () => {
    const asked = (count: number): Script => Array.from({ length: count }, (_, i) => [0, rfq(0, 10 + i)] as const)
    const items = (count: number) => answerIn(replyOf(play({}, [...asked(count), [0, stream(0)]], { rfqIntentLimit: 200 }).at(-1)!)).itemCount
    expect([items(99), items(100), items(101)]).toEqual([99, 100, 100])
  })

  it('OM-240 opens a stream with a snapshot as large as a frame, and none that is a byte larger', () => {
    // 512 bytes, and of two RFQs 2 × 256 and 96 for each of 51 legs: 5,920.
    const open = (frameBytesMax: number) =>
      codes(play({ frameBytesMax }, [...more, [0, rfq(0, 10, 50)], [0, rfq(0, 11)], [0, stream(0)]]).slice(-1))
    expect(open(5_920)).toEqual(['ok'])
    expect(open(5_919)).toEqual(['snapshotTooLarge'])
  })

  it('OM-156 replays an event until the end of the replay window, to the microsecond', () => {
    const after = (afterUs: number) => {
      const steps = play({ replayWindowMs: 1_000 }, [
        [0, rfq(0, 10)], [0, commandOf(OutcomeOp.deposit, 0, { amountMicros: 1 })], [afterUs, stream(2, { value: 2, cursor: 1 })],
      ])
      return [steps.at(-1)!.map(said), answerIn(replyOf(steps.at(-1)!)).itemCount]
    }
    // Commands 1 to 24 are the prelude's.
    expect(after(SECOND - 1)).toEqual([['streamOpened 1', 'reply ok to 27'], 1])
    expect(after(SECOND)).toEqual([['reply cursorReset to 27'], undefined])
  })

  it('OM-238 lets a paced client be as far behind as the limit, and closes its stream at the next event', () => {
    const paced = stream(2, { value: 2, value2: 2 })
    const steps = play({ backlogMax: 2 }, [[0, paced], [0, rfq(0, 10)], [0, rfq(0, 11)], [0, rfq(0, 12)], [0, rfq(0, 13)]])
    expect(steps.map((rows) => rows.map(said).at(-1))).toEqual([
      'reply ok to 25', 'reply ok to 26', 'reply ok to 27', 'streamClosed 1 slowConsumer', 'reply ok to 29',
    ])
    // The row comes after all others, with the cause of the event and the cursor that the stream began with.
    expect(steps[3]!.at(-1)).toMatchObject({ account: 2, cause: 28, appliedCursor: rowsOfKind(steps[0]!, OutcomeEvent.streamOpened)[0]!.firstCursor })
  })

  it('OM-238 closes a replay that is longer than the backlog right after it opened', () => {
    const behind = [[0, rfq(0, 10)], [0, rfq(0, 11)], [0, rfq(0, 12)]] as const
    const opened = (value2: number) => play({ backlogMax: 2 }, [...behind, [0, stream(2, { value: 2, value2, cursor: 1 })]]).at(-1)!.map(said)
    expect(opened(2)).toEqual(['streamOpened 1', 'streamClosed 1 slowConsumer', 'reply ok to 28'])
    expect(opened(0)).toEqual(['streamOpened 1', 'reply ok to 28'])
  })

  it('OM-236 opens a market stream of an outcome until it closes, to the microsecond, also of a halted one', () => {
    const list = commandOf(OutcomeOp.listOutcome, -1, { outcome: 8, closeUs: START_US + SECOND, list: [1_008] })
    const halt = commandOf(OutcomeOp.haltOutcome, -1, { outcome: 8 })
    const open = commandOf(OutcomeOp.openMarketStream, 4, { list: [7, 8], version: 1, credential: -1 })
    const steps = play({}, [[0, open], [0, list], [0, halt], [SECOND - 1, open], [SECOND, open]])
    expect(codes(steps)).toEqual(['subscriptionDenied', 'ok', 'ok', 'ok', 'subscriptionDenied'])
    expect(steps[3]![0]).toMatchObject({ kind: OutcomeEvent.streamOpened, account: -1, stream: 1, channels: 4, itemCount: 0, start: 0 })
  })

  it('OM-138 OM-139 ends a session as aged when age and idleness end together, and closes its stream before the heartbeat', () => {
    const session = { sessionAgeMs: 1_000, sessionIdleMs: 1_000, heartbeatMs: 1_000 }
    const steps = play(session, [
      [0, commandOf(OutcomeOp.signIn, 0, { origin: 3 })], [0, stream(0, { credential: 5, origin: 3 })], [0, stream(1)], [SECOND - 1, null], [SECOND, null],
    ])
    expect(steps.slice(3).map((rows) => rows.map(said))).toEqual([
      [], ['sessionEnded 5', 'streamClosed 1 authorizationRevoked', 'streamHeartbeat 2'],
    ])
    expect(steps[4]![0]).toMatchObject({ reason: 2, expiresAtUs: START_US + SECOND, cause: -1 })
  })

  it('OM-139 counts idleness from the last use', () => {
    const use = commandOf(OutcomeOp.read, 0, { [Read.route]: ReadRoute.balances, credential: 5, origin: 3 })
    const steps = play({ sessionIdleMs: 1_000 }, [
      [0, commandOf(OutcomeOp.signIn, 0, { origin: 3 })], [SECOND - 1, use], [2 * SECOND - 2, use], [3 * SECOND - 2, use],
    ])
    expect(codes(steps)).toEqual(['ok', 'ok', 'ok', 'unauthenticated'])
  })

  it('OM-116 refuses a key from the instant of its expiry on', () => {
    const use = commandOf(OutcomeOp.read, 0, { [Read.route]: ReadRoute.balances, credential: 1 })
    const steps = play({}, [[6 * SECOND - 1, use], [6 * SECOND, use]])
    expect(steps.map((rows) => rows.map(said))).toEqual([['reply ok to 25'], ['keyExpired 1', 'reply unauthenticated to 26']])
  })

  it('OM-112 replays an answer until its retention is over, and then takes the command as a first one', () => {
    const steps = play({ idempotencyRetentionMs: 1_000 }, [[0, rfq(0, 10)], [SECOND - 1, rfq(0, 10)], [SECOND, rfq(0, 10)], [SECOND, rfq(0, 10)]])
    expect(steps.map((rows) => rows.map(said))).toEqual([
      ['rfqCreated 2000000', 'reply ok to 25'], ['replayed ok to 26'], ['rfqCreated 2000000', 'reply ok to 27'], ['replayed ok to 28'],
    ])
    expect(steps.map((rows) => answerIn(replyOf(rows)).rfq)).toEqual([1, 1, 2, 2])
  })

  it('OM-111 knows a key by its account, opcode and fields, and not by credential, origin or memo', () => {
    const other = { credential: 1, origin: 7, memoE9: 5 }
    const steps = play({}, [
      [0, rfq(0, 10)], [0, { ...rfq(0, 10), ...other }], [0, rfq(0, 10, 2)], [0, rfq(1, 10)],
      [0, commandOf(OutcomeOp.cancelRfq, 0, { key: 10, rfq: 1 })], [0, { ...rfq(0, 10), stakeMicros: 2_000_001 }],
    ])
    expect(steps.map((rows) => said(rows.at(-1)!))).toEqual([
      'reply ok to 25', 'replayed ok to 26', 'reply idempotencyKeyReused to 27', 'reply ok to 28', 'reply idempotencyKeyReused to 29',
      'reply idempotencyKeyReused to 30',
    ])
  })

  it('OM-241 refuses a caller below its own limit when all callers together are at theirs', () => {
    const steps = play({ routeTotalLimit: 3, rfqLimit: 2, limitWindowMs: 1_000 }, [
      [0, rfq(0, 10)], [1, rfq(1, 10)], [2, rfq(0, 11)], [3, rfq(0, 12)], [4, rfq(1, 11)], [SECOND - 1, rfq(1, 11)], [SECOND, rfq(1, 11)],
    ])
    expect(codes(steps)).toEqual(['ok', 'ok', 'ok', 'rateLimited', 'rateLimited', 'rateLimited', 'ok'])
    // The account's own limit is told first; of the total a microsecond is left at the end.
    expect(replyOf(steps[3]!)).toMatchObject({ limit: 2, retryAfterS: 1, bucket: 1, resetAtUs: START_US + SECOND })
    expect(replyOf(steps[5]!)).toMatchObject({ limit: 3, retryAfterS: 1, bucket: 1, resetAtUs: START_US + SECOND })
  })

  it('meets the faults of a call in their order, and remembers no answer of theirs', () => {
    const fault = (value: number, value2: number) => [0, commandOf(OutcomeOp.setFault, -1, { value, value2 })] as const
    const steps = play({}, [
      fault(GateFault.comboAutomaticDisabled, 1), fault(GateFault.contractUnavailable, 1), [0, rfq(0, 10, 2)],
      fault(GateFault.contractUnavailable, 0), [0, rfq(0, 10, 2)], [0, rfq(0, 11)], [0, rfq(0, 10, 2)],
      fault(GateFault.comboAutomaticDisabled, 0), [0, rfq(0, 10, 2)],
    ])
    expect([2, 4, 5, 6, 8].map((i) => said(steps[i]!.at(-1)!))).toEqual([
      'reply contractUnavailable to 27', 'reply comboAutomaticDisabled to 29', 'reply ok to 30', 'reply comboAutomaticDisabled to 31', 'reply ok to 33',
    ])
  })

  describe('an accept', () => {
    const tagOf = (kind: number, account: number, fields: Partial<SignedTerms>): number => {
      const terms = Object.assign(new SignedTerms().reset(kind, account), fields)
      return cheapTermsTag(kind === TermsKind.quote ? terms.leg(0, 1) : terms)
    }
    // 2 USDC less the fee of 20 bps, floor(2,000,000 × 20 ∕ 10,000) = 4,000.
    const priced = { rfq: 1, payoutMicros: 3_000_000 }
    const bound = { ...priced, takerFeeBps: 20, feeBps: 100 }
    const quoteTerms = { ...bound, generation: 1, stakeMicros: 1_996_000, expiryS: START_S + 10 }
    const funding = { coreMicros: -1, validAfterS: START_S, validBeforeS: START_S + 100 }
    const accept = commandOf(OutcomeOp.acceptQuote, 0, {
      quote: 1, key: 50, ...funding, signer: 0,
      termsTag: tagOf(TermsKind.acceptance, 0, { ...bound, quote: 1, key: 50, stakeMicros: 2_000_000, ...funding, coreMicros: 0 }),
    })
    const confirm = commandOf(OutcomeOp.confirmQuote, 2, {
      quote: 1, signer: 2, termsTag: tagOf(TermsKind.confirmation, 2, { ...bound, quote: 1, value: 1 }),
    })
    const begin: Script = [
      [0, rfq(0, 10)],
      [0, commandOf(OutcomeOp.submitQuote, 2, { ...priced, key: 60, expiryS: START_S + 10, signer: 2, termsTag: tagOf(TermsKind.quote, 2, quoteTerms) })],
      [0, accept],
    ]

    it('OM-109 answers its repeats after all rows of the confirmation, in order of arrival', () => {
      const steps = play({ backlogMax: 1 }, [
        [0, stream(0, { value2: 2 })], ...begin, [1, accept], [2, { ...accept, credential: 1 }], [3, { ...accept, generation: 1 }], [4, confirm], [5, accept],
      ])
      expect(steps.slice(3).map((rows) => rows.map(said))).toEqual([
        ['quoteAccepted 1004000', 'bestQuoteChanged'], [], [], ['reply idempotencyKeyReused to 31'],
        [
          'quoteFilled', 'rfqFilled', 'operationStarted 3004000', 'reply ok to 28', 'reply ok to 32', 'replayed ok to 29', 'replayed ok to 30',
          'streamClosed 1 slowConsumer',
        ],
        ['replayed ok to 33'],
      ])
    })

    it('OM-261 answers its repeats when the maker says nothing, a microsecond after the deadline', () => {
      const steps = play({}, [...begin, [1, accept], [1_500 * MS, null], [1_500 * MS + 1, null]])
      expect(steps.slice(2).map((rows) => rows.map(said))).toEqual([
        ['quoteAccepted 1004000', 'bestQuoteChanged'], [], [], ['quoteFailed 0', 'reply timedOut to 27', 'replayed timedOut to 28'],
      ])
    })
  })
})
