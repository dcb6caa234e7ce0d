import { describe, expect, it } from 'vitest'
import { GateFault } from '../../../src/venue/outcome/protocol/access.ts'
import { InvalidField, OUTCOME_CODES, OutcomeCode, type Retry } from '../../../src/venue/outcome/protocol/codes.ts'
import { Drain, OpenStream, OutcomeOp, Read, Resnapshot, RevokeKey } from '../../../src/venue/outcome/protocol/commands.ts'
import { closeOf } from '../../../src/venue/outcome/wire/errors.ts'
import { DAY, type Fields, GateDriver, MAKER, type OpName, OTHER, sec, TAKER } from './gateDriver.ts'
import { times } from './gateVenue.ts'
import { SetFault } from '../../../src/venue/contract.ts'

type Call = readonly [op: OpName, account: number, fields?: Fields]
const read = (value: number): Call => ['read', MAKER, { value }]
const reads = (...values: number[]): Call[] => values.map(read)

const CREATE: Call = ['createRfq', TAKER, { legs: [[1, 1]] }]
const COMBO: Call = ['createRfq', TAKER, { legs: [[1, 1], [2, 1]] }]
const CASHOUT: Call = ['openCashout', TAKER]
const SUBMIT: Call = ['submitQuote', MAKER]
const ACCEPT: Call = ['acceptQuote', TAKER, { quote: 0 }]
const CONFIRM: Call = ['confirmQuote', MAKER]
const WITHDRAW: Call = ['withdraw', TAKER]
const REDUCE: Call = ['reduceCollateral', MAKER]
const ISSUE: Call = ['issueKey', TAKER, { origin: 0 }]
const SIGN_IN: Call = ['signIn', TAKER, { origin: 0 }]
const STREAM: Call = ['openStream', TAKER]
const MARKET_STREAM: Call = ['openMarketStream', TAKER, { items: [1] }]
const SIGNED = [WITHDRAW, REDUCE, ACCEPT, SUBMIT, CONFIRM, ISSUE]

/** Every call that a fault may concern. */
const CALLS: readonly Call[] = [
  CREATE, COMBO, CASHOUT, ...SIGNED, SIGN_IN, STREAM, MARKET_STREAM, ['cancelRfq', TAKER], ['cancelQuote', MAKER], ['declineQuote', MAKER],
  ['challengeKey', TAKER, { validMs: 1, value: 1, value2: 1 }], ['revokeKey', TAKER, { value: 9 }], ...reads(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
  ['deposit', TAKER], ['setSigner', MAKER], ['closeStream', TAKER], ['applyStream', -1, { value: 9 }],
]
const nameOf = ([op, , fields]: Call): string => (op === 'read' ? `read ${fields!.value}` : op === 'createRfq' ? `${op} ${fields!.legs!.length}` : op)

/** Rule, the fault, the calls that it concerns. */
const FAULTS: readonly [rule: string, fault: keyof typeof GateFault, concerned: readonly Call[]][] = [
  ['OM-222', 'dependencyStale', [STREAM, ...reads(6, 7, 8, 9, 14, 15)]],
  ['OM-224', 'sourceUnavailable', [STREAM, ...reads(4, 5, 10, 11, 12, 13, 16, 17)]],
  ['OM-225', 'contractUnavailable', [CREATE, COMBO, CASHOUT, SUBMIT]],
  ['OM-226', 'marketDataUnavailable', [MARKET_STREAM, ...reads(0, 1, 2)]],
  ['OM-229', 'sponsorshipUnavailable', [WITHDRAW, REDUCE, ACCEPT]],
  ['OM-230', 'contractSignatureOverloaded', SIGNED],
  ['OM-232', 'comboAutomaticDisabled', [COMBO]],
  ['OM-233', 'embeddedWalletUnavailable', [...SIGNED, SIGN_IN]],
]

const setFault = (d: GateDriver, fault: number, value2: number) => d.code('setFault', -1, { value: fault, value2 })

describe('faults', () => {
  it.each(FAULTS)('%s %s refuses the calls that it concerns, and those alone, until it is over', (_, fault, concerned) => {
    const names = concerned.map(nameOf)
    for (const call of CALLS) {
      const d = new GateDriver()
      const [op, account, fields] = call
      setFault(d, GateFault[fault], 1)
      const effects = d.venue.effects
      expect([nameOf(call), d.code(op, account, fields) === fault]).toEqual([nameOf(call), names.includes(nameOf(call))])
      if (names.includes(nameOf(call))) expect([d.rows.length, d.venue.effects]).toEqual([1, effects])
      setFault(d, GateFault[fault], 0)
      expect([nameOf(call), d.code(op, account, fields)]).not.toEqual([nameOf(call), fault])
    }
  })

  it('OM-223 while authorization is away every call that needs a credential is refused, before its credential', () => {
    const d = new GateDriver()
    setFault(d, GateFault.authorizationUnavailable, 1)
    const open = ['openMarketStream', 'read 0', 'read 1', 'read 2', 'read 3', 'deposit', 'setSigner', 'closeStream', 'applyStream']
    for (const call of CALLS) {
      const [op, account, fields] = call
      for (const credential of [0, -1, 99]) {
        expect([nameOf(call), d.code(op, account, { ...fields, credential }) === 'authorizationUnavailable']).toEqual([nameOf(call), !open.includes(nameOf(call))])
      }
    }
  })

  it.each([['OM-222', 'dependencyStale', 'DEPENDENCY_STALE'], ['OM-224', 'sourceUnavailable', 'SOURCE_UNAVAILABLE']] as const)(
    '%s %s refuses the stream that opens with 503 or close 1013, and leaves open ones open', (_, fault, reason) => {
      const d = new GateDriver()
      const open = d.stream(TAKER, { value2: 2 })
      setFault(d, GateFault[fault], 1)
      expect(d.of('streamClosed')).toEqual([])
      expect(d.code('openStream', TAKER)).toBe(fault)
      expect(d.names()).toEqual([`reply ${fault}`])
      expect([OUTCOME_CODES[OutcomeCode[fault]]!.status, closeOf(OutcomeCode[fault])]).toEqual([503, { code: 1013, reason }])
      d.happen(['quoteCreated', MAKER, TAKER])
      expect(d.view.stream(open)!.backlog).toBe(1)
    })

  it('OM-233 a session or a key does without the embedded wallet', () => {
    const d = new GateDriver()
    const session = d.session(TAKER)
    setFault(d, GateFault.embeddedWalletUnavailable, 1)
    expect(d.code('withdraw', TAKER)).toBe('embeddedWalletUnavailable')
    expect(d.code('withdraw', TAKER, { credential: session, origin: 0 })).toBe('ok')
    expect(d.code('signIn', TAKER, { origin: 0, credential: -1 })).toBe('ok')
  })

  it('of several faults the first in their order is the answer', () => {
    const answer = (call: Call, ...faults: (keyof typeof GateFault)[]) => {
      const d = new GateDriver()
      for (const fault of faults) setFault(d, GateFault[fault], 1)
      return d.code(...call)
    }
    expect(answer(STREAM, 'sourceUnavailable', 'dependencyStale')).toBe('dependencyStale')
    expect(answer(COMBO, 'comboAutomaticDisabled', 'contractUnavailable')).toBe('contractUnavailable')
    expect(answer(ACCEPT, 'embeddedWalletUnavailable', 'contractSignatureOverloaded', 'sponsorshipUnavailable')).toBe('sponsorshipUnavailable')
    expect(answer(ACCEPT, 'embeddedWalletUnavailable', 'contractSignatureOverloaded')).toBe('contractSignatureOverloaded')
    expect(answer(SUBMIT, 'contractSignatureOverloaded', 'contractUnavailable')).toBe('contractUnavailable')
  })

  it('a fault comes after the credential, the limits and the key', () => {
    const d = new GateDriver({ rfqLimit: 2 })
    setFault(d, GateFault.contractUnavailable, 1)
    expect(d.code('createRfq', TAKER, { credential: -1 })).toBe('unauthenticated')
    expect(d.code('createRfq', TAKER, { key: -1 })).toBe('invalidIdempotencyKey')
    expect([1, 2].map(() => d.code('createRfq', TAKER))).toEqual(['contractUnavailable', 'rateLimited'])
  })

  it('the operator switches a fault, its row shows it', () => {
    const d = new GateDriver()
    for (const value of Object.values(GateFault)) {
      expect(d.at(3).send('setFault', -1, { value, [SetFault.isOn]: 1 })).toEqual({ event: 'reply', at: 3, cause: d.seq, op: 'setFault', code: 'ok' })
      expect(d.rows[0]).toEqual({ event: 'faultChanged', at: 3, cause: d.seq, fault: value, isOn: 1 })
    }
    expect(d.venue.effects).toBe(0)
    for (const value2 of [-1, 2, 0.5, NaN]) {
      expect(d.send('setFault', -1, { [SetFault.fault]: 20, value2 })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.value2 })
    }
    expect(d.send('setFault', NaN, { [SetFault.fault]: 20, [SetFault.isOn]: 1 })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.account })
  })

  it('other faults, and other commands of the operator, are the venue\'s', () => {
    const d = new GateDriver()
    for (const value of [1, 5, 19, 29, 20.5, NaN]) d.send('setFault', -1, { value, [SetFault.isOn]: 1 })
    expect(d.venue.effects).toBe(6)
  })

  it.each([['drain', 2], ['drain', -1], ['drain', NaN], ['resnapshot', 0], ['resnapshot', 3], ['resnapshot', 8], ['resnapshot', 1.5]] as const)(
    'OM-184 a %s of %s is malformed', (op, value) => {
      const d = new GateDriver()
      d.stream(TAKER)
      expect(d.send(op, -1, { value })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.value })
      expect(d.rows).toHaveLength(1)
      expect(d.send(op, 16_777_216, { value: 1 })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.account })
      expect([d.view.streamsOf(TAKER), d.venue.effects]).toEqual([[1], 0])
    })
})

/** How the gate comes to each of its codes. */
const withFault = (fault: keyof typeof GateFault, call: Call) => (d: GateDriver) => {
  setFault(d, GateFault[fault], 1)
  return d.code(...call)
}
const closing = (act: (d: GateDriver) => void, fields: Fields = {}, before: (d: GateDriver) => void = () => {}) => (d: GateDriver) => {
  before(d)
  d.stream(TAKER, fields)
  act(d)
  return d.of('streamClosed')[0]!['reason']
}
const bySigner = (change: (signed: Fields) => Fields) => (d: GateDriver) => {
  const request = { validMs: 1, value: 1, value2: 1 }
  d.send('challengeKey', TAKER, request)
  return d.code('issueKey', TAKER, change(d.signed(TAKER, 1, request)))
}

/** Rule, code, HTTP status or 0, close code or 0, retry class, a way to it. */
const TABLE: readonly [rule: string, code: keyof typeof OutcomeCode, status: number, close: number, retry: Retry, way: (d: GateDriver) => unknown][] = [
  ['OM-184', 'invalidRequest', 400, 0, 'NEVER', (d) => d.code('read', TAKER, { [Read.route]: 99 })],
  ['OM-185', 'invalidQuery', 400, 0, 'NEVER', (d) => d.code('read', TAKER, { [Read.route]: 4, [Read.pageLimit]: 1 })],
  ['OM-186', 'invalidCursor', 400, 0, 'NEVER', (d) => d.code('read', TAKER, { [Read.route]: 0, cursor: 5 })],
  ['OM-187', 'invalidIdempotencyKey', 400, 0, 'NEVER', (d) => d.code('createRfq', TAKER, { key: -2 })],
  ['OM-188', 'subprotocolRequired', 400, 1008, 'NEVER', (d) => d.code('openStream', TAKER, { version: 0 })],
  ['OM-189', 'unauthenticated', 401, 0, 'NEVER', (d) => d.code('read', TAKER, { [Read.route]: 4, credential: -1 })],
  ['OM-149', 'originRequired', 403, 0, 'NEVER', (d) => d.code('signIn', TAKER)],
  ['OM-190', 'forbidden', 403, 0, 'NEVER', (d) => d.code('read', TAKER, { [Read.route]: 9 })],
  ['OM-191', 'notFound', 404, 0, 'NEVER', (d) => d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: 9 })],
  ['OM-192', 'identityNotFound', 404, 0, 'NEVER', (d) => d.code('signIn', 99, { origin: 0 })],
  ['OM-194', 'idempotencyKeyReused', 409, 0, 'NEVER', (d) => [1, 2].map((stakeMicros) => d.code('createRfq', TAKER, { key: 7, stakeMicros })).pop()],
  ['OM-195', 'stateConflict', 409, 0, 'REFRESH', (d) => {
    d.issue(TAKER, 1)
    return [1, 2].map(() => d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: 1 })).pop()
  }],
  ['OM-196', 'staleCursor', 409, 0, 'REFRESH', (d) => {
    d.send('listOutcome', -1)
    return d.code('read', TAKER, { [Read.route]: 0, cursor: 0 })
  }],
  ['OM-197', 'cursorExpired', 409, 0, 'REFRESH', (d) => d.code('read', TAKER, { [Read.route]: 13, cursor: 0 })],
  ['OM-198', 'cursorReset', 409, 1008, 'REFRESH', (d) => d.code('openStream', TAKER, { cursor: 5 })],
  ['OM-212', 'invalidSignature', 422, 0, 'NEVER', bySigner((signed) => ({ ...signed, termsTag: 0 }))],
  ['OM-213', 'wrongAuthority', 422, 0, 'REFRESH', bySigner((signed) => ({ ...signed, signer: OTHER }))],
  ['OM-216', 'rateLimited', 429, 0, 'BACKOFF', (d) => Array.from({ length: 31 }, () => d.code(...CREATE)).pop()],
  ['OM-217', 'connectionLimit', 429, 0, 'BACKOFF', (d) => Array.from({ length: 11 }, () => d.code(...STREAM)).pop()],
  ['OM-222', 'dependencyStale', 503, 1013, 'BACKOFF', withFault('dependencyStale', STREAM)],
  ['OM-223', 'authorizationUnavailable', 503, 0, 'BACKOFF', withFault('authorizationUnavailable', read(4))],
  ['OM-224', 'sourceUnavailable', 503, 1013, 'BACKOFF', withFault('sourceUnavailable', STREAM)],
  ['OM-225', 'contractUnavailable', 503, 0, 'BACKOFF', withFault('contractUnavailable', CREATE)],
  ['OM-226', 'marketDataUnavailable', 503, 0, 'BACKOFF', withFault('marketDataUnavailable', read(0))],
  ['OM-229', 'sponsorshipUnavailable', 503, 0, 'BACKOFF', withFault('sponsorshipUnavailable', WITHDRAW)],
  ['OM-230', 'contractSignatureOverloaded', 503, 0, 'BACKOFF', withFault('contractSignatureOverloaded', SUBMIT)],
  ['OM-232', 'comboAutomaticDisabled', 503, 0, 'BACKOFF', withFault('comboAutomaticDisabled', COMBO)],
  ['OM-233', 'embeddedWalletUnavailable', 503, 0, 'BACKOFF', withFault('embeddedWalletUnavailable', SIGN_IN)],
  ['OM-234', 'connectionDrain', 503, 1012, 'BACKOFF', (d) => {
    d.send('drain', -1, { [Drain.isDraining]: 1 })
    return d.code('openStream', TAKER)
  }],
  ['OM-235', 'invalidSubscription', 0, 1008, 'NEVER', (d) => d.code('openStream', TAKER, { [OpenStream.channels]: 0 })],
  ['OM-236', 'subscriptionDenied', 0, 1008, 'NEVER', (d) => d.code('openStream', TAKER, { [OpenStream.channels]: 2 })],
  ['OM-237', 'authorizationRevoked', 0, 1008, 'NEVER', closing((d) => d.pulse(DAY), { credential: 1 }, (d) => d.issue(TAKER, 2, 1))],
  ['OM-238', 'slowConsumer', 0, 1008, 'BACKOFF', closing((d) => d.happen(...times(1_001, ['quoteCreated', MAKER, TAKER])), { value2: 2 })],
  ['OM-239', 'resnapshotRequired', 0, 1008, 'REFRESH', closing((d) => d.send('resnapshot', -1, { [Resnapshot.channel]: 1 }))],
  ['OM-240', 'snapshotTooLarge', 0, 1013, 'BACKOFF', (d) => {
    // 512 + 100 × (256 + 96 × 120) bytes.
    d.venue.items.set(TAKER, { positions: 100, legs: 120 })
    return d.code('openStream', TAKER)
  }],
]

describe('the error table', () => {
  it.each(TABLE)('%s %s: status %i, close %i, retry %s', (_, code, status, close, retry, way) => {
    expect(OUTCOME_CODES[OutcomeCode[code]]).toMatchObject({ name: code, status, close, retry })
    const d = new GateDriver(code === 'authorizationRevoked' ? { heartbeatMs: 86_400_000 } : {})
    expect(way(d)).toBe(code)
  })

  /** The venue's codes reach the client as they are. */
  it.each(Object.entries(OUTCOME_CODES).filter(([code]) => Number(code) !== OutcomeCode.ok).map(([code, { name }]) => [name, Number(code)] as const))(
    'hands %s of the venue on', (name, code) => {
      const d = new GateDriver()
      d.venue.codes.set(OutcomeOp.cancelQuote, code)
      expect(d.code('cancelQuote', MAKER)).toBe(name)
    })

  it('OM-182 OM-183 429 and 503 are always BACKOFF', () => {
    const retries = Object.values(OUTCOME_CODES).filter(({ status }) => status === 429 || status === 503).map(({ retry }) => retry)
    expect(new Set(retries)).toEqual(new Set(['BACKOFF']))
  })

  it('OM-171 what is BACKOFF goes through unchanged when it is repeated after its time', () => {
    const d = new GateDriver({ rfqLimit: 1 })
    d.send(...CREATE)
    const again: Fields = { ...CREATE[2], key: 9 }
    const wait = d.at(sec(5)).send('createRfq', TAKER, again)!
    expect([wait.code, wait['retryAfterS']]).toEqual(['rateLimited', 55])
    expect(d.at(sec(5) + sec(wait['retryAfterS'] as number)).send('createRfq', TAKER, again)).toMatchObject({ code: 'ok' })
  })
})
