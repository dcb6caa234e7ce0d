import { assert } from '../../unit/assert.ts'
import { shownUrl } from '../../unit/httpUrl.ts'
import { InputError } from '../../unit/inputError.ts'
import type { AdmittedAccount } from '../settlementChain.ts'
import { readAccounts } from './accountReads.ts'
import type { SvmKey, SvmKeys } from './keys.ts'
import { TOKEN_ACCOUNT_BYTES, tokenAccount, tokenAmount } from './splToken.ts'
import { ask } from './svmNetwork.ts'
import { TransactionDraft } from './transactionDraft.ts'
import { landAll, type SignedBy } from './transactionWatch.ts'
import type { AccountPlace, VaultAddresses } from './vaultAddresses.ts'
import type { VaultSite } from './vaultSite.ts'

const MICROS_PER_USDC = 1e6
/** Wallets that a complaint names; it counts the others. */
const NAMED = 5

/** A wallet and what it is to get. */
interface Funding {
  readonly place: AccountPlace
  readonly amountMicros: bigint
}

/** Lets the accounts of a session into the vault: their wallets sign, the sponsor pays. */
export class Admission {
  private readonly site: VaultSite
  private readonly keys: SvmKeys
  private readonly addresses: VaultAddresses
  private readonly admitted = new Set<number>()
  /** What wallets on a validator held beyond their funds when those were asked for, by account. */
  private readonly surplus = new Map<number, bigint>()

  constructor(site: VaultSite, keys: SvmKeys, addresses: VaultAddresses) {
    this.site = site
    this.keys = keys
    this.addresses = addresses
  }

  /**
   * Makes the users of accounts that have none, and makes sure that wallets have their funds: on a chain of our own it sets them, on a
   * validator it checks them. Throws an InputError that names the wallets with too little. When an account is named again, its new funds
   * come out of what its wallet had beyond the old ones when it was named first.
   */
  async admit(accounts: readonly AdmittedAccount[]): Promise<void> {
    const funds = new Map<number, bigint>()
    for (const { account, fundsMicros } of accounts) funds.set(account, (funds.get(account) ?? 0n) + BigInt(fundsMicros))
    const fundings = [...funds].map(([account, amountMicros]): Funding => ({ place: this.addresses.account(account), amountMicros }))
    if (this.site.validator === null) await this.checkWallets(fundings)
    else await this.fundWallets(fundings)
    await this.createUsers(fundings.map(({ place }) => place).filter(({ account }) => !this.admitted.has(account)))
    for (const account of funds.keys()) this.admitted.add(account)
  }

  /** USDC of an account's wallet that is none of its funds. */
  surplusMicros(account: number): bigint {
    return this.surplus.get(account) ?? 0n
  }

  private async heldMicros(fundings: readonly Funding[]): Promise<bigint[]> {
    return (await readAccounts(this.site.network, fundings.map(({ place }) => place.tokens))).map(tokenAmount)
  }

  private async fundWallets(fundings: readonly Funding[]): Promise<void> {
    const { validator, network } = this.site
    assert(validator !== null, 'only a chain of our own gives money away')
    const rent = BigInt(await ask(network, (connection) => connection.getMinimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES)))
    const held = await this.heldMicros(fundings)
    fundings.forEach(({ place, amountMicros }, i) => {
      validator.setAccount(place.tokens, tokenAccount(place.wallet.address, held[i]! + amountMicros, rent))
    })
  }

  private async checkWallets(fundings: readonly Funding[]): Promise<void> {
    const held = await this.heldMicros(fundings)
    const left = fundings.map(({ place, amountMicros }, i) => (this.surplus.get(place.account) ?? held[i]!) - amountMicros)
    const poor = fundings.flatMap(({ place: { account, wallet } }, i) =>
      left[i]! >= 0n ? [] : [`wallet ${wallet.address.toBase58()} of account ${account} lacks ${-Number(left[i]!) / MICROS_PER_USDC}`])
    fundings.forEach(({ place }, i) => { this.surplus.set(place.account, left[i]!) })
    if (poor.length === 0) return
    const more = poor.length > NAMED ? `; and ${poor.length - NAMED} more` : ''
    throw new InputError(`wallets on ${shownUrl(this.site.network.connection.rpcEndpoint)} lack USDC: ${poor.slice(0, NAMED).join('; ')}${more}`, {
      hint: 'only chains of our own fund wallets: send them USDC, or take chain.start, or run without a URL',
    })
  }

  private async createUsers(places: readonly AccountPlace[]): Promise<void> {
    let missing = await this.withoutUser(places)
    // A user that somebody made meanwhile makes the whole transaction fail, with its other users.
    while (missing.length > 0 && !await landAll(this.site.network, this.creations(missing))) missing = await this.withoutUser(missing)
  }

  private async withoutUser(places: readonly AccountPlace[]): Promise<AccountPlace[]> {
    const { network, program } = this.site
    const there = await readAccounts(network, places.map(({ user }) => user))
    return places.filter((_, i) => there[i]?.owner.equals(program.programId) !== true)
  }

  private creations(places: readonly AccountPlace[]): SignedBy[] {
    const { program } = this.site
    const { sponsor } = this.keys
    const all: { draft: TransactionDraft; signers: SvmKey[] }[] = []
    for (const { wallet, user } of places) {
      const instruction = program.createUser(sponsor.address, wallet.address, user)
      if (all.at(-1)?.draft.add(instruction) !== true) {
        const draft = new TransactionDraft(sponsor.address)
        assert(draft.add(instruction), 'a new user fits into a transaction')
        all.push({ draft, signers: [sponsor] })
      }
      all.at(-1)!.signers.push(wallet)
    }
    return all
  }
}
