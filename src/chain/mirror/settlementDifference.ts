import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../../ledger/ledger.ts'
import { isoOfTimeUs } from '../../unit/time.ts'
import type { VaultCall } from '../vaultCall.ts'
import { accountsOf, moves, type Place, positionOf } from './parties.ts'
import { SettlementFailure } from './settlementFailure.ts'
import type { Movement, SettlementStep } from './settlementStep.ts'

/** A row of the service, the postings that it tells and the call that it made; of a fill that failed none. */
export interface Cause {
  readonly seq: number
  /** Name of the event row, or of the posting's cause where no row made a call of it. */
  readonly event: string
  readonly atUs: number
  readonly movements: readonly Movement[]
  readonly call: VaultCall | null
}

/** Amounts, or holders, that should be equal. */
export interface Difference {
  readonly place: Place
  readonly what: 'balance' | 'pot' | 'escrow' | 'holder' | 'fees' | 'tokens' | 'token account' | 'wallet'
  readonly ofChain: bigint
  readonly ofLedger: bigint
}

/** Chain and ledger differ: the first difference, the row that caused it and both sides' entries. */
export class SettlementDifference extends SettlementFailure {
  override name = 'SettlementDifference'
  readonly difference: Difference
  /** Rows that it may come from, in their order: more than one where a second moved the same money more than once. */
  readonly causes: readonly Cause[]

  constructor(
    names: { readonly chain: string; readonly service: string }, difference: Difference, causes: readonly Cause[], occasion: string,
  ) {
    const { place, what, ofChain, ofLedger } = difference
    const unit = what === 'holder' ? '' : ' microUSDC'
    super([
      `${names.chain} and the ${names.service} ledger differ in the ${what} of ${placeName(place)}: `
        + `chain ${ofChain}${unit}, ledger ${ofLedger}${unit}`,
      `  found ${occasion}`,
      ...causes.flatMap(linesOf),
    ].join('\n'), {
      chain: names.chain, service: names.service, place, what, ofChain: String(ofChain), ofLedger: String(ofLedger),
      found: occasion,
      causes: causes.map(({ seq, event, atUs, movements, call }) => (
        { seq, event, at: isoOfTimeUs(atUs), postings: movements.map(movementText), call: call === null ? null : callText(call) }
      )),
    })
    this.difference = difference
    this.causes = causes
  }
}

/** A vault refused a call that it had to take. */
export class CallRefused extends SettlementFailure {
  override name = 'CallRefused'
  readonly call: VaultCall
  readonly reason: string

  constructor(chain: string, call: VaultCall, reason: string) {
    super(`${chain} refused ${calledAt(call)}: ${reason}`, { chain, seq: call.seq, call: callText(call), reason })
    this.call = call
    this.reason = reason
  }
}

/** A call has been sent again and again, and never landed. */
export class ChainStalled extends SettlementFailure {
  override name = 'ChainStalled'

  constructor(chain: string, call: VaultCall, rounds: number) {
    super(`${chain} has not taken ${calledAt(call)} in ${rounds} rounds of sending`, { chain, seq: call.seq, call: callText(call), rounds })
  }
}

/** The rows of a step that moved, or should have moved, money of a place; null: of any. */
export function causesOf(step: SettlementStep, place: Place | null): Cause[] {
  const causes: Cause[] = []
  let movements: Movement[] = []
  for (const entry of step.entries) {
    if (entry.kind === 'posting') movements.push(entry.movement)
    if (entry.kind !== 'call' && entry.kind !== 'failed') continue
    const [call, { seq, atUs }] = entry.kind === 'call' ? [entry.call, entry.call] : [null, entry]
    if (place === null || (call !== null && isNamed(call, place)) || movements.some((movement) => moves(movement, place))) {
      causes.push({ seq, event: entry.event, atUs, movements, call })
    }
    movements = []
  }
  for (const movement of movements.filter((one) => place === null || moves(one, place))) {
    causes.push({ seq: movement.seq, event: POSTING_CAUSE_NAMES[movement.cause]!, atUs: movement.atUs, movements: [movement], call: null })
  }
  return causes
}

function isNamed(call: VaultCall, place: Place): boolean {
  switch (place.kind) {
    case 'account': return accountsOf(call).includes(place.number)
    case 'position': return positionOf(call) === place.number
    default: return false
  }
}

function placeName(place: Place): string {
  if ('number' in place) return `${place.kind === 'wallet' ? 'account' : place.kind} ${place.number}`
  return place.kind === 'house' ? 'the house' : 'the vault'
}

const linesOf = ({ seq, event, atUs, movements, call }: Cause): string[] => [
  `  after ${event} (row ${seq}, ${isoOfTimeUs(atUs)})`,
  ...movements.map((movement) => `    ledger: ${movementText(movement)}`),
  `    chain:  ${call === null ? 'was told nothing' : callText(call)}`,
]

function movementText({ seq, cause, debitKind, debitOwner, creditKind, creditOwner, amountMicros }: Movement): string {
  const side = (kind: number, owner: number): string => ACCOUNT_KIND_NAMES[kind]! + (owner < 0 ? '' : ` ${owner}`)
  const from = side(debitKind, debitOwner)
  return `${POSTING_CAUSE_NAMES[cause]!} ${amountMicros} microUSDC from ${from} to ${side(creditKind, creditOwner)} (row ${seq})`
}

const calledAt = (call: VaultCall): string => `${callText(call)} (row ${call.seq}, ${isoOfTimeUs(call.atUs)})`

/** A call with its terms, without what is signed for it. */
function callText(call: VaultCall): string {
  const terms = Object.entries(call).filter(([key]) => key !== 'kind' && key !== 'seq' && key !== 'atUs' && key !== 'signed')
  return `${call.kind} ${terms.map(([key, value]) => `${key} ${String(value)}`).join(', ')}`
}
