import type { AwaitedSink, Batch } from '../../record/sink.ts'
import type { SettlementChain } from '../settlementChain.ts'
import { Admissions, PLENTY_MICROS } from './admissions.ts'
import { ChainBook } from './chainBook.ts'
import type { ChainFaultPlan } from './chainFaultPlan.ts'
import { Relayer } from './relayer.ts'
import { Reconciler } from './reconciler.ts'
import { count, emptyCounts, type MirrorSummary, type PositionCounts } from './mirrorSummary.ts'
import type { ServiceReader } from './serviceReader.ts'
import { callsOf, type SettlementStep } from './settlementStep.ts'
import { StepReader } from './stepReader.ts'

/** Calls that were read off rows, and those that have landed. */
export interface MirrorProgress {
  readonly read: number
  readonly landed: number
}

export interface MirrorOptions {
  readonly service: 'parlay' | 'outcome'
  readonly reader: ServiceReader
  /** The sink closes it, at the end and when the session is given up. */
  readonly chain: SettlementChain
  /** Faults to play, null for none. */
  readonly faults: ChainFaultPlan | null
  readonly onProgress?: ((progress: MirrorProgress) => void) | undefined
}

/** The time that a chain gets to answer open requests when the session is given up. */
const LEAVING_MS = 1000

/**
 * Settles a service's money on a chain while its session is played, second by second, and stops the run at the first difference between
 * chain and ledger (SettlementDifference, CallRefused, ChainStalled). Rows are read when they are flushed, and the chain works until
 * `settled`. Nothing of the chain goes back into the session.
 */
export class MirrorSink implements AwaitedSink {
  private readonly options: MirrorOptions
  private readonly steps: StepReader
  private readonly book = new ChainBook()
  private readonly admissions: Admissions
  private readonly relayer: Relayer
  private readonly reconciler: Reconciler
  private readonly positions: PositionCounts = emptyCounts()
  private callsRead = 0
  private working: Promise<void> = Promise.resolve()
  private failure: { readonly error: unknown } | null = null
  private readonly abortion = new AbortController()
  private isClosing = false

  constructor(options: MirrorOptions) {
    const { service, reader, chain, faults } = options
    this.options = options
    this.steps = new StepReader(service, reader)
    // Nothing that is given later can be undone.
    this.admissions = new Admissions((account) => reader.quoteSignerOf(account), faults?.hasReorganisations === true ? PLENTY_MICROS : 0)
    this.relayer = new Relayer(chain, faults, { signal: this.abortion.signal })
    this.reconciler = new Reconciler(chain, service, this.book, this.admissions)
  }

  flush(batch: Batch): void {
    this.mirror(this.steps.read(batch))
  }

  finish(): void {
    this.mirror(this.steps.finish())
    this.work(async () => {
      await this.reconciler.checkAll(null, 'at the end')
      await this.reconciler.checkWallets('at the end')
    })
    this.close()
  }

  abort(): void {
    this.abortion.abort()
    this.close()
  }

  async settled(): Promise<void> {
    await this.working
    if (this.failure !== null && !this.abortion.signal.aborted) throw this.failure.error
  }

  /** What has been reconciled so far. */
  summary(): MirrorSummary {
    const { service, chain } = this.options
    return {
      service, chain: chain.name, positions: { ...this.positions }, open: this.book.openPositions().length,
      accounts: this.book.accounts().length, recovery: { ...this.relayer.counts }, pending: this.book.pending().length,
    }
  }

  private mirror(steps: readonly SettlementStep[]): void {
    if (steps.length === 0) return
    for (const step of steps) this.callsRead += callsOf(step).length
    this.work(async () => {
      for (const step of steps) {
        if (this.abortion.signal.aborted) return
        await this.settle(step)
      }
    })
  }

  private async settle(step: SettlementStep): Promise<void> {
    const { book, relayer, reconciler } = this
    const touched = book.take(step)
    if (touched.accounts.size === 0 && touched.positions.size === 0) return
    const calls = callsOf(step)
    for (const call of calls) count(this.positions, call)
    const admitted = this.admissions.needed(calls, touched.accounts)
    const wasUndone = await relayer.send({ atS: step.atS, calls, admitted })
    if (wasUndone) await reconciler.checkAll(step, 'after a reorganisation')
    else await reconciler.check(step, touched)
    this.options.onProgress?.({ read: this.callsRead, landed: relayer.counts.calls })
  }

  /** Does a task after those that are under way, and none once a task has failed. */
  private work(task: () => Promise<void>): void {
    this.working = this.working.then(async () => {
      if (this.failure !== null || this.abortion.signal.aborted) return
      try {
        await this.unlessLeft(task())
      } catch (error) {
        this.failure = { error }
      }
    })
  }

  /** When the session is given up, work under way may finish its present step. A chain that does not answer is not waited for. */
  private async unlessLeft(task: Promise<void>): Promise<void> {
    const { signal } = this.abortion
    let timer: NodeJS.Timeout | undefined
    let onAbort = (): void => {}
    const left = new Promise<void>((resolve) => { onAbort = () => { timer = setTimeout(resolve, LEAVING_MS) } })
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await Promise.race([task, left])
    } finally {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    }
  }

  private close(): void {
    if (this.isClosing) return
    this.isClosing = true
    this.working = this.working.then(async () => {
      try {
        await this.options.chain.close()
      } catch (error) {
        this.failure ??= { error }
      }
    })
  }
}
