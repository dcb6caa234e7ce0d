/** What the owner still has to decide before parlor is published: `npm publish` runs it first, and `npm publish --dry-run` only tells. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface PublishedPackage {
  readonly license?: string
  readonly repository?: unknown
}

/** What is missing in a checkout, a line each. Empty: it may be published. */
export function undecided(root: string): string[] {
  const { license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PublishedPackage
  const lines: string[] = []
  if (license === undefined || license === 'UNLICENSED') lines.push('license in package.json is UNLICENSED: nobody may use what is published')
  if (!existsSync(join(root, 'LICENSE'))) lines.push('there is no file LICENSE with the terms')
  if (repository === undefined) lines.push('package.json names no repository, which provenance is checked against')
  return lines
}

if (import.meta.main) {
  const lines = undecided(fileURLToPath(new URL('../..', import.meta.url)))
  for (const line of lines) console.error(`not to be published yet: ${line}`)
  if (lines.length > 0) console.error('docs/publishing.md says what the owner decides')
  process.exitCode = lines.length > 0 && process.env['npm_config_dry_run'] !== 'true' ? 1 : 0
}
