import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRunHead } from '../../src/score/runHead.ts'

it('knows what reached each maker from the manifest, and nothing of one that it does not name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-head-'))
  try {
    const counts = { 'delivered to shade': 12, 'away: shade': 3, 'ignored: shade': 0, 'delivered to outcome:shade': 7, 'ignored: outcome:shade': 2, startUs: 5 }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ label: 'interactive', digest: 'ab', counts }))
    const head = readRunHead(folder)
    const told = (service: string, maker: string): (number | null)[] => Object.values(head.reach(service, maker))
    expect([told('parlay', 'shade'), told('outcome', 'shade'), told('parlay', 'nobody')]).toEqual([[12, 3, 0], [7, null, 2], [null, null, null]])
    expect([head.startUs, head.endUs]).toEqual([5, null])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
