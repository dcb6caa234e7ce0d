import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LINK = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g

/** The targets of README's relative links that are not in a folder. */
export function brokenLinks(folder: string): string[] {
  const targets = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(LINK)].map(([, target]) => target!)
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(folder, target)))
}
