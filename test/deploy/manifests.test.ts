import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { programOf } from '../../src/cli/main.ts'
import { Interruption } from '../../src/cli/signals.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = ['compose.yaml', ...readdirSync(join(ROOT, 'deploy', 'kubernetes')).map((name) => `deploy/kubernetes/${name}`)]

/** All that is named `command` in a document, as words. */
function commandsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'command' && Array.isArray(inner) ? [(inner as string[]).flatMap((word) => word.split(' '))] : commandsIn(inner)))
}

/** The words behind `parlor`, of the commands of a file. */
const ofParlor = (file: string): string[][] => parseAllDocuments(readFileSync(join(ROOT, file), 'utf8')).flatMap((document) => commandsIn(document.toJS())).flatMap((words) => {
  const at = words.findIndex((word) => word === 'parlor' || word === 'bin/parlor.mjs')
  return at < 0 ? [] : [words.slice(at + 1)]
})

describe('files that start parlor elsewhere', () => {
  it.each(FILES)('%s names commands and options that there are', (file) => {
    const program = programOf(() => new Interruption())
    const commands = ofParlor(file)
    expect(commands).toHaveLength(1)
    for (const [name, ...words] of commands) {
      const command = program.commands.find((known) => known.name() === name)
      const options = words.filter((word) => word.startsWith('--'))
      expect(options.length).toBeGreaterThan(1)
      expect(options.filter((option) => !command!.options.some(({ long }) => long === option))).toEqual([])
    }
  })

  it('the Job of shards has as many pods as the command has shards', () => {
    const text = readFileSync(join(ROOT, 'deploy/kubernetes/shards.yaml'), 'utf8')
    const [job] = parseAllDocuments(text).map((document) => document.toJS() as { spec: { completionMode: string; completions: number } })
    const [[, ...words]] = ofParlor('deploy/kubernetes/shards.yaml') as [string[]]
    expect(job!.spec).toMatchObject({ completionMode: 'Indexed', completions: Number(words[words.indexOf('--shards') + 1]) })
  })
})
