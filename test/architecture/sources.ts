import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../src', import.meta.url))

export interface Source {
  /** Path under src, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Every TypeScript file under src, in alphabetical order. */
export function allSources(): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
}

/** The text with the inside of its comments blanked, and with `keepStrings` unset that of its plain strings; lines stay. */
export function code(text: string, keepStrings: boolean): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, (part) => {
    if (part.startsWith('/')) return part.replace(/[^\n]/g, ' ')
    if (keepStrings || part.startsWith('`')) return part
    return part[0] + ' '.repeat(part.length - 2) + part[0]
  })
}

export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length
