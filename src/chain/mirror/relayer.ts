import { setTimeout } from 'node:timers/promises'
import { assert } from '../../unit/assert.ts'
import type { AdmittedAccount, Bundle, BundleStatus, ChainFaultPort, SettlementChain } from '../settlementChain.ts'
import type { VaultCall } from '../vaultCall.ts'
import type { ChainFaultPlan, SendFault } from './chainFaultPlan.ts'
import { CallRefused, ChainStalled } from './settlementDifference.ts'
import { type Refusal, CallStage } from './callStage.ts'

/** Counts of what was needed to bring the calls to the chain. */
export interface RelayerCounts {
  /** Seconds that moved money, and calls that have landed. */
  batches: number
  calls: number
  /** Bundles that were sent again as the same bytes, or signed anew. */
  resent: number
  signedAnew: number
  /** Calls that the vault refused since they had landed before. */
  doneBefore: number
  reorganisations: number
  /** Batches that those undid and the relayer brought back. */
  undone: number
  sponsorOutages: number
  unfunded: number
}

/** What a simulated second sends. */
export interface CallBatch {
  readonly atS: number
  readonly calls: readonly VaultCall[]
  readonly admitted: readonly AdmittedAccount[]
}

/** A batch that a reorganisation may undo. */
interface UndoableBatch {
  readonly atS: number
  readonly stages: CallStage[]
}

/** Faults are played on a bundle in this many rounds of sending at most, so that no share of faults stalls it. */
const FAULTY_ROUNDS = 8
/** Rounds of sending without a landing call, after which our own chain is given up. It answers at once. */
const FRUITLESS_ROUNDS = 32
/** Rounds before a chain that is not ours is given up, however long one takes: a machine that is busy elsewhere may take all of the patience for one. */
const FRUITLESS_ROUNDS_MIN = 3
/** The wait between rounds of sending to a chain that is not ours. */
const WAIT_MS = 500

/** How patient the relayer is with a chain that is not ours. */
export interface RelayerPatience {
  /** How long no call may land until the chain is given up, after three rounds of sending at least; the chain's own patience unless told. */
  readonly fruitlessMs: number
  readonly waitMs: number
}

export interface RelayerOptions {
  readonly patience?: RelayerPatience
  /** Ends what is under way, which then rejects. */
  readonly signal?: AbortSignal
}

/** How a bundle is sent. */
interface Sending {
  readonly isFaulty: boolean
  /** A refusal may come from a fault: sponsor or wallets have no money. */
  readonly mayRefuse: boolean
  /** Whether the bundle was on the chain, which has undone it and later ones. */
  readonly isUndone: boolean
}

/**
 * Brings calls to a chain, each at least once, and those on one position in their order. The vault makes sure that each takes effect
 * once. Absent bundles are sent again, bundles that can no longer land are signed anew, and calls that had landed before count as landed.
 */
export class Relayer {
  readonly counts: RelayerCounts = {
    batches: 0, calls: 0, resent: 0, signedAnew: 0, doneBefore: 0, reorganisations: 0, undone: 0, sponsorOutages: 0, unfunded: 0,
  }
  private readonly chain: SettlementChain
  private readonly plan: ChainFaultPlan | null
  private readonly port: ChainFaultPort | null
  private readonly patience: RelayerPatience
  private readonly signal: AbortSignal | undefined
  /** Brings the chain back to before the first of `undoable`. */
  private undo: (() => Promise<void>) | null = null
  private undoable: UndoableBatch[] = []
  /** Bundles that the batch has sent so far. */
  private sends = 0

  constructor(chain: SettlementChain, plan: ChainFaultPlan | null, { patience = { fruitlessMs: chain.patienceMs, waitMs: WAIT_MS }, signal }: RelayerOptions = {}) {
    assert(plan === null || chain.faults !== null, 'faults are played on a chain of our own only')
    this.chain = chain
    this.plan = plan
    this.port = plan === null ? null : chain.faults
    this.patience = patience
    this.signal = signal
  }

  /** Returns when all calls have landed. True: the chain undid batches, which have landed again. Throws CallRefused, ChainStalled. */
  async send({ atS, calls, admitted }: CallBatch): Promise<boolean> {
    const { chain, plan, counts } = this
    const number = counts.batches++
    this.sends = 0
    await chain.advance(atS)
    const stages = stagesOf(calls)
    const batch: UndoableBatch = { atS, stages: [] }
    if (admitted.length > 0) {
      if (plan?.fundingFails(number) === true) batch.stages.push(await this.sendUnfunded(admitted, stages.shift() ?? [], number))
      else await chain.admit(admitted)
    }
    // A reorganisation undoes calls. Admitted accounts stay admitted.
    if (plan?.undoesFrom(number) === true || (this.undo !== null && admitted.length > 0)) {
      this.undo = await this.port!.checkpoint()
      this.undoable = []
    }
    for (const stage of batch.stages) await this.land(stage, number, false)
    for (const stage of stages) {
      batch.stages.push(await this.stageOf(stage))
      await this.land(batch.stages.at(-1)!, number, false)
    }
    counts.calls += calls.length
    if (this.undo !== null) this.undoable.push(batch)
    return this.reorganise(number)
  }

  /** The wallets get their money too late: calls that need it are refused at first, and wait. */
  private async sendUnfunded(admitted: readonly AdmittedAccount[], calls: readonly VaultCall[], number: number): Promise<CallStage> {
    this.counts.unfunded++
    await this.chain.admit(admitted.map((account) => ({ ...account, fundsMicros: 0 })))
    const stage = await this.stageOf(calls)
    await this.round(stage, number, { isFaulty: false, mayRefuse: true, isUndone: false })
    await this.chain.admit(admitted)
    return new CallStage(stage.missing, stage.open, false)
  }

  private async reorganise(number: number): Promise<boolean> {
    const { chain, undo, undoable, counts } = this
    if (undo === null || this.plan!.undoneAfter(number) === 0) return false
    counts.reorganisations++
    counts.undone += undoable.length
    this.undo = null
    this.undoable = []
    await undo()
    for (const batch of undoable) {
      await chain.advance(batch.atS)
      for (const { sent } of batch.stages) await this.land(new CallStage([...sent].flatMap(({ calls }) => calls), [...sent], false), number, true)
    }
    return true
  }

  private async stageOf(calls: readonly VaultCall[]): Promise<CallStage> {
    const open = calls.length === 0 ? [] : await this.chain.prepare(calls)
    return new CallStage(calls, open, this.chain.landsInOrder)
  }

  /** Sends until all calls of the stage have landed. */
  private async land(stage: CallStage, batch: number, isUndone: boolean): Promise<void> {
    const isOurs = this.chain.faults !== null
    const { fruitlessMs, waitMs } = this.patience
    let [fruitless, missing, landedMs] = [0, stage.missing.size, performance.now()]
    for (let i = 0; stage.open.length > 0; i++) {
      const isOver = isOurs ? fruitless === FRUITLESS_ROUNDS : fruitless >= FRUITLESS_ROUNDS_MIN && performance.now() - landedMs >= fruitlessMs
      if (isOver) throw this.refused(stage.firstIfRefused()) ?? new ChainStalled(this.chain.name, stage.open[0]!.calls[0]!, fruitless)
      if (i > 0 && !isOurs) await setTimeout(waitMs, undefined, { signal: this.signal })
      this.signal?.throwIfAborted()
      const outage = i === 0 && this.isFirstOf(batch) && this.plan?.sponsorFails(batch) === true
      if (outage) await this.setSponsor(false)
      await this.round(stage, batch, { isFaulty: i < FAULTY_ROUNDS, mayRefuse: outage, isUndone })
      if (outage) await this.setSponsor(true)
      fruitless++
      if (stage.missing.size === missing) continue
      ;[fruitless, missing, landedMs] = [0, stage.missing.size, performance.now()]
    }
    assert(stage.missing.size === 0, 'a stage has landed when all its calls have')
  }

  /** Sends what is open once. Absent bundles stay open. Missing calls that are in no absent bundle are signed anew. */
  private async round(stage: CallStage, batch: number, { isFaulty, mayRefuse, isUndone }: Sending): Promise<void> {
    const { chain, plan, counts } = this
    const { open, missing } = stage
    const faults = open.map((): SendFault => (plan === null || !isFaulty ? 'none' : plan.ofSend(batch, this.sends++)))
    await this.broadcast(open, faults)
    const statuses = (await chain.statuses(open)).map((status, i) => heard(status, faults[i]!, isUndone))
    counts.doneBefore += statuses.filter((status) => status.state === 'refused' && status.done).length
    const { doubtful, finalRefusal } = stage.hear(statuses, mayRefuse)
    const refused = this.refused(finalRefusal)
    if (refused !== null) throw refused
    const absent = open.filter((_, i) => statuses[i]!.state === 'absent')
    counts.resent += absent.length
    const onTheWay = new Set(absent.flatMap(({ calls }) => calls))
    const lost = [...missing].filter((call) => !onTheWay.has(call))
    const anew = await this.signed(lost, doubtful)
    counts.signedAnew += anew.length
    for (const bundle of anew) stage.sent.add(bundle)
    stage.open = [...absent, ...anew]
  }

  /**
   * Sends bundles in order. For a refused bundle the chain names only one call. Those after it may have landed before, or may land without
   * it. Sent one by one, all of them are known a round later.
   */
  private async signed(calls: readonly VaultCall[], doubtful: ReadonlySet<VaultCall>): Promise<Bundle[]> {
    const bundles: Bundle[] = []
    for (let from = 0, to = 1; from < calls.length; from = to, to = from + 1) {
      if (!doubtful.has(calls[from]!)) while (to < calls.length && !doubtful.has(calls[to]!)) to++
      bundles.push(...await this.chain.prepare(calls.slice(from, to)))
    }
    return bundles
  }

  /** Sends bundles in order. Bundles that are to be dropped are handed over while the chain drops. */
  private async broadcast(bundles: readonly Bundle[], faults: readonly SendFault[]): Promise<void> {
    for (let from = 0, to = 1; from < bundles.length; from = to, to = from + 1) {
      const isDropped = faults[from] === 'dropped'
      while (to < bundles.length && (faults[to] === 'dropped') === isDropped) to++
      if (isDropped) this.port!.drop(true)
      await this.chain.broadcast(bundles.slice(from, to))
      if (isDropped) this.port!.drop(false)
    }
  }

  private refused(refusal: Refusal | null): CallRefused | null {
    return refusal === null ? null : new CallRefused(this.chain.name, refusal.call, refusal.reason)
  }

  private isFirstOf(batch: number): boolean {
    return batch === this.counts.batches - 1 && this.sends === 0
  }

  private async setSponsor(funded: boolean): Promise<void> {
    if (!funded) this.counts.sponsorOutages++
    await this.port!.sponsor(funded)
  }
}

/**
 * The chain's answer, as far as it reaches the relayer. A bundle that the chain has undone is not signed anew because an answer is
 * missing: where bundles land in the order of their signing, later ones would come first.
 */
function heard(status: BundleStatus, fault: SendFault, isUndone: boolean): BundleStatus {
  if (status.state !== 'final' || fault === 'none') return status
  return { state: fault === 'unconfirmedSignedAnew' && !isUndone ? 'expired' : 'absent' }
}

/**
 * Calls in stages. Each stage lands before the next is sent, and has at most one call for each position or reduction, because their calls
 * would mean something else in another order.
 */
export function stagesOf(calls: readonly VaultCall[]): VaultCall[][] {
  const stages: VaultCall[][] = []
  let subjects = new Set<string>()
  for (const call of calls) {
    const subject = 'position' in call ? `position ${call.position}` : 'reduction' in call ? `reduction ${call.reduction}` : null
    if (stages.length === 0 || (subject !== null && subjects.has(subject))) {
      stages.push([])
      subjects = new Set()
    }
    if (subject !== null) subjects.add(subject)
    stages.at(-1)!.push(call)
  }
  return stages
}
