import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { commandOf, type ModelCommand } from './command.ts'
import * as accounts from './concreteAccounts.ts'
import * as operator from './concreteOperator.ts'
import * as trade from './concreteTrade.ts'
import * as quotes from './concreteQuotes.ts'
import type { Intent, IntentKind } from './intents.ts'
import { type Fields, MAKERS, openOutcomes, PARTICIPANTS, pickOf, type Scene, STRANGERS_KNOWN } from './scene.ts'
import { pendingAcceptances, reductionsOf } from './state.ts'

/** Accounts that do not exist, are nobody's, or were never bound. */
const STRANGERS = [-1, -2, 16_777_216, 400_000_000, 1e300, 0.5, NaN, Infinity, ...STRANGERS_KNOWN, 16_777_215]

/** The command that an intent means now; null for the kinds that are none. */
export function concrete(intent: Intent, scene: Scene): ModelCommand | null {
  const make = MAKERS_OF[possible(intent, scene)]
  if (make === undefined) return null
  const [op, account, fields] = make(intent, scene)
  if (intent.flaw >= 97 && intent.who % 4 === 3) return commandOf(op, STRANGERS[intent.amount % STRANGERS.length]!, fields)
  // Account −0 is account 0.
  return commandOf(op, account === 0 && intent.flaw % 10 === 3 ? -0 : account, fields)
}

/** Most intents that nothing is there for become the one that makes it: a quote needs an RFQ, an RFQ outcomes. */
function possible(intent: Intent, scene: Scene): IntentKind {
  const { state } = scene
  if (intent.flaw >= 92) return intent.kind
  const hasFault = state.faults.length > 0
  const hasPending = pendingAcceptances(state).length > 0
  const open = quotes.openRfqs(state)
  const standsIn: Partial<Record<IntentKind, () => IntentKind>> = {
    confirmQuote: () => (hasPending || (intent.flaw >= 66 && intent.flaw < 70) ? 'confirmQuote' : 'acceptQuote'),
    declineQuote: () => (hasPending || (intent.flaw >= 66 && intent.flaw < 70) ? 'declineQuote' : 'acceptQuote'),
    acceptQuote: () => (trade.acceptable(scene).length > 0 || (intent.flaw >= 66 && intent.flaw < 74) ? 'acceptQuote' : 'submitQuote'),
    cancelQuote: () => (quotes.liveQuotes(state).length > 0 || intent.flaw >= 80 ? 'cancelQuote' : 'submitQuote'),
    submitQuote: () => (hasFault && intent.flaw < 25 ? 'setFault' : open.length > 0 || intent.flaw >= 85 ? 'submitQuote' : 'createRfq'),
    cancelRfq: () => (open.length > 0 || intent.flaw >= 70 ? 'cancelRfq' : 'createRfq'),
    openCashout: () => (trade.sellable(scene).length > 0 || intent.flaw >= 75 ? 'openCashout' : 'confirmQuote'),
    createRfq: () => (openOutcomes(scene).length < 4 ? 'listOutcome' : open.length >= 4 && intent.flaw < 55 ? 'submitQuote' : 'createRfq'),
    reduceCollateral: () => (MAKERS.every((maker) => reductionsOf(state, maker) > 0) && intent.flaw < 60 ? 'deposit' : 'reduceCollateral'),
  }
  const kind = standsIn[intent.kind]?.() ?? intent.kind
  return kind === intent.kind ? kind : possible({ ...intent, kind }, scene)
}

/** The gate's among them. */
const UNKNOWN_OPS = [0, OutcomeOp.drain, OutcomeOp.resnapshot, 11, 19, 24, 37, 45, OutcomeOp.signIn, OutcomeOp.read, 99]

const MAKERS_OF: Readonly<Partial<Record<IntentKind, (intent: Intent, scene: Scene) => Fields>>> = {
  createRfq: trade.createRfq,
  cancelRfq: trade.cancelRfq,
  openCashout: trade.openCashout,
  acceptQuote: trade.acceptQuote,
  submitQuote: quotes.submitQuote,
  cancelQuote: quotes.cancelQuote,
  confirmQuote: quotes.confirmQuote,
  declineQuote: quotes.declineQuote,
  deposit: accounts.deposit,
  withdraw: accounts.withdraw,
  reduceCollateral: accounts.reduceCollateral,
  setSigner: accounts.setSigner,
  bindAccount: accounts.bindAccount,
  listOutcome: operator.listOutcome,
  haltOutcome: operator.haltOutcome,
  resumeOutcome: operator.resumeOutcome,
  delistOutcome: operator.delistOutcome,
  resolveOutcome: operator.resolveOutcome,
  setFees: operator.setFees,
  setFault: operator.setFault,
  unknownOp: (intent) => [pickOf(UNKNOWN_OPS, intent.pick)!, pickOf(PARTICIPANTS, intent.who)!, { rfq: 1 }],
}
