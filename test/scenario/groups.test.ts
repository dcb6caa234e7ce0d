import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTables } from '../../src/actions.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, prepared, put, SMALL } from './small.ts'

/** All totals of games, and all temperatures, exclude each other: with the keys of the store they do so within a game and a region. */
const RULES = `version: 1
rules:
  - name: totals
    match: { ticker: 'TOTAL-{game}-{a:letters}-{b:letters}-{points:digits}' }
    group: totals
  - name: temperatures
    match: { ticker: 'TEMP-*' }
    ladder: temperatures
`
const GROUPED = SMALL.replace('from: 2025-06-19T22:30:00Z', 'groups: groups.yaml, from: 2025-06-19T22:30:00Z')

describe('groups that a scenario lays over its store', () => {
  it('PQ-065: keep markets that a rule groups out of one parlay, stand in the manifest, and are proven with the run', async () => {
    const folder = newFolder()
    put(folder, 'groups.yaml', RULES)
    put(folder, 'plain.yaml', SMALL)
    put(folder, 'grouped.yaml', GROUPED)
    for (const name of ['plain', 'grouped']) expect(await parlorHere(folder, 'run', `${name}.yaml`, '--out', name, '--quiet', '--no-report')).toMatchObject({ code: 0 })
    const legsOf = async (name: string): Promise<number> => {
      const rows = [...(await readTables(join(folder, name))).get('requests').rows()]
      return Math.max(...rows.map((row) => (row['leg_markets'] as string[]).filter((leg) => leg.startsWith('TOTAL-')).length))
    }
    expect([await legsOf('plain') > 1, await legsOf('grouped')]).toEqual([true, 1])
    const manifest = JSON.parse(readFileSync(join(folder, 'grouped/manifest.json'), 'utf8')) as { identity: { scenario: { history: { groups: object } } } }
    expect(manifest.identity.scenario.history.groups).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), rules: { imported: 'keep', rules: [{ name: 'totals' }, { name: 'temperatures' }] } })
    // A run keeps its rules: it is proven whatever becomes of the file.
    put(folder, 'groups.yaml', 'version: 7')
    expect(await parlorHere(folder, 'verify', 'grouped', '--quiet')).toMatchObject({ code: 0 })
  })

  it('change the identity of a run with each rule, and with nothing that is no rule', async () => {
    const hashOf = async (rules: string): Promise<string> => {
      const folder = newFolder()
      put(folder, 'groups.yaml', rules)
      const { prepared: { resolved } } = await prepared(SMALL.replace('from:', `groups: ${join('..', folder.split('/').at(-1)!, 'groups.yaml')}, from:`))
      return resolved.history.groups!.sha256
    }
    const hash = await hashOf(RULES)
    expect(await hashOf(`# a remark\n${RULES}`)).toBe(hash)
    expect(await hashOf(RULES.replace('TEMP', 'ECON'))).not.toBe(hash)
    expect((await prepared(SMALL)).prepared.resolved.history).not.toHaveProperty('groups')
  })

  it('are refused where they cannot be read, at the setting or in their file', async () => {
    const folder = newFolder()
    put(folder, 'grouped.yaml', GROUPED)
    expect(await parlorHere(folder, 'run', 'grouped.yaml', '--quiet')).toMatchObject({ code: 2, err: expect.stringMatching(/grouped\.yaml:5:\d+: .*groups\.yaml: cannot read the file/) })
    put(folder, 'groups.yaml', `${RULES}    kind: x\n`)
    expect(await parlorHere(folder, 'run', 'grouped.yaml', '--quiet')).toMatchObject({ code: 2, err: expect.stringMatching(/groups\.yaml:6:5: rules\.1: .*kind/) })
  })
})
