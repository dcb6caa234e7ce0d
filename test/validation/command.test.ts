import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { parlor, start } from '../cli/parlor.ts'
import { newFolder } from '../scenario/small.ts'

// Processes are started, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

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
    const { figures, pass } = JSON.parse(text)
    expect([pass, figures.length]).toEqual([true, 6])
    expect(figures.every((figure: { pass: unknown }) => figure.pass === true)).toBe(true)
    for (const { id } of figures) expect(one.out).toMatch(new RegExp(`^${id.replace('.', '\\.')} .* yes$`, 'm'))
    expect(one.out).toContain('6 figures, all pass')
  })

  it('ends with 1 when a figure fails, apart from the good result', async () => {
    const folder = newFolder()
    const { code, out } = await parlor(folder, 'validate', '--wrong', '7', '--samples', 'small')
    expect(code).toBe(1)
    expect(out).toContain('4 figures, 4 of 4 fail')
    expect(JSON.parse(readFileSync(join(folder, 'runs', 'validation-wrong', 'validation.json'), 'utf8'))).toMatchObject({ pass: false, wrong: ['7'] })
  })

  it('ends with 2 for what it cannot understand', async () => {
    const folder = newFolder()
    const mistakes: [string[], string][] = [
      [['--items', '99'], 'no item 99'], [['--samples', 'huge'], 'expected --samples small or full'], [['--workers', '0'], '--workers 1 or more'],
    ]
    const ended = await Promise.all(mistakes.map(([args]) => parlor(folder, 'validate', ...args)))
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2])
    mistakes.forEach(([, message], i) => { expect(ended[i]!.err).toContain(message) })
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })

  it('leaves nothing when it is cut off, with any number of workers', async () => {
    const folder = newFolder()
    const running = ['1', '2'].map((workers) => start(folder, ['validate', '--workers', workers]))
    await sleep(4000)
    for (const { child } of running) child.kill('SIGINT')
    for (const { ended } of running) expect(await ended).toMatchObject({ signal: 'SIGINT', err: 'interrupted: nothing was left\n' })
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })
})
