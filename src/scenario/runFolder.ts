import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { publish } from '../arrow/wholeFile.ts'
import { manifestPath } from '../record/manifest.ts'
import { InputError } from '../unit/inputError.ts'

/** Where a run's folder is to stand. */
export interface RunTarget {
  readonly path: string
  /** A complete run of that name is replaced. */
  readonly force: boolean
  /** A run that is not replaced leaves its name: the new one gets a number, `NAME-2`, `NAME-3`, … Else it is a mistake. */
  readonly numbered: boolean
}

const PARTIAL = /^\..+\.partial-(\d+)$/

/**
 * A run's folder while it grows: `.NAME.partial-PID` beside its place. It gets its name at `publish`, all at once; a
 * process that dies leaves the partial folder, which the next run beside it removes.
 */
export class RunFolder {
  readonly partial: string
  private readonly target: RunTarget

  /** Throws InputError where the name is taken. */
  constructor(target: RunTarget) {
    const path = resolve(target.path)
    this.target = { ...target, path }
    if (existsSync(path) && !target.numbered) checkReplaceable(path, target.force)
    const parent = dirname(path)
    mkdirSync(parent, { recursive: true })
    removeLeftovers(parent)
    this.partial = join(parent, `.${basename(path)}.partial-${process.pid}`)
    rmSync(this.partial, { recursive: true, force: true })
    mkdirSync(this.partial)
  }

  /** Gives the complete folder its name; returns its path. */
  publish(): string {
    const { path, force, numbered } = this.target
    if (existsSync(path) && force) {
      checkReplaceable(path, force)
      const old = join(dirname(path), `.${basename(path)}.old.partial-${process.pid}`)
      renameSync(path, old)
      publish(this.partial, path)
      rmSync(old, { recursive: true, force: true })
      return path
    }
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? path : `${path}-${number}`
      if (existsSync(candidate) && !isEmptyFolder(candidate)) {
        if (!numbered) checkReplaceable(candidate, force)
        continue
      }
      publish(this.partial, candidate)
      return candidate
    }
  }

  remove(): void {
    rmSync(this.partial, { recursive: true, force: true })
  }
}

const isEmptyFolder = (path: string): boolean => statSync(path).isDirectory() && readdirSync(path).length === 0

function checkReplaceable(path: string, force: boolean): void {
  if (isEmptyFolder(path)) return
  const isRun = existsSync(manifestPath(path))
  if (isRun && force) return
  const position = { file: path }
  if (isRun) throw new InputError('there is a run here already', { position, hint: '--force replaces it' })
  throw new InputError('there is something here that is no run', { position, hint: 'choose another folder' })
}

/** Removes the partial folders that processes left which no longer live. */
export function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = PARTIAL.exec(name)?.[1]
    if (pid !== undefined && !lives(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}
