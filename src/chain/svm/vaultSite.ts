import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SystemProgram } from '@solana/web3.js'
import { shownUrl } from '../../unit/httpUrl.ts'
import { InputError } from '../../unit/inputError.ts'
import { readAccounts } from './accountReads.ts'
import { deployProgram, readProgram } from './deployment.ts'
import { genesisAccounts, type FundedWallets } from './genesisAccounts.ts'
import { VaultProgram, configAddress } from './instructions.ts'
import { SvmKey, type SvmKeys } from './keys.ts'
import { USDC_MINT, decodeConfig, type ConfigAccount } from './layout.ts'
import { LiteConnection } from './liteConnection.ts'
import { LiteValidator } from './liteValidator.ts'
import { MINT_BYTES, USDC_DECIMALS, createTokenAccount, mintAccount, tokenAddress } from './splToken.ts'
import { ask, remoteNetwork, type SvmNetwork } from './svmNetwork.ts'
import { startTestValidator } from './testValidator.ts'
import { TransactionDraft } from './transactionDraft.ts'
import { landAll } from './transactionWatch.ts'

/** Found from src and from dist alike. */
const PROGRAM_FILE = new URL('../../../src/chain/svm/program/vault.so', import.meta.url)
/** What the sponsor of a chain of our own starts with: more than any session spends. */
export const SPONSOR_LAMPORTS = 10n ** 15n
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const MINT_SUPPLY_MICROS = 10n ** 18n
const SOL = 1e9
/** On a validator this pays the rent of the program, of the vault's own accounts and of some hundred positions. */
const SPONSOR_LAMPORTS_MIN = SOL
/** A validator of our own tells no lies, and is alone with the machine's load. When its process ends, that is seen at once. */
const STARTED_PATIENCE_MS = 60_000
/** A validator that was started has slots of 50 ms. */
const STARTED_POLL_MS = 25

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
  const connection = new LiteConnection(validator)
  const network: SvmNetwork = { connection, commitment: 'finalized', patienceMs: 0, answerMs: 0, unseenMs: 0, pollMs: 0, isRemote: false, process: null }
  validator.addProgram(keys.program.address, readFileSync(PROGRAM_FILE))
  const rent = await connection.getMinimumBalanceForRentExemption(MINT_BYTES)
  validator.setAccount(USDC_MINT, mintAccount(MINT_SUPPLY_MICROS, USDC_DECIMALS, BigInt(rent)))
  validator.setAccount(keys.sponsor.address, sponsorAccount(SPONSOR_LAMPORTS))
  const program = programOf(keys)
  await initialize(network, program, keys)
  return { network, program, validator }
}

export const sponsorAccount = (lamports: bigint) => ({ lamports, data: new Uint8Array(), owner: SystemProgram.programId })

/**
 * A validator of our own beside this process, with the program, the USDC mint, a rich sponsor and these wallets in its genesis. Throws an
 * InputError when there is none to start.
 */
export async function openStartedSite(keys: SvmKeys, wallets: FundedWallets): Promise<VaultSite> {
  const validator = await startTestValidator({
    sponsor: keys.sponsor.address, program: { address: keys.program.address, file: fileURLToPath(PROGRAM_FILE) },
    accounts: genesisAccounts(keys, wallets),
  })
  const network = remoteNetwork({
    rpcUrl: validator.url, commitment: 'confirmed', patienceMs: STARTED_PATIENCE_MS, pollMs: STARTED_POLL_MS, process: validator.process,
  })
  try {
    return await openRemoteSite(keys, network)
  } catch (error) {
    await validator.process.close()
    throw error
  }
}

/**
 * The vault on a validator. The sponsor deploys and initializes it when it does not exist. Throws an InputError that says what is missing
 * when there is no validator, mint or money for network fees. Throws one too when the vault is another one or not new, and on the main
 * network.
 */
export async function openRemoteSite(keys: SvmKeys, network: SvmNetwork): Promise<VaultSite> {
  const program = programOf(keys)
  await checkValidator(network, keys)
  const elf = readFileSync(PROGRAM_FILE)
  if (await readProgram(network, program.programId) === null) {
    const buffer = new SvmKey(keys.seed(`program buffer ${sha256Hex(elf)}`))
    await deployProgram(network, { payer: keys.sponsor, program: keys.program, buffer }, elf)
  }
  await checkProgram(network, program, elf)
  const [config] = await readAccounts(network, [program.config])
  // Lamports that somebody has sent there make no configuration.
  if (config?.owner.equals(program.programId) !== true) await initialize(network, program, keys)
  else checkConfig(network, program, decodeConfig(config.data))
  return { network, program, validator: null }
}

/** Genesis, mint and the sponsor's money. */
async function checkValidator(network: SvmNetwork, keys: SvmKeys): Promise<void> {
  const url = shownUrl(network.connection.rpcEndpoint)
  const genesis = await ask({ ...network, patienceMs: 0 }, (connection) => connection.getGenesisHash()).catch((cause: unknown) => {
    throw new InputError(`no Solana validator answers at ${url}`, { cause, hint: cause instanceof InputError ? cause.message : String(cause) })
  })
  if (genesis === MAINNET_GENESIS) {
    throw new InputError(`${url} is Solana’s main network`, {
      hint: 'a session’s keys follow from its seed, which anybody can guess: take a validator whose money is worth nothing',
    })
  }
  const [mint, sponsor] = await readAccounts(network, [USDC_MINT, keys.sponsor.address])
  if (!mint) {
    throw new InputError(`there is no USDC mint ${USDC_MINT.toBase58()} on ${url}`, {
      hint: 'chain: { on: svm, start: solana-test-validator } starts a validator with the mint and funded wallets; one that runs already is given the mint by --account when it begins',
    })
  }
  const lamports = sponsor?.lamports ?? 0
  if (lamports < SPONSOR_LAMPORTS_MIN) {
    throw new InputError(`the sponsor ${keys.sponsor.address.toBase58()} has ${lamports / SOL} SOL on ${url}`, {
      hint: `it pays the fees of all wallets: send it ${SPONSOR_LAMPORTS_MIN / SOL} SOL or more, some 0.002 SOL per position`,
    })
  }
}

const ANOTHER = 'reset the validator (solana-test-validator --reset), or take another seed, whose vault stands elsewhere'

/** The program has these very bytes and keeps them. */
async function checkProgram(network: SvmNetwork, { programId }: VaultProgram, elf: Buffer): Promise<void> {
  const deployed = await readProgram(network, programId)
  const place = `the program at ${programId.toBase58()} on ${shownUrl(network.connection.rpcEndpoint)}`
  if (deployed === null) throw new InputError(`${place} is not there after its deployment`, { hint: ANOTHER })
  const isSame = deployed.elf.subarray(0, elf.length).equals(elf) && deployed.elf.subarray(elf.length).every((byte) => byte === 0)
  if (!isSame) {
    throw new InputError(`${place} is another than this vault: SHA-256 ${sha256Hex(deployed.elf)}, not ${sha256Hex(elf)}`, { hint: ANOTHER })
  }
  if (deployed.authority !== null) {
    throw new InputError(`${place} can be replaced by ${deployed.authority.toBase58()}`, {
      hint: `make it final (solana program set-upgrade-authority ${programId.toBase58()} --final), ${ANOTHER}`,
    })
  }
}

/** Checks that the vault is this session's and unused, because a session plays from its beginning and numbers its steps from 1. */
function checkConfig({ connection }: SvmNetwork, program: VaultProgram, config: ConfigAccount | null): void {
  const place = `the vault at ${program.programId.toBase58()} on ${shownUrl(connection.rpcEndpoint)}`
  if (config?.operator.equals(program.operator) !== true) {
    throw new InputError(`${place} has another operator`, {
      hint: 'the session’s keys derive from its seed: take the seed of the session that initialized the vault, or another one',
    })
  }
  if (!config.vault.equals(program.vault)) {
    throw new InputError(`${place} keeps its USDC at ${config.vault.toBase58()}, not at ${program.vault.toBase58()}`, { hint: ANOTHER })
  }
  if (config.deposits > 0n) {
    throw new InputError(`${place} has settled before: it has taken ${config.deposits} deposits`, {
      hint: `a session is not resumed on a chain, nor settled twice: ${ANOTHER}`,
    })
  }
}

const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

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
