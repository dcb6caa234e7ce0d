import { describe, expect, it } from 'vitest'
import { OutcomeReader } from '../../../src/chain/mirror/outcomeReader.ts'
import type { MirrorLog } from '../../../src/chain/mirror/serviceReader.ts'
import type { SignedTrade, VaultCall } from '../../../src/chain/vaultCall.ts'
import { Session } from '../../../src/engine/session.ts'
import type { Batch, Sink } from '../../../src/record/sink.ts'
import { rowOfKind } from '../../../src/venue/eventCells.ts'
import { EventCell } from '../../../src/venue/eventRows.ts'
import { OutcomeFault } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, type OutcomeKind, QuoteAccepted, QuoteCreated, QuoteFilled } from '../../../src/venue/outcome/protocol/events.ts'
import { JOURNAL_STRIDE, JournalField } from '../../../src/venue/outcome/protocol/journal.ts'
import { cheapTermsTag, type SignedTerms } from '../../../src/venue/outcome/protocol/terms.ts'
import { digestOf, tagOfDigest } from '../../../src/venue/outcome/wire/typedData.ts'
import { onOutcome } from '../../engine/outcomeWorld.ts'
import { auctionConfig } from '../../engine/world.ts'
import { ms, sec, unix, usd } from '../../venue/outcome/driver.ts'
import { MirroredDriver } from './mirroredDriver.ts'
import { SetFault } from '../../../src/venue/contract.ts'

const PAYOUT = 99_800_000
const NO_TRADE: MirrorLog = { call: () => {}, waits: () => {}, failed: () => {}, ahead: () => {}, caughtUp: () => {} }

/** Terms of a call, in the order in which they were signed. */
const termsOf = (signed: SignedTrade): SignedTerms[] => [signed.quote, signed.acceptance, signed.confirmation]
const tagsOf = (signed: SignedTrade): number[] => termsOf(signed).map(cheapTermsTag)

/** A call without what caused it and without its signatures. */
function told(call: VaultCall): Record<string, unknown> {
  const { seq, atUs, ...rest } = call
  expect([Number.isSafeInteger(seq), atUs > 0]).toEqual([true, true])
  if ('signed' in rest) delete (rest as { signed?: unknown }).signed
  return rest
}

function mirrored(): MirroredDriver {
  const d = new MirroredDriver()
  d.calls.length = d.signedTags.length = 0
  return d
}

const last = (d: MirroredDriver): VaultCall => d.calls.at(-1)!
const tradeOf = (call: VaultCall): SignedTrade => (call as { signed: SignedTrade }).signed

describe('what the vault of the outcome service is told', () => {
  it('credits deposits of every account, and not the core part of a stake', () => {
    const d = new MirroredDriver()
    expect(d.calls.map(told)).toEqual([10, 11, 20, 21, 22].map((account) => ({ kind: 'deposit', account, amountMicros: usd(1000) })))
    d.open(10, 20, PAYOUT, undefined, usd(25), { coreMicros: usd(5) })
    expect(d.calls.slice(5).map(({ kind }) => kind)).toEqual(['open'])
  })

  it('opens a position when the chain has it, with stake, risk and fees by hand', () => {
    const d = mirrored()
    d.create(10)
    d.quote(20, 1, PAYOUT)
    d.accept(10, 1, { coreMicros: usd(5) })
    d.at(sec(1))
    d.confirm(20, 1)
    expect(d.calls).toEqual([])
    d.pulse(sec(1) + ms(d.profile.operationMs))
    // 25 USDC less 20 bps are 24.95; the maker risks 99.80 − 24.95.
    expect(d.calls.map(told)).toEqual([{
      kind: 'open', position: 1, holder: 10, backer: 20, stakeMicros: 24_950_000, riskMicros: 74_850_000, takerFeeMicros: 50_000, takerFeeBps: 20,
      profitFeeBps: 100, coreMicros: usd(5),
    }])
    expect(tagsOf(tradeOf(last(d)))).toEqual(d.signedTags)
    expect(tradeOf(last(d))).toMatchObject({ quoteSigner: 20, takerSigner: 10, acceptedAtS: unix(0) })
  })

  it.each([
    [['yes', 'no'], 'won'], [['yes', 'yes'], 'lost'], [['yes', 'void'], 'void'],
  ] as const)('settles results %j as %s in one call', (results, outcome) => {
    const d = mirrored()
    d.open(10, 20, PAYOUT)
    results.forEach((result, i) => d.resolve(i + 1, result))
    d.pulse(sec(500))
    expect(d.calls.slice(1).map(told)).toEqual([{ kind: 'settle', position: 1, outcome }])
    expect(d.reader.size).toBe(0)
  })

  it('transfers to another maker, and closes with the backing one, at the price', () => {
    const d = mirrored()
    d.open(10, 20, PAYOUT)
    d.sell(10, 21, 1, usd(40))
    d.sell(21, 20, 1, usd(45))
    expect(d.calls.slice(1).map(told)).toEqual([
      { kind: 'transfer', position: 1, buyer: 21, priceMicros: usd(40) }, { kind: 'buyback', position: 1, priceMicros: usd(45) },
    ])
    expect(d.calls.flatMap((call) => tagsOf(tradeOf(call)))).toEqual(d.signedTags)
    expect(d.calls.map((call) => tradeOf(call).takerSigner)).toEqual([10, 10, 21])
    expect(d.reader.size).toBe(0)
  })

  it('tells the rates of the time: an entry those in force, a sale its position\'s', () => {
    const d = mirrored()
    d.setFees(30, 200)
    d.open(10, 20, PAYOUT)
    d.setFees(90, 900)
    d.sell(10, 21, 1, usd(40))
    d.withdraw(11, usd(7), { key: 4 })
    d.reduce(22, usd(9), { key: 5 })
    d.pulse(sec(86_410))
    expect(told(d.calls[0]!)).toMatchObject({ takerFeeBps: 30, profitFeeBps: 200, takerFeeMicros: 75_000 })
    const signed = d.calls.slice(0, 2).flatMap((call) => tagsOf(tradeOf(call)))
    expect(signed).toEqual(d.signedTags.slice(0, 6))
    expect(d.calls.slice(2).map(told)).toEqual([
      { kind: 'reduce', reduction: 1, account: 22, amountMicros: usd(9) }, { kind: 'withdraw', account: 11, amountMicros: usd(7) },
      { kind: 'release', reduction: 1, account: 22, amountMicros: usd(9) },
    ])
    const terms = d.calls.slice(2, 4).map((call) => (call as { signed: SignedTerms }).signed)
    expect(terms.map(({ key, takerFeeBps, feeBps }) => [key, takerFeeBps, feeBps])).toEqual([[5, 90, 900], [4, 90, 900]])
    expect(terms.map(cheapTermsTag).toReversed()).toEqual(d.signedTags.slice(6))
  })

  it('signs a payout without a key as one without a key', () => {
    const d = mirrored()
    d.reduce(22, usd(9))
    d.withdraw(11, usd(7), { exitUntilS: unix(60), validBeforeS: unix(400) })
    d.pulse(sec(20))
    const terms = d.calls.map((call) => (call as { signed: SignedTerms }).signed)
    expect(terms.map(({ key, expiryS }) => [key, expiryS])).toEqual([[-1, -1], [-1, unix(60)]])
    expect(terms.map(cheapTermsTag)).toEqual(d.signedTags)
  })

  it('names the quote\'s own generation and its signer, however often its RFQ was resolved since', () => {
    const d = mirrored()
    d.create(10)
    d.setSigner(21, 500)
    d.quote(20, 1, PAYOUT, { expiryS: unix(20) })
    d.quote(21, 1, PAYOUT - 1, { expiryS: unix(20) })
    d.accept(10, 1)
    d.decline(20, 1)
    d.accept(10, 2)
    d.confirm(21, 2)
    d.pulse(sec(10))
    expect(d.calls.map(told)).toMatchObject([{ kind: 'open', backer: 21 }])
    const trade = tradeOf(last(d))
    expect([trade.quote.generation, trade.quoteSigner, trade.confirmation.value]).toEqual([1, 500, 2])
    expect(trade.signerChanges).toEqual([{ signer: 500, sinceS: unix(0) }])
    // The first maker's quote and its acceptance came to nothing.
    expect(tagsOf(trade)).toEqual([d.signedTags[1], d.signedTags[3], d.signedTags[4]])
  })

  it('is never told what fails, and forgets it', () => {
    const d = mirrored()
    d.open(10, 20, PAYOUT)
    d.calls.length = 0
    d.send('setFault', -1, { [SetFault.fault]: OutcomeFault.chainDropped, [SetFault.isOn]: 1 })
    d.create(11)
    d.quote(20, 2, PAYOUT)
    d.accept(11, 2)
    d.confirm(20, 2)
    const rfq = d.cashout(10, 1)['rfq'] as number
    d.quote(21, rfq, usd(40))
    d.accept(10, 3)
    d.confirm(21, 3)
    d.withdraw(11, usd(7))
    d.pulse(d.now + sec(60))
    expect(d.calls).toEqual([])
    // The position that is open is all that is left.
    expect(d.reader.size).toBe(1)
    for (const end of ['declined', 'timed out'] as const) {
      const asked = d.create(11)['rfq'] as number
      const quote = d.quote(20, asked, PAYOUT)['quote'] as number
      d.accept(11, quote)
      expect(d.reader.size).toBe(3)
      if (end === 'declined') d.decline(20, quote)
      else d.pulse(d.now + sec(3))
      d.cancel(11, asked)
      expect(d.reader.size).toBe(1)
    }
  })

  it('waits while the chain is stalled', () => {
    const d = mirrored()
    d.send('setFault', -1, { [SetFault.fault]: OutcomeFault.chainStalled, [SetFault.isOn]: 1 })
    d.create(10)
    d.quote(20, 1, PAYOUT)
    d.accept(10, 1)
    d.confirm(20, 1)
    d.withdraw(11, usd(7))
    d.pulse(d.now + sec(30))
    expect(d.calls).toEqual([])
    d.send('setFault', -1, { [SetFault.fault]: OutcomeFault.chainStalled, [SetFault.isOn]: 0 })
    d.pulse(d.now + sec(30))
    expect(d.calls.map(({ kind }) => kind).toSorted()).toEqual(['open', 'withdraw'])
  })
})

/** Reads the rows of a session, and keeps by number what was signed of each quote, acceptance, confirmation. */
class SignedRows implements Sink {
  readonly calls: VaultCall[] = []
  private readonly reader: OutcomeReader
  /** Fingerprints of signed commands, by seq. */
  readonly tags = new Map<number, number>()
  readonly tagOf = { quote: new Map<number, number>(), acceptance: new Map<number, number>(), confirmation: new Map<number, number>() }

  constructor(reader: OutcomeReader) {
    this.reader = reader
  }

  flush(batch: Batch): void {
    const { events, journal } = batch.outcome!
    for (let row = 0; row < journal.count; row++) {
      const of = (field: keyof typeof JournalField): number => journal.cells[row * JOURNAL_STRIDE + JournalField[field]]!
      this.tags.set(of('seq'), of('termsTag'))
    }
    this.reader.begin(batch)
    for (let i = 0; i < events.count; i++) {
      const row = events.row(i)
      const kind = events.kindOf(row) as OutcomeKind
      const tag = this.tags.get(events.read(row, EventCell.cause))!
      if (kind === OutcomeEvent.quoteCreated) this.tagOf.quote.set(events.read(rowOfKind(row, kind), QuoteCreated.quote), tag)
      if (kind === OutcomeEvent.quoteAccepted) this.tagOf.acceptance.set(events.read(rowOfKind(row, kind), QuoteAccepted.acceptance), tag)
      if (kind === OutcomeEvent.quoteFilled) this.tagOf.confirmation.set(events.read(rowOfKind(row, kind), QuoteFilled.acceptance), tag)
      this.reader.happened(events, row, { ...NO_TRADE, call: (call) => { this.calls.push(call) } })
    }
  }

  finish(): void {}
  abort(): void {}
}

describe('the terms of a session', () => {
  it.each([['eip712', 64, 24, 3], ['tag', 100_000, 400, 30]] as const)('OM-148 are rebuilt as they were signed: %s, in chunks of %i', (signatures, chunk, seconds, least) => {
    const config = onOutcome(auctionConfig(seconds), { signatures })
    const reader = new OutcomeReader(config.seed, config.outcome.profile)
    const rows = new SignedRows(reader)
    new Session({ ...config, sinks: [rows] }).runToEnd(chunk)
    const trades = rows.calls.filter((call) => call.kind === 'open' || call.kind === 'buyback' || call.kind === 'transfer')
    const digestTag = (terms: SignedTerms): number =>
      (signatures === 'tag' ? cheapTermsTag(terms) : tagOfDigest(digestOf(terms, reader.identity, reader.outcomeIdOf)))
    for (const { signed } of trades) {
      const { quote, acceptance, confirmation } = signed!
      expect(digestTag(quote)).toBe(rows.tagOf.quote.get(acceptance.quote))
      expect(digestTag(acceptance)).toBe(rows.tagOf.acceptance.get(confirmation.value))
      expect(digestTag(confirmation)).toBe(rows.tagOf.confirmation.get(confirmation.value))
    }
    for (const kind of ['open', 'buyback', 'transfer']) expect(trades.filter((call) => call.kind === kind).length).toBeGreaterThanOrEqual(least)
  })
})
