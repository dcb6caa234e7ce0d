import type { AccountInfo, PublicKey } from '@solana/web3.js'
import { assert } from '../../unit/assert.ts'
import { WireIdentity } from '../../venue/parlay/wire/identity.ts'
import type { AdmittedAccount, Bundle, BundleStatus, ChainFaultPort, ChainPosition, SettlementChain, VaultTokens } from '../settlementChain.ts'
import type { VaultCall } from '../vaultCall.ts'
import { readAccounts } from './accountReads.ts'
import { Admission } from './admission.ts'
import { CallInstructions } from './callInstructions.ts'
import type { FundedWallets } from './genesisAccounts.ts'
import { SvmKeys, type SvmKey } from './keys.ts'
import { ChainPositionState, PositionFlag, decodeConfig, decodePosition, decodeUser } from './layout.ts'
import { tokenAmount } from './splToken.ts'
import { remoteNetwork, type SvmNetwork } from './svmNetwork.ts'
import { TransactionDraft } from './transactionDraft.ts'
import { fatesOf, fruitlessMs, hasLanded, instructionError, newBlockhash, send, type Fate } from './transactionWatch.ts'
import { VaultAddresses } from './vaultAddresses.ts'
import { SPONSOR_LAMPORTS, openLocalSite, openRemoteSite, openStartedSite, sponsorAccount, type VaultSite } from './vaultSite.ts'
import { readTransaction, transactionId } from './wireTransaction.ts'

/**
 * More settlements than fit into a transaction, so that the packet is the limit. Compute is no limit: an instruction may use 200,000 units
 * by default, and the most expensive call, an opening, takes some 20,000.
 */
const CALLS_PER_BUNDLE = 24
/** How long a validator by URL may refuse, be silent or stand still. */
const PATIENCE_MS = 10_000
/** A slot of a public network. */
const POLL_MS = 400

export interface SvmChainOptions {
  /** The session's seed, from which its keys and the ids of its positions derive. */
  readonly seed: string
  /** JSON-RPC of a validator. Without one the chain runs inside the process, or is started. */
  readonly rpcUrl?: string | undefined
  /** Starts the `solana-test-validator` on PATH, on which these wallets are funded. */
  readonly start?: FundedWallets | undefined
  /** Settings of the service's profile: whether the maker pays a profit fee too, and whether a transfer is charged one. */
  readonly profitFeeOnMaker?: boolean
  readonly profitFeeOnTransfer?: boolean
  /** The most calls of a transaction, of which 1 settles one by one. */
  readonly callsPerBundle?: number
  /** On a validator by URL: what counts as final, and how long it may refuse, be silent or stand still before it is given up. */
  readonly commitment?: SvmNetwork['commitment']
  readonly patienceMs?: number | undefined
  /** Between two looks at what became of transactions there. */
  readonly pollMs?: number | undefined
}

/**
 * The vault of the parlay service, in the VM inside the process, on a validator that is started or on the one at `rpcUrl`. Throws an
 * InputError when the validator cannot be had or is not ready for the session.
 */
export async function openSvmChain(options: SvmChainOptions): Promise<SvmChain> {
  const keys = new SvmKeys(options.seed)
  return new SvmChain(await openSite(keys, options), keys, options)
}

async function openSite(keys: SvmKeys, options: SvmChainOptions): Promise<VaultSite> {
  const { rpcUrl, start, commitment = 'finalized', patienceMs = PATIENCE_MS, pollMs = POLL_MS } = options
  if (start !== undefined) return openStartedSite(keys, start)
  if (rpcUrl === undefined) return openLocalSite(keys)
  return openRemoteSite(keys, remoteNetwork({ rpcUrl, commitment, patienceMs, pollMs, process: null }))
}

export class SvmChain implements SettlementChain {
  readonly name = 'svm'
  readonly callsPerBundle: number
  /** True in our own validator. The order in which another validator takes transactions that are sent together is unknown. */
  readonly landsInOrder: boolean
  readonly patienceMs: number
  readonly faults: ChainFaultPort | null
  readonly keys: SvmKeys
  readonly site: VaultSite
  readonly addresses: VaultAddresses
  private readonly instructions: CallInstructions
  private readonly admission: Admission

  constructor(site: VaultSite, keys: SvmKeys, options: SvmChainOptions) {
    const { seed, callsPerBundle = CALLS_PER_BUNDLE, profitFeeOnMaker = false, profitFeeOnTransfer = false } = options
    const flags = Number(profitFeeOnMaker) * PositionFlag.feeOnMaker + Number(profitFeeOnTransfer) * PositionFlag.feeOnTransfer
    this.site = site
    this.keys = keys
    this.callsPerBundle = callsPerBundle
    this.addresses = new VaultAddresses(site.program, keys, new WireIdentity(seed))
    this.admission = new Admission(site, keys, this.addresses)
    this.instructions = new CallInstructions(site.program, this.addresses, keys, flags)
    this.patienceMs = fruitlessMs(site.network)
    this.faults = faultPort(site, keys)
    this.landsInOrder = this.faults !== null
  }

  async admit(accounts: readonly AdmittedAccount[]): Promise<void> {
    await this.admission.admit(accounts)
  }

  async advance(atS: number): Promise<void> {
    this.site.validator?.setClock(atS)
  }

  async prepare(calls: readonly VaultCall[]): Promise<readonly Bundle[]> {
    const bundles: Bundle[] = []
    if (calls.length === 0) return bundles
    const blockhash = await newBlockhash(this.site.network)
    let open = this.openBundle()
    for (const call of calls) {
      const { instruction, wallet } = this.instructions.of(call)
      if (open.calls.length === this.callsPerBundle || !open.draft.add(instruction)) {
        bundles.push(closeBundle(open, blockhash))
        open = this.openBundle()
        assert(open.draft.add(instruction), 'a call fits into a transaction')
      }
      open.calls.push(call)
      if (wallet !== null) open.signers.push(wallet)
    }
    bundles.push(closeBundle(open, blockhash))
    return bundles
  }

  private openBundle(): OpenBundle {
    return { draft: new TransactionDraft(this.keys.sponsor.address), calls: [], signers: [this.keys.sponsor, this.keys.operator] }
  }

  async broadcast(bundles: readonly Bundle[]): Promise<void> {
    const { network, validator } = this.site
    if (validator === null) return this.broadcastInOrder(bundles)
    for (const bundle of bundles) await send(network, bundle)
  }

  /** A validator keeps no order. A call on the same balances or position goes out when the calls before it have landed. */
  private async broadcastInOrder(bundles: readonly Bundle[]): Promise<void> {
    const { network, program } = this.site
    const shared = new Set([this.keys.sponsor.address, program.config, program.vault].map((key) => key.toBuffer().toString('latin1')))
    const under = new Map<string, Bundle>()
    for (const bundle of bundles) {
      const touched = readTransaction(bundle.bytes).writable.map((key) => key.toString('latin1')).filter((key) => !shared.has(key))
      const before = new Set(touched.flatMap((key) => under.get(key) ?? []))
      // A bundle that is not sent counts as absent and is sent again later.
      for (const earlier of before) if (!await hasLanded(network, earlier)) return
      await send(network, bundle)
      for (const key of touched) under.set(key, bundle)
    }
  }

  async statuses(bundles: readonly Bundle[]): Promise<readonly BundleStatus[]> {
    const fates = bundles.length === 0 ? [] : await fatesOf(this.site.network, bundles)
    return fates.map(statusOfFate)
  }

  async balances(accounts: readonly number[]): Promise<readonly bigint[]> {
    const users = await this.read(accounts.map((account) => this.addresses.account(account).user))
    return users.map((user) => (this.isOwn(user) ? decodeUser(user.data)?.balanceMicros : undefined) ?? 0n)
  }

  async positions(positions: readonly number[]): Promise<readonly ChainPosition[]> {
    const accounts = await this.read(positions.map((position) => this.addresses.position(position).address))
    return accounts.map((account) => {
      const position = this.isOwn(account) ? decodePosition(account.data) : null
      if (position?.state !== ChainPositionState.open) return { potMicros: 0n, escrowMicros: 0n, holder: -1 }
      return {
        potMicros: position.stakeMicros + position.riskMicros, escrowMicros: position.takerFeeMicros,
        holder: this.addresses.accountOf(position.holder),
      }
    })
  }

  async house(): Promise<bigint> {
    const [config] = await this.read([this.site.program.config])
    return (this.isOwn(config) ? decodeConfig(config.data)?.houseMicros : undefined) ?? 0n
  }

  /** On a chain of our own the vault holds what it owes exactly. Elsewhere anybody may have sent it more. */
  async tokens(): Promise<VaultTokens> {
    const { program, validator } = this.site
    const [config, vault] = await this.read([program.config, program.vault])
    const owedMicros = (this.isOwn(config) ? decodeConfig(config.data)?.owedMicros : undefined) ?? 0n
    const heldMicros = tokenAmount(vault ?? null)
    assert(validator === null || heldMicros === owedMicros, `the vault holds what it owes, not ${heldMicros} for ${owedMicros}`)
    return { owedMicros, heldMicros }
  }

  /** What wallets have of their funds: without what they held besides, on a validator, when they were admitted. */
  async wallets(accounts: readonly number[]): Promise<readonly bigint[]> {
    const held = await this.read(accounts.map((account) => this.addresses.account(account).tokens))
    return accounts.map((account, i) => tokenAmount(held[i]!) - this.admission.surplusMicros(account))
  }

  async close(): Promise<void> {
    await this.site.network.process?.close()
  }

  private async read(keys: readonly PublicKey[]): Promise<(AccountInfo<Buffer> | null)[]> {
    return readAccounts(this.site.network, keys)
  }

  private isOwn(account: AccountInfo<Buffer> | null | undefined): account is AccountInfo<Buffer> {
    return account != null && account.owner.equals(this.site.program.programId)
  }
}

interface OpenBundle {
  readonly draft: TransactionDraft
  readonly calls: VaultCall[]
  readonly signers: SvmKey[]
}

function closeBundle({ draft, calls, signers }: OpenBundle, blockhash: Uint8Array): Bundle {
  const bytes = draft.sign(blockhash, signers)
  return { id: transactionId(bytes), calls, bytes }
}

/** Every call is one instruction, in order: the place of the one that was refused is that of its call. */
function statusOfFate(fate: Fate): BundleStatus {
  if (fate.state === 'unseen') return { state: 'absent' }
  if (fate.state === 'expired') return { state: 'expired' }
  if (fate.error === null) return { state: 'final' }
  const failed = instructionError(fate.error)
  if (failed === null) return { state: 'refused', call: 0, reason: JSON.stringify(fate.error), done: false }
  const { at, cause, refusal } = failed
  return { state: 'refused', call: at, reason: refusal?.name ?? cause, done: refusal?.done ?? false }
}

function faultPort({ validator }: VaultSite, keys: SvmKeys): ChainFaultPort | null {
  if (validator === null) return null
  return {
    async checkpoint() {
      const undo = validator.checkpoint()
      return async () => undo()
    },
    drop: (on) => validator.drop(on),
    async sponsor(funded) {
      validator.setAccount(keys.sponsor.address, sponsorAccount(funded ? SPONSOR_LAMPORTS : 0n))
    },
  }
}
