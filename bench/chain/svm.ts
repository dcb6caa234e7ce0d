// Settlements per second on the Solana VM inside the process: `node tools/bundle/run.mjs bench/chain/svm.ts`.
import { Keypair, Transaction } from '@solana/web3.js'
import { openSvmChain, type SvmChain } from '../../src/chain/svm/svmChain.ts'
import { admitted, Calls, landWell, START_S } from '../../test/chain/svm/calls.ts'
import { type ChainBenchRow, outcomeOf, rowOf } from './row.ts'

const ROUNDS = 5
/** Settlements of a round. */
const SINGLES = 500
const BATCHED = 2000
const NAIVE = 25
/** A game's maker, and who bet with it: a result settles them together. */
const MAKER = 0
const BETTORS = 12

const holderOf = (position: number): number => 1 + position % BETTORS

interface Bench {
  readonly chain: SvmChain
  readonly calls: Calls
}

/** A vault with `count` open positions from number 0 on. */
async function withPositions(seed: string, count: number, callsPerBundle?: number): Promise<Bench> {
  const chain = await openSvmChain({ seed, ...(callsPerBundle === undefined ? {} : { callsPerBundle }) })
  const calls = new Calls()
  const accounts = Array.from({ length: BETTORS + 1 }, (_, account) => account)
  await chain.advance(START_S)
  await chain.admit(accounts.map((account) => admitted(account, 1e12)))
  await landWell(chain, ...accounts.map((account) => calls.deposit(account, 1e12)))
  await landWell(chain, ...Array.from({ length: count }, (_, position) => calls.open(position, holderOf(position), MAKER)))
  return { chain, calls }
}

/** Rate of settling positions `first`… through the adapter: signing, sending and statuses. */
async function settled({ chain, calls }: Bench, first: number, count: number): Promise<number> {
  const settlements = Array.from({ length: count }, (_, i) => calls.settle(first + i, outcomeOf(first + i)))
  const startMs = performance.now()
  await landWell(chain, ...settlements)
  return count * 1000 / (performance.now() - startMs)
}

/** Settles as in web3.js's documentation: a transaction is signed by key pairs, sent, and asked for. */
async function settledNaively({ chain }: Bench, first: number, count: number): Promise<number> {
  const { keys, addresses, site: { program, network: { connection } } } = chain
  const [sponsor, operator] = ['sponsor', 'operator'].map((name) => Keypair.fromSeed(keys.seed(name)))
  const startMs = performance.now()
  for (let position = first; position < first + count; position++) {
    const [holder, backer] = [addresses.account(holderOf(position)).user, addresses.account(MAKER).user]
    const transaction = new Transaction({ feePayer: sponsor!.publicKey, ...await connection.getLatestBlockhash() })
    transaction.add(program.settle(addresses.position(position).address, holder, backer, outcomeOf(position)))
    const id = await connection.sendTransaction(transaction, [sponsor!, operator!])
    const { value: [status] } = await connection.getSignatureStatuses([id])
    if (status?.err !== null) throw new Error('a settlement did not land')
  }
  return count * 1000 / (performance.now() - startMs)
}

/** Measures in turns, so that other load of the machine affects all alike. */
export async function benchSvm(): Promise<readonly ChainBenchRow[]> {
  const rates = { singles: [] as number[], batched: [] as number[], naive: [] as number[] }
  const singles = await withPositions('singles', SINGLES * (ROUNDS + 1), 1)
  const batched = await withPositions('batched', BATCHED * (ROUNDS + 1))
  const naive = await withPositions('naive', NAIVE * (ROUNDS + 1))
  // The first round warms up and is left out.
  for (let round = 0; round <= ROUNDS; round++) {
    rates.singles.push(await settled(singles, round * SINGLES, SINGLES))
    rates.batched.push(await settled(batched, round * BATCHED, BATCHED))
    rates.naive.push(await settledNaively(naive, round * NAIVE, NAIVE))
  }
  const [bundle] = await batched.chain.prepare(Array.from({ length: 24 }, (_, i) => batched.calls.settle(i, outcomeOf(i))))
  return [
    rowOf('svm', 'settlements, one in a transaction', rates.singles),
    rowOf('svm', `settlements, ${bundle!.calls.length} in a transaction`, rates.batched),
    rowOf('svm', 'the naive web3.js loop: sendTransaction, getSignatureStatuses', rates.naive),
  ]
}

if (import.meta.main) console.table(await benchSvm())
