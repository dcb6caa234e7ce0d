import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const rootOf = (folder: string): string => fileURLToPath(new URL(`../../${folder}`, import.meta.url))

export interface Source {
  /** Path under the folder that was read, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Every TypeScript file under a folder of the repository, in alphabetical order. */
export function allSources(folder = 'src'): Source[] {
  const root = rootOf(folder)
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
}

const COMMENT = /\/\*[^]*?\*\/|\/\/[^\n]*/y
const STRING = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
/** From a backtick, or the brace that ends an expression, to the next of either. */
const TEMPLATE_TEXT = /[`}](?:\\[^]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y
const PLAIN = /[^'"`/{}]+/y
/** What a slash follows when it begins a regular expression and does not divide. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|do|else|void|delete|throw|new|await|yield))$/

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** The text with comments and the inside of strings, templates and regular expressions blanked; every offset and line stays. */
export function code(text: string): string {
  let out = ''
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = out.length
    return pattern.exec(text)?.[0]
  }
  /** How many braces are open in the expression of each template that the reader is in. */
  const braces: number[] = []
  while (out.length < text.length) {
    const first = text[out.length]!
    const comment = first === '/' ? read(COMMENT) : undefined
    const inTemplate = first === '`' || (first === '}' && braces.at(-1) === 0)
    const part = inTemplate ? read(TEMPLATE_TEXT)
      : first === '/' && comment === undefined && BEFORE_REGEX.test(out.trimEnd()) ? read(REGEX)
      : read(STRING)
    if (comment !== undefined) out += blank(comment)
    else if (part !== undefined) {
      const last = part.endsWith('${') ? '${' : part.at(-1)!
      out += first + blank(part.slice(1, -last.length)) + last
      if (first === '}') braces.pop()
      if (last === '${') braces.push(0)
    } else {
      if (first === '{' && braces.length > 0) braces[braces.length - 1]! += 1
      if (first === '}' && braces.length > 0) braces[braces.length - 1]! -= 1
      out += read(PLAIN) ?? first
    }
  }
  return out
}

export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length
