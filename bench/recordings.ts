// Recordings beside DuckDB and polars on the same files: `npm run bench:recordings [-- --rows N] [--days N] [--rounds N]`. Python with polars is
// that of PARLOR_BENCH_PYTHON, or of the environment of test/python.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Room } from './room.ts'
import { rangeOf } from './figures.ts'

const MAP = 'files: [{ kind: quotes, market: ticker, time: { column: ts, unit: us }, bid: bid, ask: ask, bid_size: bid_size, ask_size: ask_size }]\n'
const VENV = join(import.meta.dirname, '../.venv/bin/python')

/** Each column is read and summed, so that none is left out. */
const POLARS = `
import json, resource, sys, time, polars as pl
before, start = resource.getrusage(resource.RUSAGE_SELF), time.time()
frame = (pl.scan_csv if sys.argv[1] == 'csv' else pl.scan_parquet)(sys.argv[2])
frame.select(pl.len(), pl.col('ts').max(), pl.col('ticker').max(), pl.col('bid').sum(), pl.col('ask').sum(), pl.col('bid_size').sum(), pl.col('ask_size').sum()).collect()
after = resource.getrusage(resource.RUSAGE_SELF)
cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print(json.dumps({'cpuSeconds': cpu, 'wallSeconds': time.time() - start, 'peakMb': after.ru_maxrss * 1.024e-3}))
`

interface Reading {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly peakMb: number
}

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '5000000' }, days: { type: 'string', default: '60' }, rounds: { type: 'string', default: '3' } },
})
const [rows, days, rounds] = [Number(options.rows), Number(options.days), Number(options.rounds)]
const room = new Room()
try {
  const files = { parquet: join(room.dir, 'quotes.parquet'), csv: join(room.dir, 'quotes.csv') }
  const [map, script, store] = [join(room.dir, 'map.yaml'), join(room.dir, 'scan.py'), join(room.dir, 'store')]
  writeFileSync(map, MAP)
  writeFileSync(script, POLARS)
  room.play('recordings/make.ts', rows, days, files.parquet, files.csv)
  const python = [process.env['PARLOR_BENCH_PYTHON'], VENV].find((path) => path !== undefined && existsSync(path) && spawnSync(path, ['-c', 'import polars']).status === 0)
  const imported = (format: 'parquet' | 'csv', workers: number): Reading => {
    rmSync(store, { recursive: true, force: true })
    return room.play('recordings/import.ts', format, files[format], map, store, workers) as unknown as Reading
  }
  const programs = (['parquet', 'csv'] as const).flatMap((format) => [
    { name: `${format}: parlor writes a store, 1 worker`, run: () => imported(format, 1) },
    { name: `${format}: parlor writes a store, 2 workers`, run: () => imported(format, 2) },
    { name: `${format}: DuckDB scans, 2 threads`, run: () => room.play('recordings/scan.ts', format, files[format]) as unknown as Reading },
    ...python === undefined ? [] : [{ name: `${format}: polars scans`, run: () => room.run(python, [script, format, files[format]]) as unknown as Reading }],
  ])
  const readings = programs.map((): Reading[] => [])
  const dayReadings: Record<string, number>[] = []
  for (let round = 0; round < rounds; round++) {
    programs.forEach(({ name, run }, i) => {
      const reading = run()
      readings[i]!.push(reading)
      console.error(`round ${round + 1}: ${name}: ${JSON.stringify(reading)}`)
    })
    dayReadings.push(room.play('recordings/day.ts', store, Math.floor(days / 2)))
  }
  const { format } = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
  const median = (values: readonly number[]): string => format(rangeOf(values).median)
  console.log(`${rows} rows of ${days} days, ${rounds} rounds interleaved, medians; load ${loadavg()[0]!.toFixed(1)}`)
  programs.forEach(({ name }, i) => {
    const all = readings[i]!
    console.log(`${name.padEnd(40)} ${median(all.map(({ cpuSeconds }) => rows / cpuSeconds / 1e6))} M rows a CPU-second, ${median(all.map(({ wallSeconds }) => rows / wallSeconds / 1e6))} M rows/s, peak ${median(all.map(({ peakMb }) => peakMb))} MB`)
  })
  for (const key of Object.keys(dayReadings[0]!)) console.log(`${key.padEnd(40)} ${median(dayReadings.map((reading) => reading[key]!))}`)
  if (python === undefined) console.log('left out: polars, no Python that has it')
} finally {
  room.close()
}
