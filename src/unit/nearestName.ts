/** The name nearest to `name` within a third of its length in edits, or undefined: "did you mean". */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestEdits = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of names) {
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase())
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits]
    // A shortened or lengthened word (betMaxMicros for betMax) is a likely slip, however long the rest is.
    else if (best === undefined && candidate.length > 3 && (name.startsWith(candidate) || candidate.startsWith(name))) best = candidate
  }
  return best
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
