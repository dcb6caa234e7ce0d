import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFolder } from '../scenario/small.ts'
import { drawsOf } from '../draws.ts'
import { Disk, distinctCuts, imageOf, put, textOf } from './disk.ts'
import { contentsOf, faultOf, resultIn } from './outcome.ts'
import { type Call, type Fault, faulty, recorded, straceVersion } from './strace.ts'
import { writeResult } from './writer.ts'

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url))
const CASES = 3
const seed = Number(process.env['PARLOR_CRASH_SEED'] ?? Date.now() % 1_000_000)

const strace = straceVersion()
if (strace === null && process.env['PARLOR_STRACE'] === 'required') throw new Error('no strace: crashes at system calls cannot be tested')
if (strace === null) console.warn('NOT TESTED: crashes at system calls, since there is no strace here (apt-get install strace)')

describe.skipIf(strace === null).each([['over another', true], ['where there was none', false]])(`a result %s, seed ${seed}`, (_, isOver) => {
  // Recovery waits for the disk, hundreds of times here: a disk in memory answers at once.
  const folder = existsSync('/dev/shm') && !tmpdir().startsWith('/dev/shm/') ? mkdtempSync('/dev/shm/parlor-crash-') : newFolder()
  const [dir, old, fresh] = [join(folder, 'result'), join(folder, 'old'), join(folder, 'new')]
  const command = [process.execPath, WRITER, dir, 'new']
  const whole = new Map<string | null, Map<string, string | null>>()
  const draw = drawsOf(seed)
  let calls: Call[]

  beforeAll(async () => {
    if (isOver) await writeResult(old, 'old')
    whole.set(resultIn(old), contentsOf(old))
    if (isOver) cpSync(old, fresh, { recursive: true })
    await writeResult(fresh, 'new')
    whole.set(resultIn(fresh), contentsOf(fresh))
    startAnew()
    calls = await recorded(command, folder, dir, join(folder, 'log'))
  })

  afterAll(() => { rmSync(folder, { recursive: true, force: true }) })

  const startAnew = (): void => {
    rmSync(dir, { recursive: true, force: true })
    if (isOver) cpSync(old, dir, { recursive: true })
  }

  async function after(fault: Fault): Promise<string | null> {
    startAnew()
    const { code, signal } = await faulty(command, folder, fault)
    if (fault.kind === 'KILL' && signal !== 'SIGKILL') return 'it was not killed'
    const fault_ = code === 0 && resultIn(dir) !== resultIn(fresh) ? 'it ended with 0, and the result is the old one' : faultOf(dir, whole)
    if (fault_ !== null) return fault_
    await writeResult(dir, 'new')
    return JSON.stringify([...contentsOf(dir)]) === JSON.stringify([...contentsOf(fresh)]) ? null : 'the same command again leaves other bytes'
  }

  it('changes the disk by calls that are recorded, and a replay of them gives what it left', () => {
    expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['openat', 'write', 'fsync', 'rename', 'mkdir', 'unlink', 'unlinkat', 'rmdir']))
    const disk = new Disk(dir, imageOf(contentsOf(old)))
    for (const call of calls) disk.take(call)
    expect(textOf(disk.asWritten())).toEqual(contentsOf(fresh))
  })

  it.each(['KILL', 'EIO', 'ENOSPC'] as const)('%s at any call leaves the old one or the new one, and nothing else', async (kind) => {
    const found: string[] = []
    const own = calls.filter(({ thread }) => thread === 0)
    for (let i = 0; i < CASES; i++) {
      const call = own[draw(own.length)]!
      const fault = await after({ call, kind })
      if (fault !== null) found.push(`${call.name} ${call.nth}: ${fault}`)
    }
    expect(found).toEqual([])
  })

  it('a power cut at any moment leaves the old one or the new one, and nothing else', () => {
    const found = new Set<string>()
    const cut = join(folder, 'cut')
    const cuts = distinctCuts(new Disk(dir, imageOf(contentsOf(old))), calls, draw)
    expect(cuts.length).toBeGreaterThan(50)
    for (const { at, image } of cuts) {
      put(image, cut)
      const fault = faultOf(cut, whole)
      if (fault !== null) found.add(`after ${at} calls, ${calls[at - 1]?.name}: ${fault}`)
      rmSync(cut, { recursive: true, force: true })
    }
    expect([...found]).toEqual([])
  })
})
