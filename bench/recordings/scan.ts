// Reads each column of a file by DuckDB, and sums it up: `scan.ts FORMAT FILE`.
import { DuckDBInstance } from '@duckdb/node-api'
import { cpuSeconds } from '../cpuSeconds.ts'

const [format, file] = process.argv.slice(2)
const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
const [before, startedMs] = [process.cpuUsage(), performance.now()]
await connection.run(`select count(*), max(ts), max(ticker), sum(bid), sum(ask), sum(bid_size), sum(ask_size) from read_${format === 'csv' ? 'csv' : 'parquet'}('${file}')`)
console.log(JSON.stringify({ cpuSeconds: cpuSeconds(before), wallSeconds: (performance.now() - startedMs) / 1000, peakMb: process.resourceUsage().maxRSS * 1.024e-3 }))
