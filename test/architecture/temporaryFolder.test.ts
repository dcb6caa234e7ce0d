import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder, put } from '../scenario/small.ts'
import { removeForsaken } from '../temporaryFolder.ts'

it('folders of tests that were killed hours ago are removed, and nothing else', () => {
  const place = newFolder()
  const hoursAgo = (hours: number, name: string): void => {
    put(place, `${name}/deep/file`, 'left')
    const at = Date.now() / 1000 - 3600 * hours
    utimesSync(join(place, name), at, at)
  }
  hoursAgo(7, 'parlor-tests-abCD12')
  hoursAgo(7, 'parlor-crash-abCD12')
  hoursAgo(5, 'parlor-tests-efGH34')
  hoursAgo(7, 'parlor-tests-kept')
  hoursAgo(7, 'parlor-store-abCD12')
  mkdirSync(join(place, 'parlor-crash-efGH34'))
  removeForsaken(place)
  expect(readdirSync(place).toSorted()).toEqual(['parlor-crash-efGH34', 'parlor-store-abCD12', 'parlor-tests-efGH34', 'parlor-tests-kept'])
  expect(() => { removeForsaken(join(place, 'absent')) }).not.toThrow()
})
