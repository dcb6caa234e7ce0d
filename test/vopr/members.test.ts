import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { worldOf } from './grammar.ts'
import { Members, playCounted } from './members.ts'
import { prepared, put, roomFor } from './world.ts'

/** Worlds that are played at most, one after the other, until nothing is missing. */
const WORLDS_MAX = 200

it('drawn strategies call every method and getter of both desks and every field of every view', async () => {
  const drawn = roomFor(mkdtempSync(join(tmpdir(), 'parlor-vopr-')))
  const members = new Members()
  for (let seed = 1; seed <= WORLDS_MAX && (seed === 1 || members.missing.length > 0); seed++) {
    const world = put(join(drawn, `${seed}.yaml`), worldOf(seed, 100))
    const ready = await prepared(world, true)
    playCounted(ready.prepared, members)
  }
  expect(members.missing).toEqual([])
  // So that it is seen when the facades are not looked at any more.
  expect(members.all.size).toBeGreaterThan(140)
})
