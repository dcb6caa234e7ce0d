import type { TransactionInstruction } from '@solana/web3.js'
import { Bug } from '../../unit/assert.ts'
import type { OpenCall, VaultCall } from '../vaultCall.ts'
import { CallTerms } from './callTerms.ts'
import type { VaultProgram } from './instructions.ts'
import type { SvmKey, SvmKeys } from './keys.ts'
import type { VaultAddresses } from './vaultAddresses.ts'

export interface CallInstruction {
  readonly instruction: TransactionInstruction
  /** The wallet that has to sign besides operator and sponsor. */
  readonly wallet: SvmKey | null
}

/** Writes calls as instructions of the vault program, one each. */
export class CallInstructions {
  private readonly program: VaultProgram
  private readonly addresses: VaultAddresses
  private readonly keys: SvmKeys
  /** Flags of every position of the session. */
  private readonly flags: number
  private readonly terms = new CallTerms()

  constructor(program: VaultProgram, addresses: VaultAddresses, keys: SvmKeys, flags: number) {
    this.program = program
    this.addresses = addresses
    this.keys = keys
    this.flags = flags
  }

  of(call: VaultCall): CallInstruction {
    switch (call.kind) {
      case 'deposit':
      case 'withdraw': {
        const { wallet, user, tokens } = this.addresses.account(call.account)
        const [amount, sequence] = [BigInt(call.amountMicros), BigInt(this.terms.sequence(call))]
        return { instruction: this.program[call.kind](wallet.address, user, tokens, amount, sequence), wallet }
      }
      case 'open': return { instruction: this.open(call), wallet: null }
      case 'settle': {
        const { address, holder, backer } = this.partiesOf(call.position)
        return { instruction: this.program.settle(address, holder, backer, call.outcome), wallet: null }
      }
      case 'buyback': {
        const { address, holder, backer } = this.partiesOf(call.position)
        return { instruction: this.program.buyback(address, holder, backer, BigInt(call.priceMicros)), wallet: null }
      }
      case 'transfer': {
        const { sequence, seller } = this.terms.transfer(call)
        const { address } = this.addresses.position(call.position)
        const [from, to] = [this.addresses.account(seller).user, this.addresses.account(call.buyer).user]
        return { instruction: this.program.transfer(address, from, to, BigInt(call.priceMicros), BigInt(sequence)), wallet: null }
      }
      case 'reduce':
      case 'release': throw new Bug('the vault of the parlay service has no reductions')
    }
  }

  private open(call: OpenCall): TransactionInstruction {
    this.terms.open(call)
    const { id, address } = this.addresses.position(call.position)
    return this.program.open(this.keys.sponsor.address, address, {
      id, holder: this.addresses.account(call.holder).user, backer: this.addresses.account(call.backer).user,
      stakeMicros: BigInt(call.stakeMicros), riskMicros: BigInt(call.riskMicros), takerFeeMicros: BigInt(call.takerFeeMicros),
      takerFeeBps: call.takerFeeBps, profitFeeBps: call.profitFeeBps, flags: this.flags,
    })
  }

  private partiesOf(position: number) {
    const { holder, backer } = this.terms.partiesOf(position)
    return {
      address: this.addresses.position(position).address,
      holder: this.addresses.account(holder).user, backer: this.addresses.account(backer).user,
    }
  }
}
