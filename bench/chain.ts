// Settlements per second on both local chains, beside the loops of their libraries' manuals: `npm run bench:chain [-- --json]`.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { InputError } from '../src/unit/inputError.ts'
import { benchEvm } from './chain/evm.ts'
import type { ChainBenchRow } from './chain/row.ts'
import { benchSvm } from './chain/svm.ts'

/** The target, in settlements per second. */
const AIMS = 'aims: svm 1000 single and 5000 in batches, evm 800 single and 5000 in batches'

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } })

/** Rows of a chain. For a chain that this machine does not have, no rows and the reason. */
async function rowsOf(bench: () => Promise<readonly ChainBenchRow[]>): Promise<readonly ChainBenchRow[]> {
  try {
    return await bench()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    console.error(`not measured: ${error.describe()}`)
    return []
  }
}

const rows = [...await rowsOf(benchSvm), ...await rowsOf(benchEvm)]
if (options.json) console.log(JSON.stringify({ node: process.version, cores: availableParallelism(), rows }))
else {
  console.log(`settlements per second of wall time, interleaved rounds: median, slowest, fastest; ${availableParallelism()} cores; ${AIMS}`)
  console.log(['chain', 'settled'.padEnd(62), ...['median', 'low', 'high'].map((name) => name.padStart(9))].join('  '))
  for (const { chain, what, ...rates } of rows) {
    const figures = [rates.perSecond, rates.low, rates.high].map((rate) => rate.toFixed(0).padStart(9))
    console.log([chain.padEnd(5), what.padEnd(62), ...figures].join('  '))
  }
}
