// Makes a bundle: `node tools/bundle/bundle.ts FOLDER [SCRIPT]`, of the command line, or of a script in its place (docs/decisions/0014).
import { globSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { sourceTreeDigest } from '../../src/record/manifest.ts'
import { bundledRoom } from '../../src/scenario/roomScript.ts'
import { Bug } from '../../src/unit/assert.ts'
import { isProgram } from './isProgram.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
const SRC = join(ROOT, 'src')

/** The chunk of the engine. The code of a session is compiled in one scope, because V8 folds a constant that is in the same scope as a function. */
export const ENGINE = 'engine'
/** What the command line needs before it knows its command, so that `parlor --help` does not load the engine. */
export const FRONT = 'front'
const FRONT_MODULES = ['unit/assert.ts', 'unit/columnsText.ts', 'unit/httpUrl.ts', 'unit/inputError.ts', 'unit/numberText.ts', 'chain/mirror/settlementFailure.ts', 'result/failures.ts', 'scenario/sourcePlaces.ts', 'scenario/workerThread.ts',
  'actions/failure.ts', 'actions/threads.ts', 'cli/common.ts', 'cli/failure.ts', 'unit/visibleText.ts']
const ENGINE_LAYERS = ['unit', 'math', 'kernel', 'market', 'ledger', 'venue', 'agent', 'engine']

/** Whether a module belongs to the engine's layers. The wires of the services load signing code and are used by chains alone. */
export function isOfEngine(module: string): boolean {
  const path = relative(SRC, module).split(sep).join('/')
  return ENGINE_LAYERS.includes(path.split('/')[0]!) && !path.includes('/wire/') && !FRONT_MODULES.includes(path)
}

const isOfFront = (module: string): boolean => FRONT_MODULES.includes(relative(SRC, module).split(sep).join('/'))

/** Packages that stay in node_modules. They load files beside them at run time (native code, threads), or a user adds them. */
export const PACKAGES_APART = ['@aws-sdk/client-s3', '@duckdb/node-api', '@solana/web3.js', 'bullmq', 'ioredis', 'litesvm', 'piscina', 'rolldown', 'secp256k1', 'typescript']
/** Native code that `ws` is faster with where it happens to be installed, and does without elsewhere. */
const PACKAGES_BY_CHANCE = ['bufferutil', 'utf-8-validate']
/** Modules of ours that are loaded late by their place. */
const LATE = ['venue/outcome/wire/viemSigning.ts']

/** The package of a module, null for a module of ours. */
export function packageOf(module: string): string | null {
  return /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/s.exec(module)?.[1] ?? null
}

const isApart = (id: string): boolean => [...PACKAGES_APART, ...PACKAGES_BY_CHANCE].some((name) => id === name || id.startsWith(`${name}/`))

/** Modules at which a thread, a strategy's `import … from 'parlor'`, the launcher or a late load begins, with the names of their files in the bundle. */
function entriesOf(script: string | undefined): Map<string, string> {
  const own = ['index.ts', 'actions.ts', ...LATE, ...globSync('**/*.worker.ts', { cwd: SRC }), ...(script === undefined ? ['cli/main.ts'] : ['scenario/sourcePlaces.ts', 'actions/failure.ts', 'actions/threads.ts', 'cli/common.ts', 'cli/failure.ts', 'unit/visibleText.ts'])]
  return new Map([...own.map((path) => [join(SRC, path), basename(path, '.ts')] as const), ...(script === undefined ? [] : [[script, 'script'] as const])])
}

/** Keeps a module's own place true: it is the module's own file, except for entries, which lie in the bundle. */
function ownPlaces(folder: string, entries: ReadonlyMap<string, string>, script: string | undefined): Plugin {
  return {
    name: 'own places',
    transform: {
      filter: { id: /\.ts$/, code: /\bimport\.meta\b/ },
      handler: (code, id) => ({
        map: null,
        code: code
          .replaceAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (whole, path: string) => {
            const entry = entries.get(resolve(dirname(id), path))
            return entry === undefined ? whole : `new URL('./${entry}.js', import.meta['url'])`
          })
          .replaceAll(/\bimport\.meta\.url\b/g, `new URL(${JSON.stringify(relative(folder, id).split(sep).join('/'))}, import.meta['url']).href`)
          .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(id)))
          .replaceAll(/\bimport\.meta\.main\b/g, String(id === script)),
      }),
    },
  }
}

/** Whether a chunk has packages alone. Their bindings are left alone, because some are CommonJS, which binds late. */
export const isOfPackages = ({ moduleIds }: { readonly moduleIds: readonly string[] }): boolean => moduleIds.every((id) => id.startsWith('\0') || packageOf(id) !== null)

const IMPORT = /^import \{ ([^}]+) \} from "(\.\/[^"]+)";$/gm
const EXPORT = /^export \{ ([^}]+) \};$/m

/**
 * What crosses the border of a chunk is bound in a constant of its own on both sides, because an import, or an exported variable, is read
 * anew at every use. Chunks import each other without circles, so that everything exists when it is bound. What the bundler declares with
 * `var` (a class or a default export) becomes a constant too.
 */
function constantBorders(): Plugin {
  return {
    name: 'constant borders',
    renderChunk: (code, chunk) => {
      if (isOfPackages(chunk)) return null
      const changing = new Set([...code.matchAll(/^let ([\w$]+)/gm)].map(([, name]) => name))
      const bound = code
        .replaceAll(/^var ([\w$]+) =/gm, 'const $1 =')
        .replaceAll(IMPORT, (_, list: string, from: string) => {
          const names = list.split(', ').map((item) => item.split(' as ') as [string, string?])
          const imported = names.map(([name, as = name]) => `${name} as ${as}$in`).join(', ')
          return `import { ${imported} } from "${from}"; const ${names.map(([name, as = name]) => `${as} = ${as}$in`).join(', ')};`
        })
        .replace(EXPORT, (_, list: string) => {
          const names = list.split(', ').map((item) => item.split(' as ') as [string, string?])
          for (const [name] of names) if (changing.has(name)) throw new Bug(`${chunk.name} exports ${name}, which may change`)
          return `const ${names.map(([name]) => `${name}$out = ${name}`).join(', ')}; export { ${names.map(([name, as = name]) => `${name}$out as ${as}`).join(', ')} };`
        })
      return { code: bound, map: null }
    },
  }
}

/** Bundles the command line, or `script`, into `folder`, and says what there is. */
export async function bundle(path: string, script?: string): Promise<readonly OutputChunk[]> {
  mkdirSync(path, { recursive: true })
  // The bundle's modules are named by their real path, from which they find their sources.
  const folder = realpathSync(path)
  const entries = entriesOf(script)
  const sourceTree = sourceTreeDigest(ROOT)
  const room = await bundledRoom()
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([...entries].map(([path, name]) => [name, path])),
    platform: 'node',
    external: isApart,
    tsconfig: false,
    transform: { target: 'esnext', define: { BUNDLED_SOURCE_TREE: JSON.stringify(sourceTree), BUNDLED_ROOM: JSON.stringify(room) } },
    optimization: { inlineConst: { mode: 'all', pass: 3 } },
    plugins: [ownPlaces(folder, entries, script), constantBorders()],
  })
  const { output } = await build.write({
    dir: folder, cleanDir: true, format: 'esm', sourcemap: true, sourcemapExcludeSources: true, minifyInternalExports: false, comments: false,
    entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: packageOf, debugName: 'packages', test: /[\\/]node_modules[\\/]/, priority: 3 }, { name: FRONT, test: isOfFront, priority: 2 }, { name: ENGINE, test: isOfEngine, priority: 1 }] },
  })
  await build.close()
  if (sourceTreeDigest(ROOT) !== sourceTree) throw new Bug('the sources changed while they were bundled')
  const chunks = output.filter((part) => part.type === 'chunk')
  writeFileSync(join(folder, 'licences.txt'), licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
  return chunks
}

interface PackageJson {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string; readonly email?: string }
}

/** What a package without a file of its terms says of them: the end of its README, or else its author. */
function ownWords(folder: string, author: PackageJson['author']): string {
  const [readme] = globSync('{README,readme,Readme}*', { cwd: folder })
  const words = readme === undefined ? null : /^[#\s]*licen[cs]e\b[^]*/im.exec(readFileSync(join(folder, readme), 'utf8'))
  return words?.[0].trim() ?? `Its author: ${typeof author === 'object' ? [author.name, author.email].filter(Boolean).join(' ') : author ?? 'not named'}.`
}

/** The packages in a bundle and their licences. */
function licencesOf(modules: readonly string[]): string {
  const inBundle = modules.map((module) => [packageOf(module), module] as const).filter(([name]) => name !== null)
  const folders = new Set(inBundle.map(([name, module]) => module.slice(0, module.lastIndexOf(`${sep}${name}${sep}`) + name!.length + 1)))
  return [...folders].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
    const texts = globSync('{LICENSE,LICENCE,License,license,NOTICE,COPYING}*', { cwd: folder }).sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version}: ${license ?? 'names no licence'}`, ...texts.length > 0 ? new Set(texts) : [ownWords(folder, author)]].join('\n\n')
  }).join(`\n\n${'-'.repeat(80)}\n\n`).concat('\n')
}

if (isProgram(import.meta.url)) {
  const [folder, script] = process.argv.slice(2)
  await bundle(resolve(folder!), script === undefined ? undefined : resolve(script))
}
