import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkParts } from '../parts/parts.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { Interrupted } from '../unit/interrupted.ts'
import type { FileMistake } from './fileMistake.ts'

const OURS = fileURLToPath(new URL('../../package.json', import.meta.url))
const ROOT = dirname(OURS)
/** Parlor's declarations: those of the package, and in a checkout, which may have old ones, the sources. */
const DECLARED = join(ROOT, 'dist', 'types', 'index.d.ts')
const SOURCES = join(ROOT, 'src', 'index.ts')
const isCheckout = (): boolean => existsSync(join(ROOT, 'tools', 'bundle', 'bundle.ts'))

/** What a room has besides the language (src/agent/roomRealm.ts). */
const ROOM = 'declare var console: Readonly<Record<"log" | "info" | "warn" | "error" | "debug", (...values: unknown[]) => void>>\n'
/** Far more than any strategy takes. */
const LIMIT_MS = 300_000
const MISTAKE = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/
const OF_NO_FILE = /^error (TS\d+): (.*)$/

/**
 * What TypeScript says of strategy files and of what they import, under parlor's own settings. A trusted file may use Node, as far as its types
 * are installed beside it. Throws InputError where TypeScript is not installed, or does not end. Precondition: the files are there.
 */
export async function typeMistakes(files: readonly string[], isTrusted: boolean, signal: AbortSignal): Promise<FileMistake[]> {
  checkParts('parlor check', ['typescript'])
  const folder = new LeasedFolder(tmpdir(), 'parlor-check-')
  try {
    folder.make()
    const room = join(folder.path, 'room.d.ts')
    writeFileSync(room, ROOM)
    const project = join(folder.path, 'tsconfig.json')
    writeFileSync(project, JSON.stringify(settingsOf([...files.map((file) => resolve(file)), room], isTrusted)))
    return mistakesIn(await compiled(project, signal))
  } finally {
    folder.remove()
  }
}

function settingsOf(files: readonly string[], isTrusted: boolean): object {
  const typeRoots = isTrusted ? files.flatMap(typeFolders) : []
  return {
    compilerOptions: {
      target: 'esnext', lib: ['esnext'], module: 'nodenext', moduleDetection: 'force', strict: true, noEmit: true, allowImportingTsExtensions: true, allowJs: true, skipLibCheck: true,
      paths: { parlor: [isCheckout() ? SOURCES : DECLARED] }, typeRoots, types: typeRoots.some((folder) => existsSync(join(folder, 'node'))) ? ['node'] : [],
    },
    files,
  }
}

/** The folders above a file in which types of packages may be installed, nearest first. */
function typeFolders(file: string): string[] {
  const above = dirname(file)
  const own = join(above, 'node_modules', '@types')
  return [...(existsSync(own) ? [own] : []), ...(above === file ? [] : typeFolders(above))]
}

/** What the compiler prints. */
function compiled(project: string, signal: AbortSignal): Promise<string> {
  const compiler = join(dirname(createRequire(OURS).resolve('typescript/package.json')), 'bin', 'tsc')
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [compiler, '-p', project, '--pretty', 'false'], { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, LIMIT_MS)
    let [out, err] = ['', '']
    child.stdout.on('data', (data: Buffer) => { out += data.toString() })
    child.stderr.on('data', (data: Buffer) => { err += data.toString() })
    child.on('error', (error) => { fail(signal.aborted ? new Interrupted('interrupted') : error) })
    child.on('close', (code, ended) => {
      clearTimeout(late)
      // The compiler ends with 1 or 2 where it found mistakes, and says them.
      if (code === 0 || (code !== null && out !== '')) done(out)
      else if (ended !== null) fail(new InputError(`TypeScript does not check: ${isLate ? `it had not ended after ${LIMIT_MS / 1000} s` : `its compiler was ended by ${ended}`}`))
      else fail(new Bug(`the compiler ended with ${code}: ${err}`))
    })
  })
}

/** Lines that are set in belong to the mistake above them. */
function mistakesIn(text: string): FileMistake[] {
  const all: FileMistake[] = []
  for (const line of text.split(/\r?\n/)) {
    const found = MISTAKE.exec(line)
    const last = all.at(-1)
    if (found !== null) all.push({ file: shown(found[1]!), line: Number(found[2]), column: Number(found[3]), code: found[4]!, message: found[5]! })
    else if (OF_NO_FILE.test(line)) throw new InputError(`TypeScript does not check: ${line}`)
    else if (last !== undefined && line.trim() !== '') all[all.length - 1] = { ...last, message: `${last.message}\n${line}` }
  }
  return all.filter(({ file }) => !isOurs(file))
}

const shown = (file: string): string => relative('.', resolve(file)).replaceAll('\\', '/')

/** The sources are compiled under settings of their own, and the declarations have been. */
const isOurs = (file: string): boolean => ['src', 'dist'].some((folder) => !relative(join(ROOT, folder), resolve(file)).startsWith('..'))
