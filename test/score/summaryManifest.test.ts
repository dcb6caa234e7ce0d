import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRunHead } from '../../src/score/runHead.ts'

it('knows what reached each maker from the manifest, and nothing of one that it does not name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-head-'))
  try {
    const counts = { 'delivered to shade': 12, 'delivered to outcome:shade': 7, startUs: 5 }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ label: 'interactive', digest: 'ab', counts }))
    const head = readRunHead(folder)
    expect([head.delivered('parlay', 'shade'), head.delivered('outcome', 'shade'), head.delivered('parlay', 'nobody')]).toEqual([12, 7, null])
    expect([head.startUs, head.endUs]).toEqual([5, null])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
