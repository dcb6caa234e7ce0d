// Breaks the server on purpose, and looks which rules the client then refutes: `node test/conformance/wire/breaks.ts --count 20 --seed 1`. Each
// break is one word of one file in a copy of the checkout: the path of a route, or the name of a field in a body or a frame. A route's rules
// are those whose rows called it when all was well; of a field, those whose rows were answered with a body that has it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawsOf } from '../../draws.ts'

interface Outcome {
  readonly ids: readonly string[]
  readonly area: string
  readonly why: string | null
  readonly seen: readonly { readonly method: string; readonly path: string; readonly status: number; readonly text: string }[]
}

/** One word of a file that becomes another. */
interface Break {
  readonly service: 'parlay' | 'outcome'
  readonly kind: 'route' | 'field'
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly touches: (seen: Outcome['seen'][number]) => boolean
}

const { values } = parseArgs({ options: { count: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' }, service: { type: 'string' } } })
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Paths of the tables of routes: each, with a letter more, leads nowhere. */
function routeBreaks(service: Break['service']): Break[] {
  const file = `src/serve/${service}/routes.ts`
  return [...read(file).matchAll(/(\w+)\((?:\w+\.\w+, )?(?:\[[^\]]*\], )?\{\s*name: '\w+',(?: method: '(\w+)',)? path: '(\/[^']+)'/g)].map(([text, maker, stated, path]): Break => {
    const method = stated ?? (maker === 'keyed' ? 'POST' : 'GET')
    const shape = new RegExp(`^${path!.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
    return {
      service, kind: 'route', name: `${method} ${path}`, file, from: text, to: text.replace(`'${path}'`, `'${path}x'`),
      touches: (seen) => (seen.method === method || /^(event|frame|close)/.test(seen.method)) && shape.test(seen.path),
    }
  })
}

/** Names of fields in the builders of bodies and frames. */
function fieldBreaks(service: Break['service']): Break[] {
  const folder = `src/venue/${service}/wire`
  return readdirSync(join(ROOT, folder)).filter((name) => /(Body|Frame|Bodies|Resource)s?\.ts$/.test(name)).flatMap((name) => {
    const file = `${folder}/${name}`
    return [...read(file).matchAll(/^ {4,}([a-z]+(?:_[a-z]+)+): [^\n]*,$/gm)].map(([line, field]): Break => ({
      service, kind: 'field', name: `${field} (${name})`, file, from: line, to: line.replace(`${field}:`, `${field}_x:`),
      touches: ({ text }) => text.includes(`"${field}":`),
    }))
  })
}

/** Plays the rules of the service's own session against a checkout. */
function played(root: string, service: string): Outcome[] {
  const out = join(mkdtempSync(join(tmpdir(), 'parlor-break-')), 'seen.json')
  const run = fileURLToPath(new URL('run.ts', import.meta.url))
  spawnSync(process.execPath, [run, '--root', root, '--session', service, '--out', out, '--quiet', '--patience', '6', '--abreast', '12'], { stdio: 'ignore' })
  return JSON.parse(readFileSync(out, 'utf8')) as Outcome[]
}

const idsOf = (outcomes: readonly Outcome[]): Set<string> => new Set(outcomes.flatMap(({ ids }) => ids))
const shown = (ids: ReadonlySet<string>): string => [...ids].sort().join(' ') || 'none'

function copyOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-broken-'))
  for (const name of ['src', 'bin', 'data', 'tools', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const services = (['parlay', 'outcome'] as const).filter((service) => values.service === undefined || values.service === service)
const sites = services.map((service) => [...routeBreaks(service), ...fieldBreaks(service)])
const draw = drawsOf(Number(values.seed))
const broken = copyOf()
const well = new Map(services.map((service) => [service, played(ROOT, service)]))
console.log('| broken | rules whose rows meet it | of those refuted | refuted besides |\n|---|---|---|---|')
for (let i = 0; i < Number(values.count); i++) {
  const of = sites[i % services.length]!
  const { service, kind, name, file, from, to, touches } = of.splice(draw(of.length), 1)[0]!
  const good = well.get(service)!.filter(({ why }) => why === null)
  const expected = idsOf(good.filter(({ seen }) => seen.some(touches)))
  const path = join(broken, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(from, () => to))
  const before = idsOf(good)
  const red = new Set([...idsOf(played(broken, service).filter(({ why }) => why !== null))].filter((id) => before.has(id)))
  writeFileSync(path, text)
  const met = new Set([...red].filter((id) => expected.has(id)))
  console.log(`| ${service}, ${kind} ${name} | ${expected.size} | ${met.size}: ${shown(met)} | ${shown(new Set([...red].filter((id) => !expected.has(id))))} |`)
}
rmSync(broken, { recursive: true })
