import { spawnSync } from 'node:child_process'
import { arch, availableParallelism, cpus, release, type } from 'node:os'

/** The machine and the commit of a run's figures. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly node: string
  readonly os: string
  /** The commit, with a `+` where the checkout had changes, `unknown` outside of a checkout. */
  readonly commit: string
}

function git(...args: string[]): string | null {
  const { stdout, status } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

export function thisMachine(): Machine {
  const commit = git('rev-parse', '--short', 'HEAD')
  const mark = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism(), node: process.version, os: `${type()} ${release()} ${arch()}`,
    commit: commit === null ? 'unknown' : commit + mark,
  }
}

export const machineText = ({ cpu, cores, node, os, commit }: Machine): string =>
  `${cpu}, ${cores} cores, ${os}; Node ${node}; commit ${commit}`
