import { existsSync, readFileSync, statSync } from 'node:fs'
import { type LoadFnOutput, registerHooks } from 'node:module'
import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BettorStrategy } from '../agent/bettor.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { shownWords } from '../unit/visibleText.ts'
import { BUILT_IN_BETTORS, BUILT_IN_MAKERS } from './builtIn.ts'
import { EXTERNAL, EXTERNAL_BETTOR, externalMaker } from './externalSeats.ts'
import { type ModuleGraph, moduleGraph } from './moduleGraph.ts'
import { Room } from './room.ts'
import { roomModules } from './roomModules.ts'
import { isParameterUnit } from './settings.ts'
import { keepMap, nameSources, originOf } from './sourcePlaces.ts'
import type { Permission } from './strategySchema.ts'
import { isModule, withoutTypes } from './typeScript.ts'
import { shown } from './units.ts'

/** `isTrusted` where it comes from a file that runs as any module of Node does. */
export type Strategy = (MakerStrategy | BettorStrategy) & { readonly isTrusted?: boolean }
export type Role = Strategy['role']

/** A strategy as a scenario names it. `path` and `graph` are there for strategy files, not for built-in ones. */
export interface LoadedStrategy {
  readonly use: string
  readonly strategy: Strategy
  /** Whether a program gave it as an object, whose code no digest has. */
  readonly isGiven?: boolean
  readonly path?: string
  readonly graph?: ModuleGraph
}

const BUILT_IN: Readonly<Record<Role, Readonly<Record<string, Strategy>>>> = {
  maker: BUILT_IN_MAKERS as unknown as Record<string, Strategy>, bettor: BUILT_IN_BETTORS as unknown as Record<string, Strategy>,
}

export const builtInNames = (role: Role): string[] => Object.keys(BUILT_IN[role])

/** What `import … from 'parlor'` means: the package that runs, so that there is one copy of what its modules keep. */
const PARLOR_URL = new URL('../index.ts', import.meta.url).href
/** Folders of parlor's own modules: of its sources, and of the bundle. */
const OWN_FOLDER_URLS = [new URL('../', import.meta.url).href, new URL('.', PARLOR_URL).href]
/** What tells the modules of one fresh import from those of another. */
const FRESH = /\?fresh=\d+$/
const MODULE = /\.m?[jt]s$/
const TYPESCRIPT = /\.m?ts$/
let hooked = false
let imports = 0

/** Makes `import … from 'parlor'` work in files anywhere, and what a fresh module imports fresh, and takes types out; once per thread. */
export function registerParlorImport(): void {
  if (hooked) return
  hooked = true
  nameSources()
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'parlor') return next(PARLOR_URL, context)
      const resolved = next(specifier, context)
      const fresh = FRESH.exec(context.parentURL ?? '')?.[0]
      return fresh !== undefined && isStrategyCode(resolved.url) ? { ...resolved, url: resolved.url + fresh } : resolved
    },
    load: (url, context, next) => (isTypeScript(url) ? loadTypeScript(url, context.format) : undefined) ?? next(url, context),
  })
}

const isTypeScript = (url: string): boolean => {
  const file = url.replace(FRESH, '')
  return TYPESCRIPT.test(file) && isStrategyCode(file)
}

/** Undefined for what is no module, which is left to Node. `format` is what Node knows of the file without reading it. */
function loadTypeScript(url: string, format: string | null | undefined): LoadFnOutput | undefined {
  const path = fileURLToPath(url)
  const text = readFileSync(path, 'utf8')
  if (format !== 'module-typescript' && (typeof format === 'string' || !isModule(path, text))) return undefined
  const { code, map } = withoutTypes(path, text)
  keepMap(url, map)
  return { format: 'module', source: code, shortCircuit: true }
}

/** A module beside a strategy's: no package, and nothing of parlor, whose modules keep nothing between sessions. */
const isStrategyCode = (url: string): boolean =>
  url.startsWith('file:') && MODULE.test(url) && !OWN_FOLDER_URLS.some((own) => url.startsWith(own)) && !url.includes('/node_modules/')

/** Gets the strategy that a file exports; `role` undefined: for any. Throws InputError for one that does not load or is no strategy for the role. */
export type StrategyImport = (path: string, role: Role | undefined) => Promise<Strategy>

/**
 * Imports files into this thread anew, with all that they import but packages and parlor itself: modules of one such import share
 * what they keep, and nothing with those of another. Costs a millisecond and some 20 kB for each small file, which are never given back.
 */
export function freshImport(): StrategyImport {
  const fresh = `?fresh=${++imports}`
  return (path, role) => imported(path, pathToFileURL(path).href + fresh, role)
}

/**
 * Runs files in rooms: each in one of its own, with all that it imports, where nothing of the engine or the host can be reached. Modules share
 * what they keep within a room, and each import makes a new room.
 */
export const roomImport: StrategyImport = (path, role) => importInRoom(path, role, [])

async function importInRoom(path: string, role: Role | undefined, allowed: readonly Permission[]): Promise<Strategy> {
  nameSources()
  const strategy = await roomModules(path).then((modules) => Room.evaluating(pathToFileURL(path).href, modules, allowed)).catch((cause: unknown) => unloadable(path, cause))
  return strategyOf(strategy, role, path)
}

/** How strategy files are imported. Those of people who trust them run as any module of Node does, anew for each session. `allowed`: what the others may do. */
export function importOf(isTrusted: boolean, allowed: readonly Permission[] = []): StrategyImport {
  if (isTrusted) return freshImport()
  return allowed.length === 0 ? roomImport : (path, role) => importInRoom(path, role, allowed)
}

/** A text in which modules are named as they are on the disk. */
export const withoutFresh = (text: string): string => text.replaceAll(/\?fresh=\d+/g, '')

async function imported(path: string, url: string, role: Role | undefined): Promise<Strategy> {
  registerParlorImport()
  const module = await import(/* @vite-ignore */ url).catch((cause: unknown) => unloadable(path, cause)) as { default?: unknown }
  return { ...strategyOf(module.default, role, path), isTrusted: true }
}

/** Strategies that a program gives as objects, by the names under which a scenario uses them. */
export type GivenStrategies = Readonly<Record<string, Strategy>>

/** Throws InputError for strategies that a program gives under names that mean something else, or that are none. */
export function checkGiven(given: GivenStrategies): void {
  for (const [name, strategy] of Object.entries(given)) {
    const position = { file: `strategies.${name}` }
    if (isPath(name) || name === '' || name === EXTERNAL) throw new InputError('is no name for a strategy', { position, hint: 'expected a name that is no path, as mine' })
    if (Object.values(BUILT_IN).some((strategies) => Object.hasOwn(strategies, name))) throw new InputError('is the name of a built-in strategy', { position, hint: 'expected another name, as mine' })
    strategyOf(strategy, undefined, position.file, true)
  }
}

/** Whether `use` names a file. */
export const isPath = (use: string): boolean => isAbsolute(use) || use.startsWith('.') || /[\\/]|\.[cm]?[jt]s$/.test(use)

/**
 * The strategy that `use` names: one of `given`, a built-in one, or the default export of a file, relative to `folder`. Throws InputError
 * for a name or a file that is not there, does not load, or holds no strategy for the role.
 */
export async function loadStrategy(use: string, role: Role, folder: string, load: StrategyImport = roomImport, given: GivenStrategies = {}): Promise<LoadedStrategy> {
  if (Object.hasOwn(given, use)) return { use, strategy: strategyOf(given[use], role, `strategies.${use}`, true), isGiven: true }
  if (use === EXTERNAL) return { use, strategy: role === 'maker' ? externalMaker(() => {}) : EXTERNAL_BETTOR }
  if (!isPath(use)) {
    const strategy = Object.hasOwn(BUILT_IN[role], use) ? BUILT_IN[role][use] : undefined
    if (strategy !== undefined) return { use, strategy }
    const near = nearestName(use, builtInNames(role))
    throw new InputError(`no ${role} strategy named ${use}${near === undefined ? '' : `; did you mean ${near}?`}`, {
      hint: `expected ${builtInNames(role).join(', ')}, or the path of a file, as ./${use}.ts`,
    })
  }
  return loadFile(use, role, folder, load)
}

/** The strategy in a file, for either role. Throws InputError as {@link loadStrategy}. */
export const loadStrategyOfAnyRole = (file: string, load: StrategyImport = roomImport): Promise<LoadedStrategy> => loadFile(file, undefined, '.', load)

async function loadFile(use: string, role: Role | undefined, folder: string, load: StrategyImport): Promise<LoadedStrategy> {
  const path = resolve(folder, use)
  if (!isFile(path)) throw new InputError(`no strategy file ${use}`, { hint: `looked for ${path}${fromHere(use, path, folder)}` })
  const graph = moduleGraph(path)
  return { use, strategy: await load(path, role), path, graph }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** What to write for a file that lies where a shell would look for it, and not where a scenario does. */
function fromHere(use: string, path: string, folder: string): string {
  const here = resolve(use)
  if (here === path || !isFile(here)) return ''
  const written = relative(folder, here).replaceAll('\\', '/')
  return `, since a path begins in the folder of the scenario, also with --set; for ${here} write ${/^\.|^\w:/.test(written) ? written : `./${written}`}`
}

/** A strategy as it is now, where it comes from a file. */
export const reloadStrategy = async (loaded: LoadedStrategy, role: Role, load: StrategyImport): Promise<LoadedStrategy> =>
  (loaded.path === undefined ? loaded : { ...loaded, graph: moduleGraph(loaded.path), strategy: await load(loaded.path, role) })

function unloadable(path: string, cause: unknown): never {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const place = arrowedPlace(path, error) ?? placeIn(path, error)
  throw new InputError(`the strategy does not load: ${error.name}: ${withoutFresh(error.message).trim().split('\n')[0]}`, { position: { file: path, ...place }, cause })
}

/** The place of an error that Node finds in linking a module. Its stack begins with the line, as the module has it, and an arrow below. */
function arrowedPlace(path: string, { stack = '' }: Error): { readonly line: number; readonly column: number } | null {
  const at = /^(file:\S+):(\d+)\n.*\n( *)\^/.exec(stack)
  const origin = at === null ? null : originOf({ url: at[1]!, line: Number(at[2]), column: at[3]!.length + 1 })
  return origin === null || fileURLToPath(origin.url) !== path ? null : { line: origin.line, column: origin.column }
}

function placeIn(path: string, { stack = '' }: Error): { readonly line?: number; readonly column?: number } {
  const at = new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:\\?fresh=\\d+)?:(\\d+)(?::(\\d+))?`).exec(stack)
  return at === null ? {} : { line: Number(at[1]), ...(at[2] === undefined ? {} : { column: Number(at[2]) }) }
}

/** Checks that a value is a strategy for the role (undefined: for any), made by `maker()` or `bettor()`. `isGiven`: it is no file's default export. */
function strategyOf(value: unknown, role: Role | undefined, file: string, isGiven = false): Strategy {
  const fail = (message: string): never => {
    throw new InputError(message, { position: { file }, hint: `expected \`${isGiven ? '' : 'export default '}${role ?? 'maker'}({ …parameters }, (p) => ({ …handlers }))\`` })
  }
  const it = isGiven ? 'it' : 'its default export'
  if (value === undefined) return fail(isGiven ? 'it is not there' : 'has no default export')
  const strategy = value as Partial<Strategy> | null
  if (typeof strategy !== 'object' || strategy === null || typeof strategy.create !== 'function') return fail(`${it} is not a strategy`)
  if (role === undefined ? !Object.hasOwn(BUILT_IN, strategy.role ?? '') : strategy.role !== role) return fail(`${it} has the role ${shown(strategy.role)}, expected a ${role ?? 'maker or bettor'}`)
  const { parameters } = strategy
  if (typeof parameters !== 'object' || parameters === null) return fail('its parameters are not a map')
  for (const [given, parameter] of Object.entries(parameters)) {
    const name = shownWords(given)
    if (given in Object.prototype) return fail(`its parameter ${name} has the name of what every object has: give it another`)
    if (typeof parameter !== 'object' || parameter === null || !isParameterUnit(parameter.unit)) {
      return fail(`its parameter ${name} is not a descriptor: use pct, cents, usd, ms, seconds, num or count`)
    }
    const { default: value, min, max } = parameter
    if (![value, min, max].every(Number.isFinite)) return fail(`its parameter ${name} needs a default, a min and a max that are numbers`)
    if (!(min <= value && value <= max)) return fail(`the default ${value} of its parameter ${name} is not within ${min} … ${max}`)
  }
  return strategy as Strategy
}
