import type { Address, Hex } from 'viem'
import type { WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { idOfText } from './terms.ts'

/** How accounts and reductions of a session stand in its vault: by the hashes of their ids of the wire, made once. */
export class VaultIds {
  readonly identity: WireIdentity
  private readonly accounts = new Map<number, Hex>()
  private readonly numbers = new Map<Hex, number>()

  constructor(identity: WireIdentity) {
    this.identity = identity
  }

  account(account: number): Hex {
    let id = this.accounts.get(account)
    if (id === undefined) {
      id = idOfText(this.identity.account(account))
      this.accounts.set(account, id)
      this.numbers.set(id, account)
    }
    return id
  }

  /** Number of an account that `account` was asked for before, or null: a chain that is not ours may tell anything. */
  numberOf(id: Hex): number | null {
    return this.numbers.get(id) ?? null
  }

  position(position: number): Hex {
    return this.identity.position(position)
  }

  reduction(reduction: number): Hex {
    return idOfText(this.identity.reduction(reduction))
  }

  /** A deposit is named by the event row that it comes from. */
  deposit(seq: number): Hex {
    return idOfText(`deposit:${seq}`)
  }
}

/** Where a session's money lies on a chain. */
export interface Deployment {
  readonly vault: Address
  readonly usdc: Address
  /** EIP-712 domain of the token. */
  readonly usdcSeparator: Hex
}
