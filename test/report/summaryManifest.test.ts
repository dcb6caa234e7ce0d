import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRunHead } from '../../src/report/summaryManifest.ts'

it('knows what reached each maker from the manifest, and nothing of one that it does not name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-head-'))
  try {
    const counts = { 'delivered to shade': 12, startUs: 5 }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ label: 'interactive', digest: 'ab', counts }))
    const head = readRunHead(folder)
    expect([head.delivered('shade'), head.delivered('nobody'), head.startUs, head.endUs]).toEqual([12, null, 5, null])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
