import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { acting } from './options.ts'

/** The project as it is written, but for what differs from one to the next. */
const EXAMPLE = new URL('../../examples/desk/', import.meta.url)
const OURS = new URL('../../package.json', import.meta.url)
const COPIED = ['scenario.yaml', 'maker.ts', 'maker.test.ts', 'README.md', 'tsconfig.json']
/** The newest vitest that takes each Node that parlor takes: vitest 5 leaves Node 20 out. */
const VITEST = '4.1.12'
const UNTRACKED = ['node_modules/', 'runs/', 'store/']

export interface InitOptions {
  /** A packed parlor (`npm pack` makes one) that the project installs. The default is parlor of the registry, in this version. */
  readonly package?: string
}

/** A project that was made. */
export interface MadeProject {
  readonly folder: string
  /** In the order of their names. */
  readonly files: readonly string[]
}

/**
 * Makes a project with a maker, a test of it and a scenario in which it plays. Nothing is installed, and no file is written over.
 *
 * @param folder a folder that does not exist, or is empty
 * @returns the folder, and the files that were written
 * @throws InputError for a folder that is not empty, and for a package that is not there
 * @example
 * const { files } = await init('my-desk')
 */
export const init = (folder: string, options: InitOptions = {}): Promise<MadeProject> => acting(async () => {
  checkEmpty(folder)
  const files = filesOf(folder, options.package)
  const made = mkdirSync(folder, { recursive: true })
  const written: string[] = []
  try {
    for (const [name, text] of files) {
      writeFileSync(join(folder, name), text, { flag: 'wx' })
      written.push(name)
    }
  } catch (error) {
    for (const name of written) rmSync(join(folder, name), { force: true })
    if (made !== undefined) rmSync(made, { recursive: true, force: true })
    throw error
  }
  return { folder, files: written.toSorted() }
})

function checkEmpty(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw new InputError('there is a file here', { position: { file: folder }, hint: 'choose another name' })
  const [first] = readdirSync(folder).toSorted()
  if (first !== undefined) throw new InputError(`the folder is not empty: it has ${first}`, { position: { file: folder }, hint: 'choose another name, or an empty folder' })
}

function filesOf(folder: string, tarball: string | undefined): [name: string, text: string][] {
  return [
    ...COPIED.map((name): [string, string] => [name, readFileSync(new URL(name, EXAMPLE), 'utf8')]),
    ['package.json', `${JSON.stringify(packageOf(folder, tarball), null, 2)}\n`],
    // npm leaves a file of this name out of a package.
    ['.gitignore', `${UNTRACKED.join('\n')}\n`],
  ]
}

function packageOf(folder: string, tarball: string | undefined): object {
  const { version, devDependencies } = JSON.parse(readFileSync(OURS, 'utf8')) as { readonly version: string; readonly devDependencies: Readonly<Record<string, string>> }
  return {
    name: nameOf(folder), version: '0.0.0', private: true, type: 'module',
    scripts: { play: 'parlor run scenario.yaml', test: 'vitest run', types: 'tsc -p .' },
    dependencies: { parlor: tarball === undefined ? version : `file:${fileAt(tarball)}` },
    devDependencies: { '@types/node': devDependencies['@types/node'], typescript: devDependencies['typescript'], vitest: VITEST },
  }
}

function fileAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new InputError('there is no package here', { position: { file: path }, hint: 'expected the file that `npm pack` makes' })
  return realpathSync(path).replaceAll('\\', '/')
}

/** The name of a folder as npm allows one. */
const nameOf = (folder: string): string => basename(resolve(folder)).toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+/, '').slice(0, 200) || 'desk'
