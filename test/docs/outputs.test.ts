import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'bench/README.md', ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${String(name)}`)]
  .filter((name) => name.endsWith('.md'))

describe('pages', () => {
  it('have a block that is not empty under each mark that names a command, where `npm run docs` finds it', () => {
    const empty = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      const marks = text.split('<!-- output: ').slice(1)
      return marks.filter((part) => !/^.+? -->\n```[a-z]*\n(?!```)[^]+?\n```/.test(part)).map((part) => `${page}: ${part.split('\n')[0]}`)
    })
    expect(empty).toEqual([])
    expect(pages.filter((page) => readFileSync(join(root, page), 'utf8').includes('<!-- output: ')).length).toBeGreaterThan(3)
  })
})
