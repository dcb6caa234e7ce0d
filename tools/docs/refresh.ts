// Runs the commands named in `<!-- output: … -->` marks and puts what they print into the fenced block below: `npm run docs`,
// or for some pages alone `node tools/docs/refresh.ts docs/outcome.md`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const MARK = /(<!-- output: (.+?) -->\n```[a-z]*)\n[^]*?(?<=\n)(```)/g

function output(command: string): string {
  const line = command.replace(/\bparlor (?=run|import|whatif|diff|explain|redraw|verify|reconcile|sweep|league|validate)/g, 'bin/parlor.mjs ')
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`${command}: exit ${status}\n${stderr}`)
  return stdout.trimEnd()
}

const all = ['README.md', 'bench/README.md', ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${String(name)}`)]
const named = process.argv.slice(2)
/** Pages whose runs other pages describe go first. */
const FIRST = ['bench/README.md', 'docs/runs.md']
const pages = named.length > 0 ? named : [...FIRST, ...all.filter((name) => name.endsWith('.md') && !FIRST.includes(name))]
for (const page of pages) {
  const path = join(root, page)
  const text = readFileSync(path, 'utf8')
  const fresh = text.replace(MARK, (_, head: string, command: string, tail: string) => {
    console.log(`${page}: ${command}`)
    return `${head}\n${output(command)}\n${tail}`
  })
  if (fresh !== text) writeFileSync(path, fresh)
}
