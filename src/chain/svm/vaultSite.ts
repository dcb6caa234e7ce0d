import { readFileSync } from 'node:fs'
import { Connection, SystemProgram } from '@solana/web3.js'
import { InputError } from '../../unit/inputError.ts'
import { deployProgram } from './deployment.ts'
import { VaultProgram, configAddress } from './instructions.ts'
import { SvmKey, type SvmKeys } from './keys.ts'
import { USDC_MINT, decodeConfig } from './layout.ts'
import { LiteValidator } from './liteValidator.ts'
import { MINT_BYTES, USDC_DECIMALS, createTokenAccount, mintAccount, tokenAddress } from './splToken.ts'
import { TransactionDraft } from './transactionDraft.ts'
import { landAll, type SvmNetwork } from './transactionWatch.ts'

/** Found from src and from dist alike. */
const PROGRAM_FILE = new URL('../../../src/chain/svm/program/vault.so', import.meta.url)
/** What the sponsor of a chain of our own starts with: more than any session spends. */
export const SPONSOR_LAMPORTS = 10n ** 15n
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const MINT_SUPPLY_MICROS = 10n ** 18n
const SOL = 1e9
/** On a validator: rent of the program, of the vault's own accounts and of some hundred positions. */
const SPONSOR_LAMPORTS_MIN = SOL

/** A vault that is ready for the accounts of a session. */
export interface VaultSite {
  readonly network: SvmNetwork
  readonly program: VaultProgram
  /** The chain itself when it is the VM inside the process. */
  readonly validator: LiteValidator | null
}

/** A new chain inside the process with the program, the USDC mint and a rich sponsor. */
export async function openLocalSite(keys: SvmKeys): Promise<VaultSite> {
  const validator = new LiteValidator()
  // Nothing is sent there: the validator answers instead.
  const connection = new Connection('http://in.process', { fetch: validator.fetch, commitment: 'finalized' })
  const network: SvmNetwork = { connection, commitment: 'finalized', patienceMs: 0 }
  validator.addProgram(keys.program.address, readFileSync(PROGRAM_FILE))
  const rent = await connection.getMinimumBalanceForRentExemption(MINT_BYTES)
  validator.setAccount(USDC_MINT, mintAccount(MINT_SUPPLY_MICROS, USDC_DECIMALS, BigInt(rent)))
  validator.setAccount(keys.sponsor.address, sponsorAccount(SPONSOR_LAMPORTS))
  const program = programOf(keys)
  await initialize(network, program, keys)
  return { network, program, validator }
}

export const sponsorAccount = (lamports: bigint) => ({ lamports, data: new Uint8Array(), owner: SystemProgram.programId })

export interface RemoteOptions {
  readonly rpcUrl: string
  readonly commitment: SvmNetwork['commitment']
  readonly patienceMs: number
}

/**
 * The vault on a validator: deployed and initialized by the sponsor when it is not there. Throws an InputError when there is no
 * validator, mint or money for network fees, saying what is missing where, and on the main network.
 */
export async function openRemoteSite(keys: SvmKeys, { rpcUrl, commitment, patienceMs }: RemoteOptions): Promise<VaultSite> {
  if (!/^https?:\/\//.test(rpcUrl)) {
    throw new InputError(`${rpcUrl} is no address of a Solana validator`, { hint: 'it begins with http:// or https://' })
  }
  const connection = new Connection(rpcUrl, { commitment })
  const network: SvmNetwork = { connection, commitment, patienceMs }
  const program = programOf(keys)
  const isDeployed = await checkValidator(connection, rpcUrl, keys)
  if (!isDeployed) {
    const buffer = new SvmKey(keys.seed('program buffer'))
    await deployProgram(network, { payer: keys.sponsor, program: keys.program, buffer }, readFileSync(PROGRAM_FILE))
  }
  const config = await connection.getAccountInfo(program.config)
  if (config === null) await initialize(network, program, keys)
  else {
    const operator = decodeConfig(config.data)?.operator
    if (operator === undefined || !operator.equals(keys.operator.address)) {
      throw new InputError(`the vault at ${keys.program.address.toBase58()} has another operator`, {
        hint: 'the session’s keys derive from its seed: take the seed of the session that initialized the vault, or another one',
      })
    }
  }
  return { network, program, validator: null }
}

/** Whether the program is there; the mint and the sponsor's money have to be. */
async function checkValidator(connection: Connection, rpcUrl: string, keys: SvmKeys): Promise<boolean> {
  const genesis = await connection.getGenesisHash().catch((cause: unknown) => {
    throw new InputError(`no Solana validator answers at ${rpcUrl}`, { cause, hint: String(cause) })
  })
  if (genesis === MAINNET_GENESIS) {
    throw new InputError(`${rpcUrl} is Solana’s main network`, {
      hint: 'a session’s keys follow from its seed, which anybody can guess: take a validator whose money is worth nothing',
    })
  }
  const [programKey, sponsorKey] = [keys.program.address, keys.sponsor.address]
  const [program, mint, sponsor] = await connection.getMultipleAccountsInfo([programKey, USDC_MINT, sponsorKey])
  if (!mint) {
    throw new InputError(`there is no USDC mint ${USDC_MINT.toBase58()} on ${rpcUrl}`, {
      hint: `a validator of your own takes it over with --clone ${USDC_MINT.toBase58()} --url mainnet-beta`,
    })
  }
  if ((sponsor?.lamports ?? 0) < SPONSOR_LAMPORTS_MIN) {
    throw new InputError(`the sponsor ${sponsorKey.toBase58()} has ${(sponsor?.lamports ?? 0) / SOL} SOL on ${rpcUrl}`, {
      hint: `it pays the fees of all wallets: send it ${SPONSOR_LAMPORTS_MIN / SOL} SOL or more, some 0.002 SOL per position`,
    })
  }
  return program?.executable === true
}

function programOf(keys: SvmKeys): VaultProgram {
  const id = keys.program.address
  return new VaultProgram(id, keys.operator.address, tokenAddress(configAddress(id)))
}

/** Makes the vault's token account and its configuration. */
async function initialize(network: SvmNetwork, program: VaultProgram, keys: SvmKeys): Promise<void> {
  const sponsor = keys.sponsor.address
  const draft = new TransactionDraft(sponsor)
  draft.add(createTokenAccount(sponsor, program.config, program.vault))
  draft.add(program.initialize(sponsor))
  await landAll(network, [{ draft, signers: [keys.sponsor, keys.operator, keys.program] }])
}
