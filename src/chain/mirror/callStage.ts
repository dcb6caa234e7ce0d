import type { Bundle, BundleStatus } from '../settlementChain.ts'
import type { VaultCall } from '../vaultCall.ts'

type Refused = Extract<BundleStatus, { readonly state: 'refused' }>

/** Whether it refuses a call that had not landed before. */
const isNo = (status: BundleStatus): status is Refused => status.state === 'refused' && !status.done

/** A call that the vault does not take, and its reason. */
export interface Refusal {
  readonly call: VaultCall
  readonly reason: string
}

/** What a round of sending tells. */
export interface RoundResult {
  /** Calls of refused bundles. The chain names only one call of a bundle. Those after it may have landed before, or may land without it. */
  readonly doubtful: ReadonlySet<VaultCall>
  /** What the vault refuses for good, after all that was heard so far. */
  readonly finalRefusal: Refusal | null
}

/** Calls that are sent together, at most one for each position, and what is known about their landing. */
export class CallStage {
  /** The calls that are not known to have landed, in their order. */
  readonly missing: Set<VaultCall>
  /** What is to be sent next. */
  open: readonly Bundle[]
  /** All that was sent, in the order of signing. */
  readonly sent: Set<Bundle>
  /** Whether the calls that have landed did so in their order. */
  private isInOrder: boolean
  /** Why the vault refused each of these calls, sent alone, since the last call landed. */
  private readonly reasons = new Map<VaultCall, string>()

  constructor(calls: Iterable<VaultCall>, open: readonly Bundle[], isInOrder: boolean) {
    this.missing = new Set(calls)
    this.open = open
    this.sent = new Set(open)
    this.isInOrder = isInOrder
  }

  /** Takes the outcomes of the open bundles. Where money comes later (`mayRefuse`), a refusal tells nothing. */
  hear(statuses: readonly BundleStatus[], mayRefuse: boolean): RoundResult {
    const { missing, open, reasons } = this
    const before = missing.size
    const doubtful = new Set<VaultCall>()
    for (const [i, status] of statuses.entries()) {
      const { calls } = open[i]!
      if (status.state === 'final') for (const call of calls) missing.delete(call)
      if (status.state !== 'refused') continue
      if (status.done) missing.delete(calls[status.call]!)
      if (status.done || !mayRefuse) for (const call of calls) doubtful.add(call)
      if (!status.done && !mayRefuse && calls.length === 1) reasons.set(calls[0]!, status.reason)
    }
    // A call that landed may bring the money that others lacked.
    if (missing.size < before) reasons.clear()
    const finalRefusal = this.wordOf(statuses, mayRefuse)
    if (statuses.some(({ state }) => state !== 'final')) this.isInOrder = false
    return { doubtful, finalRefusal }
  }

  /**
   * When all calls landed in order, the first that did not land is refused for good. Otherwise it may lack money that a lost call brings,
   * because a later call has taken what there was. Then it is refused for good only when the vault takes none of the missing calls.
   */
  private wordOf(statuses: readonly BundleStatus[], mayRefuse: boolean): Refusal | null {
    if (!this.isInOrder) return [...this.missing].every((call) => this.reasons.has(call)) ? this.firstIfRefused() : null
    const first = statuses.findIndex(({ state }) => state !== 'final')
    const status = statuses[first]
    return status !== undefined && isNo(status) && !mayRefuse ? { call: this.open[first]!.calls[status.call]!, reason: status.reason } : null
  }

  /** The first of the missing, if the vault refused it since the last call landed. */
  firstIfRefused(): Refusal | null {
    const [call] = this.missing
    const reason = call === undefined ? undefined : this.reasons.get(call)
    return reason === undefined ? null : { call: call!, reason }
  }
}
