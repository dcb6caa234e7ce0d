import type { PublicKey } from '@solana/web3.js'
import type { WireIdentity } from '../../venue/parlay/wire/identity.ts'
import type { VaultProgram } from './instructions.ts'
import type { SvmKey, SvmKeys } from './keys.ts'
import { tokenAddress } from './splToken.ts'

/** Where an account of the session stands on the chain. */
export interface AccountPlace {
  readonly account: number
  readonly wallet: SvmKey
  /** The account with the wallet's balance in the vault. */
  readonly user: PublicKey
  /** The wallet's USDC. */
  readonly tokens: PublicKey
}

export interface PositionPlace {
  readonly id: Buffer
  readonly address: PublicKey
}

/** Addresses by the numbers of a session. Each is searched for once: that costs as much as three signatures. */
export class VaultAddresses {
  private readonly program: VaultProgram
  private readonly keys: SvmKeys
  private readonly identity: WireIdentity
  private readonly accounts = new Map<number, AccountPlace>()
  private readonly byWallet = new Map<string, number>()
  private readonly positions = new Map<number, PositionPlace>()

  constructor(program: VaultProgram, keys: SvmKeys, identity: WireIdentity) {
    this.program = program
    this.keys = keys
    this.identity = identity
  }

  account(account: number): AccountPlace {
    let place = this.accounts.get(account)
    if (place === undefined) {
      const wallet = this.keys.wallet(account)
      const { address } = wallet
      place = { account, wallet, user: this.program.user(address), tokens: tokenAddress(address) }
      this.accounts.set(account, place)
      this.byWallet.set(nameOf(address), account)
    }
    return place
  }

  /** Number of the account with that wallet, or −1 when it is none that this session has named. */
  accountOf(wallet: PublicKey): number {
    return this.byWallet.get(nameOf(wallet)) ?? -1
  }

  position(position: number): PositionPlace {
    let place = this.positions.get(position)
    if (place === undefined) {
      const id = Buffer.from(this.identity.position(position), 'hex')
      this.positions.set(position, (place = { id, address: this.program.position(id) }))
    }
    return place
  }
}

const nameOf = (key: PublicKey): string => key.toBuffer().toString('latin1')
