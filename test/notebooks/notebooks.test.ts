import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface Cell {
  readonly cell_type: string
  readonly source: string | readonly string[]
  readonly outputs?: readonly unknown[]
  readonly execution_count?: number | null
  readonly metadata: object
}

interface Notebook {
  readonly cells: readonly Cell[]
  readonly metadata: {
    readonly kernelspec: { readonly name: string }
    readonly parlor: { readonly figures: readonly string[]; readonly recordedFigures?: readonly string[] }
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'notebooks')
const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb')).sort()
const read = (name: string): Notebook => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Notebook
const sourceOf = ({ source }: Cell): string => (typeof source === 'string' ? source : source.join(''))
const code = (name: string): string => read(name).cells.filter((cell) => cell.cell_type === 'code').map(sourceOf).join('\n')

describe('notebooks', () => {
  it('are stored without outputs, execution counts or what a front end left: `notebooks/execute` makes them fresh', () => {
    const stored = names.flatMap((name) => read(name).cells.flatMap((cell, i) => {
      const isClean = cell.cell_type !== 'code' || (cell.outputs?.length === 0 && cell.execution_count === null)
      return isClean && Object.keys(cell.metadata).length === 0 ? [] : [`${name}: cell ${i + 1}`]
    }))
    expect(names.length).toBeGreaterThanOrEqual(4)
    expect(stored).toEqual([])
  })

  it.each(names)('declare every figure that they keep, under their own name, and keep every figure that they declare: %s', (name) => {
    const { figures, recordedFigures = [] } = read(name).metadata.parlor
    const declared = [...figures, ...recordedFigures].map((file) => file.replace(/\.(png|svg)$/, ''))
    const kept = [...code(name).matchAll(/\b(?:keep\(figure, "|draw\(')([\w-]+)["']/g)].map((match) => match[1]!)
    expect(figures.length).toBeGreaterThan(0)
    expect(declared.toSorted()).toEqual(kept.toSorted())
    expect(declared.filter((figure) => !figure.startsWith(name.replace('.ipynb', '-')))).toEqual([])
  })

  it('are listed in docs/notebooks.md, with what they show', () => {
    const page = readFileSync(join(root, 'docs/notebooks.md'), 'utf8')
    expect(names.filter((name) => !page.includes(`](../notebooks/${name})`))).toEqual([])
  })

  it('find every package that they import among the pinned requirements', () => {
    const lines = readFileSync(join(folder, 'requirements.txt'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const pinned = new Set(lines.map((line) => /^([\w.-]+)==[\w.]+$/.exec(line)?.[1]?.toLowerCase()))
    expect(pinned.has(undefined)).toBe(false)
    expect(pinned.size).toBe(lines.length)
    const standard = new Set(['dataclasses', 'decimal', 'functools', 'gzip', 'itertools', 'json', 'math', 'os', 'pathlib', 're', 'shutil', 'statistics', 'subprocess', 'sys', 'time', 'xml', 'concurrent', 'hashlib'])
    const own = readdirSync(folder).filter((name) => name.endsWith('.py')).map((name) => name.slice(0, -3))
    const python = [
      ...names.filter((name) => read(name).metadata.kernelspec.name === 'python3').map(code), ...own.map((name) => readFileSync(join(folder, `${name}.py`), 'utf8')),
    ].join('\n')
    const imported = new Set([...python.matchAll(/^(?:import|from) (\w+)/gm)].map((match) => match[1]!.toLowerCase()))
    expect([...imported].filter((name) => !standard.has(name) && !own.includes(name) && !pinned.has(name))).toEqual([])
    expect(imported.size).toBeGreaterThan(5)
  })
})
