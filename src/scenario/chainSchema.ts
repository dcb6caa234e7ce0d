import { z } from 'zod'
import type { ChainFaults } from '../chain/mirror/chainFaultPlan.ts'
import { isHttpUrl } from '../unit/httpUrl.ts'
import type { SERVICE_NAMES } from '../unit/services.ts'
import { MS_US, SECOND_US } from '../unit/time.ts'
import type { Fail } from './mistakes.ts'
import { oneOf, quantity, strict } from './settings.ts'
import { shown } from './units.ts'
import { share, text } from './fields.ts'

type ServiceName = (typeof SERVICE_NAMES)[number]

export const CHAIN_NAMES = ['svm', 'evm'] as const
export type ChainName = (typeof CHAIN_NAMES)[number]

/** What `chain` and `--chain` may say. */
export const CHAIN_CHOICES = [...CHAIN_NAMES, 'both', 'none'] as const
export type ChainChoice = (typeof CHAIN_CHOICES)[number]

/** Which service's money a chain holds. */
export const SERVICE_OF_CHAIN = { svm: 'parlay', evm: 'outcome' } as const satisfies Record<ChainName, ServiceName>

/** What `chain.start` may say: executables of validators that are looked for on PATH. */
export const STARTED_VALIDATORS = ['solana-test-validator'] as const
export type StartedValidator = (typeof STARTED_VALIDATORS)[number]
/** The chain that such a validator makes. */
const STARTED_CHAIN = 'svm'

/** Where the money of a run is settled besides its ledgers. No part of what its rows are a function of. */
export interface ChainSettings {
  readonly chains: readonly ChainName[]
  /** JSON-RPC of a chain that runs already; a chain without one is started. */
  readonly rpc: Readonly<Partial<Record<ChainName, string>>>
  /** What is started as the chain of the parlay service; null: Solana's VM inside the process. */
  readonly start: StartedValidator | null
  /** How long a chain by URL may refuse, be silent or stand still before it is given up; null: 10 s. */
  readonly patienceMs: number | null
  /** Calls in a transaction at most; null: as many as the chain takes. */
  readonly callsPerBundle: number | null
  /** What happens to the chains that are started; null: nothing. */
  readonly faults: ChainFaults | null
}

export const NO_CHAIN: ChainSettings = { chains: [], rpc: {}, start: null, patienceMs: null, callsPerBundle: null, faults: null }

export const chainsOf = (choice: ChainChoice): readonly ChainName[] =>
  (choice === 'none' ? [] : choice === 'both' ? CHAIN_NAMES : [choice])

const url = text.refine(isHttpUrl, { error: (issue) => `expected a URL such as http://127.0.0.1:8545, got ${shown(issue.input)}` })
const batches = quantity('count', 1, 1e6)

const faults = strict({
  dropped: share.prefault(0).describe('share of the transactions sent that never land'),
  unconfirmed: share.prefault(0).describe('share of the transactions that land while their answer is lost: they are sent again'),
  reorganisations: strict({
    every: batches.describe('a batch is what one simulated second sends'), depth: batches.describe('batches that are undone'),
  }).optional().describe('the chain undoes what it had taken'),
  sponsorOutages: batches.optional().describe('in every n-th batch, the sponsor of network fees has no money left at first'),
  unfunded: share.prefault(0).describe('share of the batches with deposits in which wallets get their USDC too late'),
}).transform(({ dropped, unconfirmed, reorganisations, sponsorOutages, unfunded }, context): ChainFaults => {
  if (reorganisations !== undefined && reorganisations.depth > reorganisations.every) {
    context.addIssue({ code: 'custom', path: ['reorganisations', 'depth'], message: 'is above every: one reorganisation would undo what another has undone' })
  }
  return {
    droppedShare: dropped, unconfirmedShare: unconfirmed, unfundedShare: unfunded, sponsorOutageEveryBatches: sponsorOutages ?? 0,
    reorganisations: reorganisations === undefined ? null : { everyBatches: reorganisations.every, depthBatches: reorganisations.depth },
  }
})

const mapping = strict({
  on: oneOf(CHAIN_CHOICES),
  rpc: strict({ svm: url.optional(), evm: url.optional() }).prefault({}).describe('JSON-RPC of a chain that runs already'),
  start: oneOf(STARTED_VALIDATORS).optional().describe('settles the parlay service on a validator that is started for the run, instead of Solana\'s VM inside the process'),
  patience: quantity('duration', MS_US, 3600 * SECOND_US).optional().describe('how long a chain by URL may refuse, be silent or stand still before it is given up; default 10s'),
  batch: quantity('count', 1, 1000).optional().describe('calls in a transaction at most; default: as many as the chain takes'),
  faults: faults.optional().describe('what happens on the way to a chain of our own, and on it'),
})

/** `chain: both`, or a map with more to say. */
export const chain = z.union([z.string(), z.looseObject({})], { error: (issue) => `expected ${CHAIN_CHOICES.join(' or ')}, or {on, rpc, start, patience, batch, faults}, got ${shown(issue.input)}` })
  .transform((input, context): ChainSettings => {
    const isShort = typeof input === 'string'
    const parsed = mapping.safeParse(isShort ? { on: input } : input, { reportInput: true })
    if (parsed.success) {
      const { on, rpc, start, patience, batch, faults: played } = parsed.data
      const urls = Object.fromEntries(Object.entries(rpc).filter(([, value]) => value !== undefined))
      return {
        chains: chainsOf(on), rpc: urls, start: start ?? null, patienceMs: patience === undefined ? null : patience / MS_US,
        callsPerBundle: batch ?? null, faults: played ?? null,
      }
    }
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, path: isShort ? [] : issue.path } as z.core.$ZodRawIssue)
    return z.NEVER
  })

/** What does not fit: a chain without its service, a URL or more without a chain, two chains for one service, faults of a chain that is not ours. */
export function checkChain(
  { chain: { chains, rpc, start, patienceMs, callsPerBundle, faults: played }, services }: { readonly chain: ChainSettings; readonly services: Readonly<Partial<Record<ServiceName, object | undefined>>> },
  fail: Fail,
): void {
  const there = CHAIN_NAMES.filter((name) => services[SERVICE_OF_CHAIN[name]] !== undefined)
  for (const name of chains) {
    if (there.includes(name)) continue
    fail(['chain'], `${name} settles the ${SERVICE_OF_CHAIN[name]} service, which the scenario does not have`, { hint: `expected ${there.join(' or ')}` })
  }
  for (const [key, value] of [['batch', callsPerBundle], ['faults', played]] as const) {
    if (value !== null && chains.length === 0) fail(['chain', key], 'is of a chain that nothing is settled on', { hint: `expected on: ${there.join(' or ')}` })
  }
  if (patienceMs !== null && Object.keys(rpc).length === 0) fail(['chain', 'patience'], 'is had with chains by URL only', { hint: 'expected rpc beside it' })
  if (start !== null) {
    if (!chains.includes(STARTED_CHAIN)) fail(['chain', 'start'], `makes a chain that nothing is settled on`, { hint: `expected on: ${STARTED_CHAIN}, or both` })
    else if (rpc[STARTED_CHAIN] !== undefined) fail(['chain', 'start'], `a chain is started or runs already, not both`, { hint: `expected start or rpc.${STARTED_CHAIN}` })
    else if (played !== null) fail(['chain', 'faults'], 'a validator cannot be made to fail', { hint: 'expected no start beside them' })
  }
  for (const name of CHAIN_NAMES) {
    if (rpc[name] === undefined) continue
    if (!chains.includes(name)) fail(['chain', 'rpc', name], 'is the URL of a chain that nothing is settled on', { hint: `expected on: ${name}, or both` })
    else if (played !== null) fail(['chain', 'faults'], 'faults happen on chains of our own only', { hint: `expected no rpc.${name} beside them` })
  }
}
