import type { ChainFaultPlan } from '../chain/mirror/chainFaultPlan.ts'
import type { MirrorProgress, MirrorSink } from '../chain/mirror/mirrorSink.ts'
import type { MirrorSummary } from '../chain/mirror/mirrorSummary.ts'
import type { ServiceReader } from '../chain/mirror/serviceReader.ts'
import type { SettlementChain } from '../chain/settlementChain.ts'
import type { FundedWallets } from '../chain/svm/genesisAccounts.ts'
import { Draws, Purpose, rootKey } from '../kernel/random.ts'
import type { AwaitedSink } from '../record/sink.ts'
import { MS_US, SECOND_US } from '../unit/time.ts'
import { CHAIN_NAMES, type ChainName, type ChainSettings, SERVICE_OF_CHAIN } from './chainSchema.ts'
import { unlessInterrupted } from './play.ts'
import { Interrupted } from '../unit/interrupted.ts'
import type { ResolvedOutcome, ResolvedParlay, ResolvedScenario } from './resolved.ts'

/** Where a run's folder says what chains held. */

/** What a chain held at the end of a run, which is what the ledger has. The same for the same run, on any machine. */
export interface ChainSettlement extends Omit<MirrorSummary, 'recovery'> {
  readonly differences: 0
  /** What it took; null of a chain that keeps its own time, where it depends on more than the run. */
  readonly recovery: MirrorSummary['recovery'] | null
}

export interface Settlement {
  readonly version: 1
  readonly chains: readonly ChainSettlement[]
}

/** A step of a chain takes some milliseconds, and telling of it takes one. */
const PROGRESS_MS = 50

/** How far the chains are, all together. */
export type SettlingProgress = MirrorProgress

/** The chains of a run, each fed by a sink of the session. */
export interface Mirrors {
  readonly sinks: readonly AwaitedSink[]
  /** After the sinks have finished. */
  settlement(): Settlement
  /** A line or two for people about each chain. */
  lines(): string[]
  /** Lets go of chains whose session is not played to its end. May be called again. */
  abort(): Promise<void>
}

interface Opened {
  readonly name: ChainName
  readonly sink: MirrorSink
}

/**
 * Opens the chains that a run is settled on, with a vault for each. What drives chains is loaded here, and no earlier. Throws InputError
 * where a chain cannot be had, Interrupted by the signal.
 */
export async function openMirrors(
  resolved: ResolvedScenario, settings: ChainSettings, onProgress: (progress: SettlingProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<Mirrors> {
  const [{ MirrorSink }, { reconciledLine, recoveryLine }] = await Promise.all([
    import('../chain/mirror/mirrorSink.ts'), import('../chain/mirror/mirrorSummary.ts'),
  ])
  const opened: Opened[] = []
  const progress = new Map<ChainName, MirrorProgress>()
  let toldMs = -Infinity
  const tell = (name: ChainName, of: MirrorProgress): void => {
    const total = totalOf(progress.set(name, of))
    if (total.landed < total.read && performance.now() - toldMs < PROGRESS_MS) return
    toldMs = performance.now()
    onProgress(total)
  }
  const abort = async (): Promise<void> => {
    for (const { sink } of opened) sink.abort()
    await Promise.all(opened.map(({ sink }) => sink.settled()))
  }
  try {
    for (const name of settings.chains) {
      const opening = openChain(name, resolved, settings)
      const { chain, reader } = await unlessInterrupted(opening, signal).catch((error: unknown) => {
        // Opened in vain, when it is.
        if (error instanceof Interrupted) opening.then((late) => late.chain.close()).catch(() => {})
        throw error
      })
      opened.push({ name, sink: new MirrorSink({
        service: SERVICE_OF_CHAIN[name], reader, chain, faults: await faultPlanOf(name, resolved, settings),
        onProgress: (of) => { tell(name, of) },
      }) })
    }
  } catch (error) {
    await abort()
    throw error
  }
  return {
    sinks: opened.map(({ sink }) => sink),
    settlement: () => ({ version: 1, chains: opened.map(({ name, sink }) => settlementOf(sink.summary(), isOwn(name, settings))) }),
    lines: () => opened.flatMap(({ name, sink }) => {
      const summary = sink.summary()
      const recovery = recoveryLine(summary)
      return [`${name}  ${reconciledLine(summary)}`, ...(recovery === null ? [] : [`     ${recovery}`])]
    }),
    abort,
  }
}

function totalOf(progress: ReadonlyMap<ChainName, MirrorProgress>): SettlingProgress {
  let [read, landed] = [0, 0]
  for (const of of progress.values()) {
    read += of.read
    landed += of.landed
  }
  return { read, landed }
}

/** A chain that does what it is told, and when: not one by URL, and no validator. */
const isOwn = (name: ChainName, { rpc, start }: ChainSettings): boolean => rpc[name] === undefined && (name !== 'svm' || start === null)

const settlementOf = ({ recovery, ...summary }: MirrorSummary, isOurs: boolean): ChainSettlement =>
  ({ ...summary, differences: 0, recovery: isOurs ? recovery : null })

interface ReadChain {
  readonly chain: SettlementChain
  readonly reader: ServiceReader
}

const openChain = (name: ChainName, resolved: ResolvedScenario, settings: ChainSettings): Promise<ReadChain> =>
  (name === 'svm' ? openSvm(resolved, resolved.services.parlay!, settings) : openEvm(resolved, resolved.services.outcome!, settings))

const bundleSize = ({ callsPerBundle }: ChainSettings) => (callsPerBundle === null ? {} : { callsPerBundle })

async function openSvm(resolved: ResolvedScenario, { settings }: ResolvedParlay, chain: ChainSettings): Promise<ReadChain> {
  const { checkParts } = await import('../parts/parts.ts')
  checkParts('settlement on the chain svm', ['@solana/web3.js', ...(chain.rpc.svm === undefined && chain.start === null ? ['litesvm'] : [])])
  const [{ openSvmChain }, { ParlayReader }] = await Promise.all([import('../chain/svm/svmChain.ts'), import('../chain/mirror/parlayReader.ts')])
  const { profitFeeOnMaker, profitFeeOnTransfer } = settings
  return {
    chain: await openSvmChain({
      seed: resolved.seed, rpcUrl: chain.rpc.svm, start: chain.start === null ? undefined : fundedWallets(resolved), patienceMs: chain.patienceMs ?? undefined,
      profitFeeOnMaker: profitFeeOnMaker === 1, profitFeeOnTransfer: profitFeeOnTransfer === 1, ...bundleSize(chain),
    }),
    reader: new ParlayReader(settings),
  }
}

/** A wallet for each account number that the session may use, with as much as its richest participant deposits. */
export function fundedWallets({ bettors, makers }: Pick<ResolvedScenario, 'bettors' | 'makers'>): FundedWallets {
  const layOffs = makers.flatMap(({ layOff }) => layOff ?? [])
  // Bettors that bet with a maker's account have none of their own.
  const ownBettors = bettors.reduce((sum, cohort) => sum + (cohort.account === undefined ? cohort.bettors : 0), 0)
  const deposits = [...bettors.map(({ bankrollMicros }) => bankrollMicros), ...makers.map(({ capitalMicros }) => capitalMicros), ...layOffs.map(({ bankrollMicros }) => bankrollMicros)]
  return { count: ownBettors + makers.length + layOffs.length, micros: BigInt(deposits.reduce((most, micros) => Math.max(most, micros), 0)) }
}

async function openEvm({ seed, history }: ResolvedScenario, outcome: ResolvedOutcome, chain: ChainSettings): Promise<ReadChain> {
  const [{ anvilPackage }, { checkParts }] = await Promise.all([import('../chain/evm/anvilPackage.ts'), import('../parts/parts.ts')])
  const anvil = chain.rpc.evm === undefined ? anvilPackage() : null
  checkParts('settlement on the chain evm', ['secp256k1', ...(anvil === null ? [] : [anvil])])
  const [{ openEvmChain }, { OutcomeReader }] = await Promise.all([import('../chain/evm/evmChain.ts'), import('../chain/mirror/outcomeReader.ts')])
  const { settings } = outcome
  const reader = new OutcomeReader(seed, settings)
  return {
    chain: await openEvmChain({
      seed, identity: reader.identity, outcomeIdOf: reader.outcomeIdOf, genesisS: Math.floor(history.fromUs / SECOND_US), rpcUrl: chain.rpc.evm ?? null, patienceMs: chain.patienceMs ?? undefined,
      settings: {
        acceptDelayMax: BigInt(acceptDelayMaxS(outcome)), reductionDelay: BigInt(Math.floor((settings.reductionDelayMs * MS_US) / SECOND_US)),
        feeOnCashout: settings.feeOnCashout === 1, profitOverGross: settings.profitOverGross === 1,
      },
      ...bundleSize(chain),
    }),
    reader,
  }
}

/** The longest from an acceptance to its trade on the chain: the maker's last look, the operation, and stalls that put it off; in seconds. */
function acceptDelayMaxS({ settings: { confirmMs, operationMs }, faults = [] }: ResolvedOutcome): number {
  const stalledUs = faults.reduce((sum, { fault, fromUs, untilUs }) => sum + (fault === 'chainStalled' ? untilUs - fromUs : 0), 0)
  // A step that is put off comes a second or an operation later; rounding to seconds costs another.
  return Math.ceil((stalledUs + (confirmMs + 2 * operationMs) * MS_US) / SECOND_US) + 2
}

/** Faults are drawn by the scenario's seed, apart for each chain. */
async function faultPlanOf(name: ChainName, { seed }: ResolvedScenario, { faults }: ChainSettings): Promise<ChainFaultPlan | null> {
  if (faults === null) return null
  const { ChainFaultPlan: Plan } = await import('../chain/mirror/chainFaultPlan.ts')
  const draws = new Draws(rootKey(seed), Purpose.chainFaults)
  const number = CHAIN_NAMES.indexOf(name)
  return new Plan(faults, (batch, index) => draws.uniform(batch * CHAIN_NAMES.length + number, index))
}
