import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parlor, parlorHere, start } from '../cli/parlor.ts'
import { newFolder } from '../scenario/small.ts'

/** Run before the launcher: prints a line when the process has come to listen for SIGINT. */
const TELLS_WHEN_IT_LISTENS = `data:text/javascript,${encodeURIComponent(
  "process.on('newListener', (name) => { if (name === 'SIGINT') setImmediate(() => console.log('listens')) })",
)}`

describe('parlor validate', () => {
  it('leaves the same bytes for one worker and two, and prints a line for each figure', async () => {
    const folder = newFolder()
    const [one, two] = await Promise.all([
      parlor(folder, 'validate', '--items', '7,10', '--samples', 'small'),
      parlor(folder, 'validate', '--items', '10,7', '--samples', 'small', '--workers', '2', '--out', 'two', '--json'),
    ])
    expect([one.code, one.err, two.code, two.err]).toEqual([0, '', 0, ''])
    const text = readFileSync(join(folder, 'runs', 'validation', 'validation.json'), 'utf8')
    expect(readFileSync(join(folder, 'two', 'validation.json'), 'utf8')).toBe(text)
    expect(two.out).toBe(text)
    const { figures, pass, items } = JSON.parse(text)
    expect(items).toMatchObject([{ id: '7', pass: true, figures: 4 }, { id: '10', pass: true, figures: 2 }])
    expect(one.out).toContain('items that pass: 7, 10\n')
    expect([pass, figures.length]).toEqual([true, 6])
    expect(figures.every((figure: { pass: unknown }) => figure.pass === true)).toBe(true)
    for (const { id } of figures) expect(one.out).toMatch(new RegExp(`^${id.replace('.', '\\.')} .* yes$`, 'm'))
    expect(one.out).toContain('6 figures, all pass')
  })

  it('ends with 1 when a figure fails, apart from the good result', async () => {
    const folder = newFolder()
    const { code, out } = await parlorHere(folder, 'validate', '--wrong', '7', '--samples', 'small')
    expect(code).toBe(1)
    expect(out).toContain('items that FAIL: 7\n4 figures, 4 of 4 fail')
    expect(JSON.parse(readFileSync(join(folder, 'runs', 'validation-wrong', 'validation.json'), 'utf8'))).toMatchObject({ pass: false, wrong: ['7'] })
  })

  it('measures a wrong item beside the chosen ones', async () => {
    const { code, out } = await parlorHere(newFolder(), 'validate', '--items', '10', '--wrong', '7', '--samples', 'small')
    expect(code).toBe(1)
    expect(out).toContain('items that pass: 10\nitems that FAIL: 7\n6 figures, 4 of 6 fail')
  })

  it('ends with 2 for what it cannot understand', async () => {
    const folder = newFolder()
    const mistakes: [string[], string][] = [
      [['--items', '99'], 'no item 99'], [['--samples', 'huge'], 'expected --samples small or full'], [['--workers', '0'], '--workers 1 or more'],
      [['--items', ','], 'expected ids of items after --items'], [['--wrong', ' '], 'expected ids of items after --wrong'], [['--items', '7', '--wrong', '99'], 'no item 99'],
    ]
    for (const [args, message] of mistakes) {
      expect(await parlorHere(folder, 'validate', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    }
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })

  it('leaves nothing when it is cut off, with any number of workers', async () => {
    const folder = newFolder()
    for (const workers of ['1', '2']) {
      const { child, ended } = start(folder, ['validate', '--workers', workers], ['--import', TELLS_WHEN_IT_LISTENS])
      // It can be cut off from then on; before, the signal would end it without a word.
      await Promise.race([once(child.stdout!, 'data'), ended])
      child.kill('SIGINT')
      expect(await ended).toMatchObject({ signal: 'SIGINT', out: 'listens\n', err: 'interrupted: nothing was left\n' })
    }
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })
})
