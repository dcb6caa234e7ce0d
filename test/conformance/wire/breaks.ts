// Breaks one route of the server after the other, and looks which rules the client then refutes:
// `npm run conformance:wire:breaks -- --count 20 --seed 1`. Routes are drawn by the seed from both services. In a copy of the checkout the table of
// routes loses the one that was drawn. Its rules are those whose rows called it when all was well and saw anything but a 404 NOT_FOUND, which is
// what a route that is not there answers too. Fails where a rule turned red that is not of the route, or one of the route did not. A red rule that is not
// of the route is tried again, since an answer may be late on a busy machine: it counts when it is red twice. Sessions in which no row calls the
// route are not played again: nothing of it is called there.
// `--write` puts each row into docs/conformance/wire.md as soon as it is known, beside those of the other drawn routes, so that parts of the draw
// (`--from 8 --until 12`) add up. `--well FILE` reads what was seen when all was well from a run's `--out FILE`.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawsOf } from '../../draws.ts'
import type { Service } from './session.ts'

interface Outcome {
  readonly ids: readonly string[]
  readonly area: string
  readonly session: string
  readonly why: string | null
  readonly seen: readonly { readonly method: string; readonly path: string; readonly status: number; readonly text: string }[]
}

interface Route {
  readonly service: Service
  readonly name: string
  readonly method: string
  readonly path: string
}

const { values } = parseArgs({ options: {
  count: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' }, write: { type: 'boolean' }, well: { type: 'string' }, from: { type: 'string', default: '0' },
  until: { type: 'string' },
} })
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGE = join(ROOT, 'docs/conformance/wire.md')
/** The end of each service's table of routes, and what stands there without one of them. */
const TABLES: Readonly<Record<Service, readonly [end: string, without: (name: string) => string]>> = {
  parlay: ['...LIVE_ROUTES,\n  ]', (name) => `...LIVE_ROUTES,\n  ].filter((one) => one.name !== '${name}')`],
  outcome: ['...accessRoutes(limits), ...SOCKETS]', (name) => `...accessRoutes(limits), ...SOCKETS].filter((one) => one.name !== '${name}')`],
}
const fileOf = (service: Service): string => `src/serve/${service}/routes.ts`

const routesOf = (service: Service): Route[] =>
  [...readFileSync(join(ROOT, fileOf(service)), 'utf8').matchAll(/(\w+)(?:<\w+>)?\((?:\w+\.\w+, )?(?:\[[^\]]*\], )?\{\s*name: '(\w+)',(?: method: '(\w+)',)? path: '(\/[^']+)'/g)]
    .map(([, maker, name, stated, path]) => ({ service, name: name!, method: stated ?? (maker === 'keyed' ? 'POST' : 'GET'), path: path! }))

/** Whether something that was seen came of the route, whichever of its paths was called. */
function isOf({ method, path }: Route): (seen: Outcome['seen'][number]) => boolean {
  const shape = new RegExp(`^(/v1)?${path.replace('/v1', '').replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
  return ({ method: called, path: to, status, text }) => called === method && !(status === 404 && text.includes('"code":"NOT_FOUND"')) && shape.test(to)
}

/** Plays sessions against a checkout. A route that is gone is waited for no longer than `patienceS`. */
function played(root: string, sessions?: ReadonlySet<string>, patienceS = 20): readonly Outcome[] {
  const out = join(mkdtempSync(join(tmpdir(), 'parlor-break-')), 'seen.json')
  const args = ['--root', root, '--out', out, '--quiet', '--patience', String(patienceS), ...(sessions === undefined ? [] : ['--session', [...sessions].join()])]
  spawnSync(process.execPath, [fileURLToPath(new URL('run.ts', import.meta.url)), ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  return JSON.parse(readFileSync(out, 'utf8')) as Outcome[]
}

const isOfService = ({ service }: Route) => ({ area }: Outcome): boolean => area.startsWith(`${service}/`)
const idsOf = (outcomes: readonly Outcome[]): Set<string> => new Set(outcomes.flatMap(({ ids }) => ids))
/** So many ids of a route are named. */
const NAMED_MAX = 12
const firstOf = (ids: ReadonlySet<string>): string => `${[...ids].sort().slice(0, NAMED_MAX).join(' ')}${ids.size > NAMED_MAX ? ' …' : ''}`
const shown = (ids: Iterable<string>): string => [...ids].sort().join(' ') || 'none'

/** A copy of the checkout in which a service has no such route. */
function copyWithout({ service, name }: Route): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-broken-'))
  for (const part of ['src', 'bin', 'data', 'tools', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const path = join(folder, fileOf(service))
  const text = readFileSync(path, 'utf8')
  const [end, without] = TABLES[service]
  if (text.split(end).length !== 2) throw new Error(`${fileOf(service)} does not end its table with ${end}`)
  writeFileSync(path, text.replace(end, () => without(name)))
  return folder
}

const isRed = ({ why }: Outcome): boolean => why !== null
const without = (ids: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> => new Set([...ids].filter((id) => !others.has(id)))

/** Rules that are red without the route: those of it, and others that are red twice. */
function redWithout(route: Route, touched: readonly Outcome[]): ReadonlySet<string> {
  const own = idsOf(touched)
  const root = copyWithout(route)
  const first = played(root, new Set(touched.map(({ session }) => session)), 8).filter(isRed)
  const besides = first.filter(({ ids }) => ids.some((id) => !own.has(id)))
  for (const { ids, session, why } of besides) console.error(`red besides, in ${session}: ${ids.join(' ')}: ${why}`)
  const again = besides.length === 0 ? [] : played(root, new Set(besides.map(({ session }) => session))).filter(isRed)
  rmSync(root, { recursive: true })
  const [once, twice] = [idsOf(first), idsOf(again)]
  return new Set([...once].filter((id) => own.has(id) || twice.has(id)))
}

const nameOf = ({ service, method, path }: Route): string => `${service} ${method} ${path}`

/** One row of the table, and whether the red rules are exactly those of the route. */
function broken(route: Route, well: readonly Outcome[]): { readonly line: string; readonly isExact: boolean } {
  const touched = well.filter(isOfService(route)).filter(({ seen }) => seen.some(isOf(route)))
  const own = idsOf(touched)
  const red = redWithout(route, touched)
  const [still, besides] = [without(own, red), without(red, own)]
  return { line: `| ${nameOf(route)} | ${own.size}: ${firstOf(own)} | ${red.size} | ${shown(still)} | ${shown(besides)} |`, isExact: still.size + besides.size === 0 }
}

const HEAD = ['| route that is gone | its rules | red | of them not red | red besides |', '|---|---|---|---|---|']
const TABLE = /\| route that is gone [^]*?\n\n/

/** Puts a row into the page's table, in the order of the draw. Rows of routes that were not drawn leave it. */
function write(line: string, drawn: readonly Route[]): void {
  const text = readFileSync(PAGE, 'utf8')
  const known = [...TABLE.exec(text)![0].trimEnd().split('\n').slice(HEAD.length), line]
  const rows = drawn.flatMap((route) => known.findLast((row) => row.startsWith(`| ${nameOf(route)} |`)) ?? [])
  writeFileSync(PAGE, text.replace(TABLE, () => `${[...HEAD, ...rows].join('\n')}\n\n`))
}

const all = [...routesOf('parlay'), ...routesOf('outcome')]
const draw = drawsOf(Number(values.seed))
const drawn = Array.from({ length: Number(values.count) }, () => all.splice(draw(all.length), 1)[0]!)
const well = values.well === undefined ? played(ROOT) : JSON.parse(readFileSync(values.well, 'utf8')) as Outcome[]
const refuted = idsOf(well.filter(isRed))
if (refuted.size > 0) throw new Error(`before anything was broken, these are red: ${shown(refuted)}`)
console.log(HEAD.join('\n'))
for (const route of drawn.slice(Number(values.from), Number(values.until ?? drawn.length))) {
  const { line, isExact } = broken(route, well)
  console.log(line)
  if (values.write === true) write(line, drawn)
  if (!isExact) process.exitCode = 1
}
