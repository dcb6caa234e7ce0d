import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describeFile } from '../../result/head.ts'
import { placeOf } from '../../result/place.ts'
import { InputError } from '../../unit/inputError.ts'
import { dataHashOf, isCurrent, lastName, type OlderHead, STORE_FILE, type StoreHead } from './storeHead.ts'

/** Where a file of a store lies. */
export const storePlace = (path: string, name: string): string => placeOf(path, name, STORE_FILE)

const failure = (file: string, message: string): InputError =>
  new InputError(message, { position: { file }, hint: 'the store was changed or cut off: import the history again' })

/** Compares the lengths of the files with what `store.json` says, and whether they are those that it needs. Throws InputError. @param needs which files must be there. */
export function checkFiles(path: string, head: StoreHead | OlderHead, needs: (name: string) => boolean = () => true): void {
  for (const [name, said] of Object.entries(head.files)) {
    if (!needs(name)) continue
    const file = storePlace(path, name)
    if (!existsSync(file)) throw failure(file, 'the file is missing')
    const stat = statSync(file)
    if (!stat.isFile()) throw failure(file, 'is no plain file')
    if (stat.size !== said.bytes) throw failure(file, `the file has ${stat.size} bytes, and ${STORE_FILE} says ${said.bytes}`)
  }
  if (isCurrent(head)) checkNames(path, head)
}

/** Compares a file with its hash. Throws InputError. */
export function checkHash(path: string, head: StoreHead, name: string): void {
  const file = storePlace(path, name)
  if (describeFile(file).sha256 !== head.files[name]!.sha256) throw failure(file, `its SHA-256 is not the one in ${STORE_FILE}`)
}

function checkNames(path: string, { parts: ticks, depth, files, dataHash }: StoreHead): void {
  const fail = (message: string): never => {
    throw new InputError(message, { position: { file: join(path, STORE_FILE) }, hint: 'the store was changed or cut off: import the history again' })
  }
  const parts = [...ticks, ...depth?.parts ?? []]
  const expected = new Set(parts.flatMap(({ name }) => [name, lastName(name)]))
  for (const { name } of parts) if (files[name] === undefined) fail(`it says nothing of the file ${name}`)
  const stray = Object.keys(files).find((name) => /^(parts|depth)\//.test(name) && !expected.has(name))
  if (stray !== undefined) fail(`it does not name the part of ${stray}`)
  if (dataHashOf(files) !== dataHash) fail('dataHash does not follow from the files')
}
