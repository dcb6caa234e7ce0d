import { describe, expect, it } from 'vitest'
import { programOf } from '../../src/cli/main.ts'
import { LAYERS } from '../architecture/layers.ts'
import { CITING, pageOf } from './texts.ts'

const { text } = pageOf('docs/design.md')

const section = (heading: string): string => text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted()

describe('the design', () => {
  it('has the layers that the import test enforces', () => {
    const rows = section('Layers').split('\n').filter((line) => line.startsWith('| `')).map((line) => line.split(' | '))
    const shown = rows.flatMap(([folders, , may, packages]) => named(folders!).map((folder) => [folder === 'src' ? '' : folder, sorted(named(may!)), sorted(named(packages!))]))
    const enforced = Object.entries(LAYERS).map(([folder, layer]) => {
      // A layer imports itself.
      const may = layer.may.filter((name) => name !== folder || folder.startsWith('venue/'))
      return [folder, sorted(may), sorted(layer.packages ?? [])]
    })
    expect(shown.toSorted()).toEqual(enforced.toSorted())
  })

  it('names the commands that there are, and as not built those that there are not', () => {
    const [there, missing] = section('Names at the command line').split('Not built:')
    const commands = sorted(programOf(() => { throw new Error('nothing runs') }).commands.map((command) => command.name()))
    expect(sorted([...there!.matchAll(/`parlor (\w+)/g)].map((match) => match[1]!))).toEqual(commands)
    expect(named(missing!.split('\n')[0]!).filter((name) => commands.includes(name))).toEqual([])
  })

  it('names the tables that a run leaves', () => {
    const tables = CITING.filter(({ path }) => path.startsWith('src/record/')).flatMap(({ text: source }) => [...source.matchAll(/\bshapeOf\('(\w+)'/g)].map((match) => match[1]!))
    expect(tables.length).toBeGreaterThan(10)
    const sentence = /The tables are (.+?)\. /.exec(section('What a run leaves'))![1]!
    expect(sorted(named(sentence))).toEqual(sorted(tables))
  })
})
