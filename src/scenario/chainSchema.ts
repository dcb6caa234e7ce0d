import { z } from 'zod'
import type { ChainFaults } from '../chain/mirror/chainFaultPlan.ts'
import { isHttpUrl } from '../unit/httpUrl.ts'
import type { SERVICE_NAMES } from '../unit/services.ts'
import type { Fail } from './mistakes.ts'
import { oneOf, quantity, strict } from './settings.ts'
import { shown } from './units.ts'
import { share, text } from './fields.ts'

type ServiceName = (typeof SERVICE_NAMES)[number]

export const CHAIN_NAMES = ['svm', 'evm'] as const
export type ChainName = (typeof CHAIN_NAMES)[number]

/** Values of `chain` and `--chain`. */
export const CHAIN_CHOICES = [...CHAIN_NAMES, 'both', 'none'] as const
export type ChainChoice = (typeof CHAIN_CHOICES)[number]

/** The service whose money each chain holds. */
export const SERVICE_OF_CHAIN = { svm: 'parlay', evm: 'outcome' } as const satisfies Record<ChainName, ServiceName>

/** The chains on which the money of a run is settled, besides its ledgers. They have no influence on the run's rows. */
export interface ChainSettings {
  readonly chains: readonly ChainName[]
  /** JSON-RPC of chains that run already. A chain without one is started. */
  readonly rpc: Readonly<Partial<Record<ChainName, string>>>
  /** The most calls in a transaction. Null for as many as the chain takes. */
  readonly callsPerBundle: number | null
  /** Faults of the chains that are started, null for none. */
  readonly faults: ChainFaults | null
}

export const NO_CHAIN: ChainSettings = { chains: [], rpc: {}, callsPerBundle: null, faults: null }

export const chainsOf = (choice: ChainChoice): readonly ChainName[] =>
  (choice === 'none' ? [] : choice === 'both' ? CHAIN_NAMES : [choice])

const url = text.refine(isHttpUrl, { error: (issue) => `expected a URL such as http://127.0.0.1:8545, got ${shown(issue.input)}` })
const batches = quantity('count', 1, 1e6)

const faults = strict({
  dropped: share.prefault(0).describe('share of the transactions sent that never land'),
  unconfirmed: share.prefault(0).describe('share of the transactions that land, but whose answer is lost, so that they are sent again'),
  reorganisations: strict({
    every: batches.describe('a batch is what one simulated second sends'), depth: batches.describe('batches that are undone'),
  }).optional().describe('the chain undoes batches that it had taken'),
  sponsorOutages: batches.optional().describe('one batch in this many finds the sponsor of network fees without money'),
  unfunded: share.prefault(0).describe('share of the batches with deposits in which wallets get their USDC too late'),
}).transform(({ dropped, unconfirmed, reorganisations, sponsorOutages, unfunded }, context): ChainFaults => {
  if (reorganisations !== undefined && reorganisations.depth > reorganisations.every) {
    context.addIssue({ code: 'custom', path: ['reorganisations', 'depth'], message: 'is above `every`: one reorganisation would undo what another has undone' })
  }
  return {
    droppedShare: dropped, unconfirmedShare: unconfirmed, unfundedShare: unfunded, sponsorOutageEveryBatches: sponsorOutages ?? 0,
    reorganisations: reorganisations === undefined ? null : { everyBatches: reorganisations.every, depthBatches: reorganisations.depth },
  }
})

const mapping = strict({
  on: oneOf(CHAIN_CHOICES),
  rpc: strict({ svm: url.optional(), evm: url.optional() }).prefault({}).describe('JSON-RPC URL of a chain that runs already'),
  batch: quantity('count', 1, 1000).optional().describe('most calls in a transaction; default: as many as the chain takes'),
  faults: faults.optional().describe('faults of a chain that parlor starts, and on the way to it'),
})

/** `chain: both`, or a map with more to say. */
export const chain = z.union([z.string(), z.looseObject({})], { error: (issue) => `expected ${CHAIN_CHOICES.join(' or ')}, or {on, rpc, batch, faults}, got ${shown(issue.input)}` })
  .transform((input, context): ChainSettings => {
    const isShort = typeof input === 'string'
    const parsed = mapping.safeParse(isShort ? { on: input } : input, { reportInput: true })
    if (parsed.success) {
      const { on, rpc, batch, faults: played } = parsed.data
      const urls = Object.fromEntries(Object.entries(rpc).filter(([, value]) => value !== undefined))
      return { chains: chainsOf(on), rpc: urls, callsPerBundle: batch ?? null, faults: played ?? null }
    }
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, path: isShort ? [] : issue.path } as z.core.$ZodRawIssue)
    return z.NEVER
  })

/** Refuses a chain without its service, settings of a chain that is not used, and faults of a chain that runs already. */
export function checkChain(
  { chain: { chains, rpc, callsPerBundle, faults: played }, services }: { readonly chain: ChainSettings; readonly services: Readonly<Partial<Record<ServiceName, object | undefined>>> },
  fail: Fail,
): void {
  const there = CHAIN_NAMES.filter((name) => services[SERVICE_OF_CHAIN[name]] !== undefined)
  for (const name of chains) {
    if (there.includes(name)) continue
    fail(['chain'], `${name} settles the ${SERVICE_OF_CHAIN[name]} service, which the scenario does not have`, { hint: `expected ${there.join(' or ')}` })
  }
  for (const [key, value] of [['batch', callsPerBundle], ['faults', played]] as const) {
    if (value !== null && chains.length === 0) fail(['chain', key], 'belongs to a chain, and the run is settled on none', { hint: `expected on: ${there.join(' or ')}` })
  }
  for (const name of CHAIN_NAMES) {
    if (rpc[name] === undefined) continue
    if (!chains.includes(name)) fail(['chain', 'rpc', name], 'is the URL of a chain on which the run is not settled', { hint: `expected on: ${name}, or both` })
    else if (played !== null) fail(['chain', 'faults'], 'faults are possible only on chains that parlor starts', { hint: `expected no rpc.${name} beside them` })
  }
}
