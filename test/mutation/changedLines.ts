import { execFileSync } from 'node:child_process'

/** Lines, from 1, that were added or changed since a revision of git, by path from the root. */
export type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>

export const changedSince = (root: string, revision: string): ChangedLines =>
  changedLines(execFileSync('git', ['diff', '--unified=0', '--no-color', '--no-ext-diff', revision, '--', 'src'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }))

/** Reads what `git diff --unified=0` wrote. */
export function changedLines(diff: string): ChangedLines {
  const changed = new Map<string, Set<number>>()
  let lines = new Set<number>()
  for (const line of diff.split('\n')) {
    const [, file] = /^\+\+\+ b\/(.*)$/.exec(line) ?? []
    if (file !== undefined) changed.set(file, lines = new Set())
    const [, from, count] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (from !== undefined) for (let i = 0; i < Number(count ?? 1); i++) lines.add(Number(from) + i)
  }
  return changed
}
