import { describe, expect, it } from 'vitest'
import { PostingRows } from '../../../../src/ledger/postingRows.ts'
import { rowOfKind } from '../../../../src/venue/eventCells.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import { OUTCOME_CODES } from '../../../../src/venue/outcome/protocol/codes.ts'
import { BindAccount, OutcomeCommand, OutcomeOp, SetSigner } from '../../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, type OutcomeKind, Reply } from '../../../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_SETTINGS } from '../../../../src/venue/outcome/protocol/profile.ts'
import { SignedTerms, TERMS_FIELDS, TermsKind } from '../../../../src/venue/outcome/protocol/terms.ts'
import { outcomeVenue } from '../../../../src/venue/outcome/venue.ts'
import { WireIdentity } from '../../../../src/venue/outcome/wire/identity.ts'
import { OriginLog } from '../../../../src/venue/outcome/wire/originLog.ts'
import { addressOf, privateKeyOf, sign, signaturePort } from '../../../../src/venue/outcome/wire/signing.ts'
import { digestOf, eip712TermsTag } from '../../../../src/venue/outcome/wire/typedData.ts'
import { profileOf } from '../../../../src/venue/profile.ts'
import { outcomeIdOf } from './rows.ts'

const T0 = 1_750_000_000_000_000
const S0 = 1_750_000_000
const SEED = 'seed 7'
const TAKER = 10
const MAKER = 20
/** The maker's quote signer, and a wallet that binds nobody here. */
const SIGNER = 30
const STRANGER = 11
const PAYOUT = 99_000_000
type Fields = Partial<Record<(typeof TERMS_FIELDS)[number], number>>

/** A venue that takes EIP-712 fingerprints, and an edge that recovers who signed what. */
class Edge {
  readonly events = new EventRows({ next: 1 }, 2)
  readonly origins = new OriginLog(4)
  readonly identity = new WireIdentity(SEED, this.origins)
  readonly venue = outcomeVenue(profileOf(OUTCOME_SETTINGS), this.events, new PostingRows({ next: 1 }, 2), eip712TermsTag(this.identity, outcomeIdOf))
  private readonly signers = new Map([TAKER, MAKER, SIGNER, STRANGER].map((signer) => [addressOf(privateKeyOf(SEED, signer)), signer]))
  private readonly port = signaturePort((terms) => this.digest(terms), (address) => this.signers.get(address))
  private readonly command = new OutcomeCommand()
  private taken = 0

  digest(terms: SignedTerms) {
    return digestOf(terms, this.identity, outcomeIdOf)
  }

  /** Sends a command at T0; names of the replies that it led to. */
  send(op: keyof typeof OutcomeOp, account: number, fields: Partial<OutcomeCommand> = {}, legs: readonly (readonly [number, number])[] = []): string[] {
    this.command.reset(OutcomeOp[op], account)
    for (const [outcome, side] of legs) this.command.leg(outcome, side)
    if (op === 'listOutcome') this.command.item(1000 + fields.outcome!)
    Object.assign(this.command, fields)
    this.command.seq++
    this.venue.apply(T0, this.command)
    const codes: string[] = []
    for (; this.taken < this.events.count; this.taken++) {
      const row = this.events.row(this.taken)
      this.origins.take(this.events.rowCells(row), this.venue.view)
      const kind = this.events.kindOf(row) as OutcomeKind
      if (kind === OutcomeEvent.reply) codes.push(OUTCOME_CODES[this.events.read(rowOfKind(row, kind), Reply.code)]!.name)
    }
    return codes
  }

  /** Sends a command whose body said `told` and had the signature of `signed` by `signer`. */
  sendSigned(op: keyof typeof OutcomeOp, account: number, fields: Partial<OutcomeCommand>, told: SignedTerms, signed: SignedTerms, signer: number): string[] {
    const signature = sign(this.digest(signed), privateKeyOf(SEED, signer))
    return this.send(op, account, { ...fields, ...this.port.verify(told, signature) })
  }
}

interface Call {
  readonly op: keyof typeof OutcomeOp
  readonly account: number
  readonly authority: number
  readonly kind: keyof typeof TermsKind
  readonly fields: Partial<OutcomeCommand>
  readonly terms: Fields
  readonly legs?: readonly (readonly [number, number])[]
  /** What the venue answers. */
  readonly done: readonly string[]
}

const LEGS = [[1, 1], [2, 0]] as const
/** In force, in bps: the profile's. */
const RATES = { takerFeeBps: 20, feeBps: 100 }
const QUOTE: Call = {
  op: 'submitQuote', account: MAKER, authority: SIGNER, kind: 'quote', legs: LEGS, done: ['ok'],
  fields: { rfq: 1, payoutMicros: PAYOUT, expiryS: S0 + 10 },
  terms: { rfq: 1, generation: 1, stakeMicros: 24_950_000, payoutMicros: PAYOUT, ...RATES, expiryS: S0 + 10 },
}
const ACCEPTANCE: Call = {
  op: 'acceptQuote', account: TAKER, authority: TAKER, kind: 'acceptance', done: [],
  fields: { quote: 1, key: 77, validAfterS: S0, validBeforeS: S0 + 60 },
  terms: { rfq: 1, quote: 1, key: 77, payoutMicros: PAYOUT, stakeMicros: 25_000_000, coreMicros: 0, ...RATES, validAfterS: S0, validBeforeS: S0 + 60 },
}
const CONFIRMATION: Call = {
  op: 'confirmQuote', account: MAKER, authority: SIGNER, kind: 'confirmation', done: ['ok', 'ok'], fields: { quote: 1 },
  terms: { rfq: 1, quote: 1, value: 1, payoutMicros: PAYOUT, ...RATES },
}
const WITHDRAWAL: Call = {
  op: 'withdraw', account: TAKER, authority: TAKER, kind: 'withdrawal', done: ['ok'],
  fields: { key: 78, amountMicros: 7_000_000, exitUntilS: S0 + 60, validAfterS: S0, validBeforeS: S0 + 400 },
  terms: { key: 78, payoutMicros: 7_000_000, ...RATES, expiryS: S0 + 60, validAfterS: S0, validBeforeS: S0 + 400 },
}
const REDUCTION: Call = {
  op: 'reduceCollateral', account: MAKER, authority: MAKER, kind: 'reduction', done: ['ok'],
  fields: { key: 79, amountMicros: 7_000_000 }, terms: { key: 79, payoutMicros: 7_000_000, ...RATES },
}

function termsOf({ kind, account, terms, legs = [] }: Call, change: Fields = {}): SignedTerms {
  const made = Object.assign(new SignedTerms().reset(TermsKind[kind], account), terms, change)
  for (const [outcome, side] of legs) made.leg(outcome, side)
  return made
}

const asItShould = (edge: Edge, call: Call): string[] =>
  edge.sendSigned(call.op, call.account, call.fields, termsOf(call), termsOf(call), call.authority)

/** An edge on which the calls before have been made. */
function edgeAfter(...calls: readonly Call[]): Edge {
  const edge = new Edge()
  for (const outcome of [1, 2]) edge.send('listOutcome', -1, { outcome, closeUs: T0 + 1e12 })
  edge.send('bindAccount', -1, { [BindAccount.bound]: TAKER, [BindAccount.role]: 0 })
  edge.send('bindAccount', -1, { [BindAccount.bound]: MAKER, [BindAccount.role]: 1 })
  for (const account of [TAKER, MAKER]) edge.send('deposit', account, { amountMicros: 1_000_000_000 })
  edge.send('setSigner', MAKER, { [SetSigner.signer]: SIGNER })
  edge.send('createRfq', TAKER, { stakeMicros: 25_000_000 }, LEGS)
  for (const call of calls) expect(asItShould(edge, call)).toEqual(call.done)
  return edge
}

describe.each<[string, Call, () => Edge]>([
  ['a quote', QUOTE, () => edgeAfter()],
  ['an acceptance', ACCEPTANCE, () => edgeAfter(QUOTE)],
  ['a confirmation', CONFIRMATION, () => edgeAfter(QUOTE, ACCEPTANCE)],
  ['a withdrawal', WITHDRAWAL, () => edgeAfter()],
  ['a collateral reduction', REDUCTION, () => edgeAfter()],
])('%s, signed in earnest', (_, call, edge) => {
  it('OM-016 OM-148 is taken when its authority signed these terms', () => {
    expect(asItShould(edge(), call)).toEqual(call.done)
  })

  it('OM-212 is INVALID_SIGNATURE when other terms were signed, or nothing', () => {
    const on = edge()
    const other = termsOf(call, { payoutMicros: (call.terms.payoutMicros ?? 0) + 1 })
    expect(on.sendSigned(call.op, call.account, call.fields, termsOf(call), other, call.authority)).toEqual(['invalidSignature'])
    expect(on.sendSigned(call.op, call.account, call.fields, other, other, call.authority)).toEqual(['invalidSignature'])
    expect(on.send(call.op, call.account, call.fields)).toEqual(['invalidSignature'])
    expect(asItShould(on, call)).toEqual(call.done)
  })

  it('OM-105 OM-212 is INVALID_SIGNATURE at other rates than those in force', () => {
    const on = edge()
    for (const rates of [{ takerFeeBps: 21 }, { feeBps: 101 }, { takerFeeBps: 0, feeBps: 0 }]) {
      const other = termsOf(call, rates)
      expect(on.sendSigned(call.op, call.account, call.fields, other, other, call.authority)).toEqual(['invalidSignature'])
    }
    expect(asItShould(on, call)).toEqual(call.done)
  })

  it('OM-107 OM-212 is INVALID_SIGNATURE under the key of another request', () => {
    if (call.fields.key === undefined) return
    const on = edge()
    const other = call.fields.key + 1
    expect(on.sendSigned(call.op, call.account, { ...call.fields, key: other }, termsOf(call, { key: other }), termsOf(call), call.authority)).toEqual(['invalidSignature'])
    expect(on.sendSigned(call.op, call.account, { ...call.fields, key: other }, termsOf(call), termsOf(call), call.authority)).toEqual(['invalidSignature'])
    expect(asItShould(on, call)).toEqual(call.done)
  })

  it('OM-213 OM-214 OM-215 is WRONG_AUTHORITY when somebody else signed them', () => {
    const on = edge()
    const others = [TAKER, MAKER, SIGNER, STRANGER].filter((signer) => signer !== call.authority)
    for (const signer of others) {
      expect(on.sendSigned(call.op, call.account, call.fields, termsOf(call), termsOf(call), signer)).toEqual(['wrongAuthority'])
    }
  })
})
