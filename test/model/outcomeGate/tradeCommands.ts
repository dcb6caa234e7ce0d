import { NONE } from '../../../src/unit/none.ts'
import { BindAccount, OutcomeOp, SetFees, SetSigner } from '../../../src/venue/outcome/protocol/commands.ts'
import { PositionState, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { cheapTermsTag, SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import type { OutcomeQuoteView, RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import type { GateCommand } from './command.ts'
import type { Intent, IntentKind } from './intents.ts'
import { type Fields, type Maker, makerOf, MAKERS, participantOf, pickOf, type Scene } from './scene.ts'
import { Resolve, SetFault } from '../../../src/venue/contract.ts'

type Terms = Partial<Omit<SignedTerms, 'legs' | 'legCount' | 'reset' | 'leg'>>

/** Signer and tag of terms that are signed as they should be. */
function signed(signer: number, kind: number, account: number, fields: Terms, rfq?: RfqView): Partial<GateCommand> {
  const terms = Object.assign(new SignedTerms().reset(kind, account), fields)
  for (const { outcome, side } of rfq?.legs ?? []) terms.leg(outcome, side)
  return { signer, termsTag: cheapTermsTag(terms) }
}

const secondsOf = (nowUs: number): number => Math.floor(nowUs / 1_000_000)

/** Commands for the venue. They are valid, so that they lead to rows that are events. The key is the one that the command will carry. */
export const TRADES: Partial<Record<IntentKind, Maker>> = {
  deposit: (intent) => [OutcomeOp.deposit, intent.who % 4, { amountMicros: intent.flaw < 95 ? 1_000_000 + intent.amount : 0 }],
  withdraw(intent, { trade, nowUs }) {
    const account = participantOf(intent)
    const amountMicros = intent.flaw < 90 ? 1 + intent.amount : 0
    const [validAfterS, validBeforeS] = [secondsOf(nowUs) - 1, secondsOf(nowUs) + 1_000]
    const proof = signed(account, TermsKind.withdrawal, account, { key: trade.nextKey, payoutMicros: amountMicros, ...ratesOf(trade), validAfterS, validBeforeS })
    return [OutcomeOp.withdraw, account, { amountMicros, validAfterS, validBeforeS, ...proof }]
  },
  reduceCollateral(intent, { trade }) {
    const account = makerOf(intent)
    const amountMicros = intent.flaw < 90 ? 1 + intent.amount : 1e12
    const proof = signed(account, TermsKind.reduction, account, { key: trade.nextKey, payoutMicros: amountMicros, ...ratesOf(trade) })
    return [OutcomeOp.reduceCollateral, account, { amountMicros, ...proof }]
  },
  setSigner: (intent) => [OutcomeOp.setSigner, makerOf(intent), { [SetSigner.signer]: intent.flaw < 90 ? 70 + (intent.pick % 3) : NONE }],
  createRfq(intent, { trade, nowUs }) {
    const outcomes = trade.open(nowUs)
    if (outcomes.length < 4) return 'listOutcome'
    const isLong = intent.pick % 6 === 0
    const legs = outcomes.slice(0, isLong ? outcomes.length : 1 + (intent.pick % 3)).map((outcome, i) => [outcome, (intent.amount >> i) & 1] as const)
    return [OutcomeOp.createRfq, participantOf(intent), { legs, stakeMicros: intent.flaw < 95 ? 2_000_000 + intent.amount : 1 }]
  },
  cancelRfq(intent, scene) {
    const rfq = pickOf(rfqs(scene, RfqState.open), intent.pick)
    if (rfq === undefined) return 'createRfq'
    return [OutcomeOp.cancelRfq, rfq.owner, { rfq: intent.flaw < 95 ? rfq.number : 99_999 }]
  },
  openCashout(intent, { trade }) {
    const asked = new Set(trade.rfqs().filter(({ state }) => state === RfqState.open || state === RfqState.inFlight).map(({ position }) => position))
    const open = trade.positions().filter(({ state, number }) => state === PositionState.open && !asked.has(number))
    const position = pickOf(open, intent.pick)
    if (position === undefined) return 'confirmQuote'
    return [OutcomeOp.openCashout, position.holder, { position: position.number }]
  },
  submitQuote(intent, scene) {
    const { trade, nowUs } = scene
    const rfq = pickOf(rfqs(scene, RfqState.open), intent.pick)
    if (rfq === undefined) return 'createRfq'
    const isCashOut = rfq.position !== NONE
    const maker = MAKERS.find((one) => one !== rfq.owner && (isCashOut || one === makerOf(intent)))!
    const payoutMicros = isCashOut ? 1_000_000 + (intent.amount % 500_000) : rfq.stakeMicros + 100_000 + intent.amount
    const expiryS = secondsOf(nowUs) + (isCashOut ? 30 + (intent.pick % 25) : 4 + (intent.pick % 24))
    const { number, generation, position } = rfq
    const rates = isCashOut ? { position, feeBps: trade.view.position(position)!.feeBps } : {
      stakeMicros: rfq.stakeMicros - Math.floor((rfq.stakeMicros * trade.takerFeeBps) / 10_000), ...ratesOf(trade),
    }
    const terms = { rfq: number, generation, payoutMicros, expiryS, ...rates }
    const proof = signed(trade.view.balance(maker).signer, TermsKind.quote, maker, terms, rfq)
    return [OutcomeOp.submitQuote, maker, { rfq: number, payoutMicros: intent.flaw < 92 ? payoutMicros : 1, expiryS, ...proof }]
  },
  cancelQuote(intent, scene) {
    const quote = pickOf(quotes(scene, QuoteState.live), intent.pick)
    if (quote === undefined) return 'submitQuote'
    return [OutcomeOp.cancelQuote, quote.maker, { quote: quote.number }]
  },
  acceptQuote(intent, scene) {
    const { trade, nowUs } = scene
    const offered = trade.open(nowUs)
    const isGood = ({ rfq: number, maker, signer, takerFeeBps, feeBps }: OutcomeQuoteView): boolean => {
      const rfq = trade.view.rfq(number)
      const isTakeable = rfq?.acceptedQuote === NONE && signer === trade.view.balance(maker).signer
      if (takerFeeBps !== NONE && (takerFeeBps !== trade.takerFeeBps || feeBps !== trade.feeBps)) return false
      return isTakeable && rfq.legs.every(({ outcome }) => offered.includes(outcome))
    }
    const live = quotes(scene, QuoteState.live)
    const quote = pickOf(intent.flaw < 94 ? live.filter(isGood) : live, intent.pick)
    return quote === undefined ? 'submitQuote' : accept(scene, quote, trade.nextKey)
  },
  confirmQuote(intent, scene) {
    const { view } = scene.trade
    const quote = answered(intent, scene)
    if (quote === undefined) return 'acceptQuote'
    const { number, rfq, payoutMicros, maker, takerFeeBps, feeBps } = quote
    const position = view.rfq(rfq)?.position ?? NONE
    const terms = { rfq, quote: number, position, value: view.acceptanceOfQuote(number)?.number ?? NONE, payoutMicros, takerFeeBps, feeBps }
    return [OutcomeOp.confirmQuote, maker, { quote: number, ...signed(view.balance(maker).signer, TermsKind.confirmation, maker, terms) }]
  },
  declineQuote(intent, scene) {
    const quote = answered(intent, scene)
    return quote === undefined ? 'acceptQuote' : [OutcomeOp.declineQuote, quote.maker, { quote: quote.number }]
  },
  listOutcome(intent, { trade, nowUs }) {
    const known = pickOf([...trade.outcomes.keys()], intent.pick)
    const outcome = intent.flaw < 90 || known === undefined ? trade.nextOutcome : known
    return [OutcomeOp.listOutcome, -1, { outcome, closeUs: nowUs + (intent.amount % 6 === 0 ? 2_000_000 : 1e13), list: [1_000 + outcome] }]
  },
  delistOutcome(intent, { trade }) {
    const outcome = pickOf([...trade.outcomes.keys()], intent.pick)
    return outcome === undefined ? 'listOutcome' : [OutcomeOp.delistOutcome, -1, { outcome }]
  },
  resolveOutcome(intent, { trade }) {
    const legs = trade.positions().flatMap((position) => position.legs).filter(({ outcome }) => trade.outcomes.has(outcome))
    const leg = pickOf(legs, intent.pick)
    if (leg === undefined) return 'confirmQuote'
    return [OutcomeOp.resolveOutcome, -1, { outcome: leg.outcome, [Resolve.result]: intent.amount % 10 < 9 ? intent.amount % 2 : 2 }]
  },
  haltOutcome(intent, { trade }) {
    const outcome = pickOf([...trade.outcomes.keys()], intent.pick)
    return outcome === undefined ? 'listOutcome' : [OutcomeOp.haltOutcome, -1, { outcome }]
  },
  resumeOutcome(intent, { trade }) {
    const outcome = pickOf([...trade.halted].filter((one) => trade.outcomes.has(one)), intent.pick)
    return outcome === undefined ? 'haltOutcome' : [OutcomeOp.resumeOutcome, -1, { outcome }]
  },
  setFees: (intent) => [OutcomeOp.setFees, -1, { [SetFees.takerFeeBps]: intent.flaw < 90 ? intent.amount % 50 : 10_001, [SetFees.feeBps]: intent.pick % 200 }],
  bindAccount: (intent, { trade }) => [OutcomeOp.bindAccount, -1, { [BindAccount.bound]: trade.nextAccount, [BindAccount.role]: intent.amount % 2 }],
  setFault(intent, { trade }) {
    const [on] = [...trade.faults].filter((fault) => fault < 20)
    return [OutcomeOp.setFault, -1, on === undefined ? { [SetFault.fault]: 1 + (intent.pick % 5), [SetFault.isOn]: 1 } : { [SetFault.fault]: on, [SetFault.isOn]: 0 }]
  },
}

/** The rates in force. */
const ratesOf = ({ takerFeeBps, feeBps }: Scene['trade']) => ({ takerFeeBps, feeBps })

/** An accept of the quote with the key, signed. */
function accept({ trade, nowUs }: Scene, { number, rfq: ofRfq, payoutMicros, feeBps }: OutcomeQuoteView, key: number): Fields {
  const rfq = trade.view.rfq(ofRfq)!
  const [validAfterS, validBeforeS] = rfq.position === NONE ? [secondsOf(nowUs) - 1, secondsOf(nowUs) + 100] : [NONE, NONE]
  const funding = rfq.position === NONE ? { stakeMicros: rfq.stakeMicros, coreMicros: 0, validAfterS, validBeforeS, ...ratesOf(trade) } : { feeBps, position: rfq.position }
  const proof = signed(rfq.owner, TermsKind.acceptance, rfq.owner, { rfq: ofRfq, quote: number, key, payoutMicros, ...funding })
  return [OutcomeOp.acceptQuote, rfq.owner, { quote: number, validAfterS, validBeforeS, ...proof }]
}

/** The quote that a maker answers for: an accepted one, or by mistake any. */
const answered = (intent: Intent, scene: Scene): OutcomeQuoteView | undefined =>
  pickOf(quotes(scene, QuoteState.accepted), intent.pick) ?? (intent.flaw < 70 ? undefined : pickOf(scene.trade.quotes(), intent.pick))

const rfqs = ({ trade }: Scene, state: number): RfqView[] => trade.rfqs().filter((one) => one.state === state)
const quotes = ({ trade }: Scene, state: number): OutcomeQuoteView[] => trade.quotes().filter((one) => one.state === state)
