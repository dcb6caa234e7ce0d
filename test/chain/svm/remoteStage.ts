import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { SvmKeys } from '../../../src/chain/svm/keys.ts'
import { USDC_MINT } from '../../../src/chain/svm/layout.ts'
import { LiteValidator } from '../../../src/chain/svm/liteValidator.ts'
import { mintAccount, tokenAccount, tokenAddress } from '../../../src/chain/svm/splToken.ts'
import { sponsorAccount } from '../../../src/chain/svm/vaultSite.ts'
import { InputError } from '../../../src/unit/inputError.ts'

export const USDC = 1_000_000
export const PROGRAM = new URL('../../../src/chain/svm/program/vault.so', import.meta.url)
const RENT = 2_039_280n

/** A validator, and what somebody else does there before a session comes: deploys, funds. */
export class RemoteStage {
  readonly validator = new LiteValidator()
  readonly keys: SvmKeys

  constructor(seed: string) {
    this.keys = new SvmKeys(seed)
  }

  deploy(elf: Uint8Array = readFileSync(PROGRAM)): void {
    this.validator.addProgram(this.keys.program.address, elf)
  }

  clone(): void {
    this.validator.setAccount(USDC_MINT, mintAccount(10n ** 15n, 6, RENT))
  }

  sponsor(lamports: bigint): void {
    this.validator.setAccount(this.keys.sponsor.address, sponsorAccount(lamports))
  }

  fund(account: number, micros: number): void {
    const { address } = this.keys.wallet(account)
    this.validator.setAccount(tokenAddress(address), tokenAccount(address, BigInt(micros), RENT))
  }

  /** The mint and a sponsor, no program. */
  makeEmpty(): void {
    this.clone()
    this.sponsor(10n ** 10n)
  }

  /** The program too, and 1,000 USDC in each wallet. */
  makeReady(accounts: readonly number[]): void {
    this.deploy()
    this.makeEmpty()
    for (const account of accounts) this.fund(account, 1_000 * USDC)
  }
}

/** What an InputError says, with its hint. */
export async function complaint(what: Promise<unknown>): Promise<string> {
  const error = await what.then(() => null, (caught: unknown) => caught)
  expect(error).toBeInstanceOf(InputError)
  return (error as InputError).describe()
}
