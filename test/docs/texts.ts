import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the repository, by its path from the root, with slashes. */
export interface Text {
  readonly path: string
  readonly text: string
}

/** What `.gitignore` leaves out, and git itself. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'runs', '.venv'])
/** Stores that scenarios import lie beside them; the code of stores has the same name. */
const isStores = (folder: string, name: string): boolean => name === 'store' && !/^(?:src|test)\//.test(folder)

const filesIn = (folder: string): string[] => readdirSync(join(ROOT, folder), { withFileTypes: true })
  .filter(({ name }) => !LEFT_OUT.has(name) && !isStores(folder, name))
  .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]))

/** Every file of the repository. */
export const FILES: ReadonlySet<string> = new Set(filesIn(''))

const textsOf = (pattern: RegExp): Text[] =>
  [...FILES].filter((path) => pattern.test(path)).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

export const PAGES: readonly Text[] = textsOf(/\.md$/)

/** What cites pages: the pages themselves, and the comments and messages of all that is written by hand. */
export const CITING: readonly Text[] = textsOf(/^(?!test\/docs\/).*\.(?:md|ts|mjs|py|sol|c|h|yaml|ipynb)$|^\.ci\/run$/)

export const pageOf = (path: string): Text => {
  const page = PAGES.find((one) => one.path === path)
  if (page === undefined) throw new Error(`no page ${path}`)
  return page
}

/** Text without what stands in fenced blocks, which is output or code; each line is where it was. */
export const prose = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, (block) => '\n'.repeat(block.split('\n').length - 1))

/** How GitHub names a heading in a link. */
const slug = (heading: string): string => heading
  .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')

/** What a link into a page can name: its headings, and what it marks by hand. */
export function anchorsOf({ text }: Text): Set<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1]!))
  for (const [, heading] of prose(text).matchAll(/^#+ +(.+?) *$/gm)) {
    const name = slug(heading!)
    let twin = 0
    while (anchors.has(twin === 0 ? name : `${name}-${twin}`)) twin++
    anchors.add(twin === 0 ? name : `${name}-${twin}`)
  }
  return anchors
}
