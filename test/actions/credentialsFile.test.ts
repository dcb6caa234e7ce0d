import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CredentialsFile } from '../../src/actions/served/credentialsFile.ts'
import { newFolder } from '../scenario/small.ts'

const HELD = { parlay: { url: 'http://127.0.0.1:1' } }

it('the credentials of a session are its owner\'s, and go with the session', () => {
  const above = newFolder()
  const path = join(above, 'new', 'keys', 'one.json')
  const file = new CredentialsFile(path)
  file.remove()
  file.write(HELD)
  expect(readFileSync(path, 'utf8')).toBe('{\n  "parlay": {\n    "url": "http://127.0.0.1:1"\n  }\n}\n')
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  file.remove()
  // The folders that were made for them go too.
  expect(readdirSync(above)).toEqual([])
})

it('a session removes no credentials but its own', () => {
  const folder = newFolder()
  const path = join(folder, 'keys.json')
  const [first, second] = [new CredentialsFile(path), new CredentialsFile(path)]
  first.write(HELD)
  second.write({ parlay: { url: 'http://127.0.0.1:2' } })
  first.remove()
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ parlay: { url: 'http://127.0.0.1:2' } })
  second.remove()
  expect(readdirSync(folder)).toEqual([])
  // Somebody else may have removed them.
  second.write(HELD)
  rmSync(path)
  expect(() => { second.remove() }).not.toThrow()
})

it('credentials that cannot be written leave nothing, and what is in their place stays', () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'keys.json'))
  const file = new CredentialsFile(join(folder, 'keys.json'))
  expect(() => { file.write(HELD) }).toThrow('is a folder')
  file.remove()
  expect(readdirSync(folder)).toEqual(['keys.json'])
})

it('credentials in whose place a folder stands by now are named when they go, and the folder stays', () => {
  const folder = newFolder()
  const path = join(folder, 'keys.json')
  const file = new CredentialsFile(path)
  file.write(HELD)
  rmSync(path)
  mkdirSync(path)
  expect(() => { file.remove() }).toThrow(`${path}: EISDIR`)
  expect(readdirSync(folder)).toEqual(['keys.json'])
})
