/** What the owner still has to decide before parlor is published: `npm publish` runs it first. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProgram } from '../bundle/isProgram.ts'

interface PublishedPackage {
  readonly license?: string
  readonly private?: boolean
  readonly repository?: unknown
}

/** What is missing in a checkout, a line each. Empty: it may be published. */
export function undecided(root: string): string[] {
  const { license, private: isPrivate, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PublishedPackage
  const lines: string[] = []
  if (license === undefined || license === 'UNLICENSED') lines.push('license in package.json is UNLICENSED: nobody may use what is published')
  if (!existsSync(join(root, 'LICENSE'))) lines.push('there is no file LICENSE with the terms')
  if (repository === undefined) lines.push('package.json names no repository, which provenance is checked against')
  if (isPrivate === true) lines.push('private in package.json keeps npm from publishing it by any way: take it out last')
  return lines
}

if (isProgram(import.meta.url)) {
  const lines = undecided(fileURLToPath(new URL('../..', import.meta.url)))
  for (const line of lines) console.error(`not to be published yet: ${line}`)
  if (lines.length > 0) console.error('docs/publishing.md says what the owner decides')
  process.exitCode = lines.length > 0 ? 1 : 0
}
