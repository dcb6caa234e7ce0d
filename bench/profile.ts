// Where the CPU time of a profile goes, by source file, what V8 inlines counted where it is written:
// `node --cpu-prof --cpu-prof-dir DIR tools/bundle/run.mjs bench/engine.ts 100000`, then `node tools/bundle/run.mjs bench/profile.ts DIR [FILES]`.
import { readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert } from '../src/unit/assert.ts'

interface Profile {
  readonly nodes: readonly {
    readonly callFrame: { readonly url: string; readonly functionName: string }
    readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[]
  }[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = 40

const maps = new Map<string, SourceMap | null>()

function mapOf(path: string): SourceMap | null {
  if (!maps.has(path)) {
    let map: SourceMap | null = null
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    maps.set(path, map)
  }
  return maps.get(path)!
}

/** The source of a line of a bundle, by the first of its columns that has one. */
function sourceOf(url: string, line: number): string {
  if (!url.startsWith('file:')) return url === '' ? 'V8' : url
  const path = fileURLToPath(url)
  const found = mapOf(path)?.findEntry(line - 1, Number.MAX_SAFE_INTEGER) as { originalSource?: string } | undefined
  if (found?.originalSource === undefined) return relative(ROOT, path)
  const source = found.originalSource
  return relative(ROOT, source.startsWith('file:') ? fileURLToPath(source) : join(dirname(path), source))
}

const [dir, files = String(FILES)] = process.argv.slice(2)
assert(dir !== undefined, 'profile.ts is given the folder of a profile')
const name = readdirSync(dir).find((file) => file.endsWith('.cpuprofile'))
assert(name !== undefined, `${dir} has a profile`)
const { nodes } = JSON.parse(readFileSync(join(dir, name), 'utf8')) as Profile
const ticksOf = new Map<string, number>()
let all = 0
for (const { callFrame: { url, functionName }, positionTicks = [] } of nodes) {
  if (functionName === '(idle)') continue
  for (const { line, ticks } of positionTicks) {
    const source = sourceOf(url, line)
    ticksOf.set(source, (ticksOf.get(source) ?? 0) + ticks)
    all += ticks
  }
}
const sorted = [...ticksOf].sort((a, b) => b[1] - a[1])
console.log(`${all} samples; share of them by source file`)
for (const [source, ticks] of sorted.slice(0, Number(files))) console.log(`${((ticks / all) * 100).toFixed(1).padStart(5)} %  ${source}`)
