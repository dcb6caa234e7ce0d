import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Imports that run: those of types alone are left out, because no change of a source can be told through them. */
const IMPORT = /^\s*(?:import|export)\b(?!\s+type\b)[^'";]*?\bfrom\s+'(\.[^']+)'|^\s*import\s+'(\.[^']+)'|\b(?:import|URL)\(\s*'(\.[^']+\.ts)'/gm

/** Tests of these folders start processes, which take the sources from the bundle, or look at texts: they notice no change of a module. */
const BLIND = /^test\/(?:architecture|bench|cli|conformance|docs|mutation|notebooks|python|tools)\/|gainstModel\.test\.ts$|wrongFee\.test\.ts$|browser\.test\.ts$/

/** What each file under `root` imports of this project: paths from the root. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** The imports of all sources and tests under `root`. */
export function importsUnder(root: string): Imports {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root })
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]))
}

/** What the text of a file imports, by paths from the root. */
export function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, from, bare, late]) => join(dirname(file), from ?? bare ?? late!))
}

/**
 * The tests that run a source, nearest first: those that reach it over the fewest imports, of these first those of the source's own folder.
 * `most` is how many at most, besides all of the source's own folder.
 */
export function nearestTests(source: string, imports: Imports, most: number): string[] {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports) for (const of of imported) importers.set(of, [...importers.get(of) ?? [], file])
  const distances = new Map([[source, 0]])
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1)
  }
  const seeing = [...distances].filter(([file]) => file.endsWith('.test.ts') && !BLIND.test(file))
  // Tests do not mirror every folder below: those of the folder above are then the source's own.
  let own = dirname(source).replace(/^src/, 'test')
  while (own !== 'test' && own !== '.' && !seeing.some(([file]) => file.startsWith(`${own}/`))) own = dirname(own)
  const isOwn = (file: string): boolean => own !== 'test' && file.startsWith(`${own}/`)
  const tests = seeing.sort(([a, near], [b, far]) => near - far || Number(isOwn(b)) - Number(isOwn(a)) || (a < b ? -1 : 1)).map(([file]) => file)
  const others = new Set(tests.filter((file) => !isOwn(file)).slice(0, most))
  return tests.filter((file) => isOwn(file) || others.has(file))
}
