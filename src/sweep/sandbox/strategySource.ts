import { DEFAULT_CALL_LIMITS } from '../../scenario/strategyLimits.ts'
import { StrategyReader, type StrategyReaderOptions } from '../strategyReader.ts'
import type { SandboxLevel } from './enclosure.ts'
import { Sandbox } from './sandbox.ts'

export interface StrategySourceOptions extends StrategyReaderOptions {
  /** Files are read in a process that is shut in so far. Without it they are read in a thread of this process. */
  readonly sandbox?: SandboxLevel | undefined
  /** Gets what strategies in a sandbox print, line by line. */
  readonly say?: (line: string) => void
}

/** What reads strategy files, which run in no thread of the caller's own. */
export function strategySource({ sandbox, say = () => {}, ...options }: StrategySourceOptions): Pick<StrategyReader, 'read' | 'close'> {
  if (sandbox === undefined) return new StrategyReader(options)
  const { limits = DEFAULT_CALL_LIMITS, limitMs = Infinity, signal, isTrusted = false } = options
  return new Sandbox({ level: sandbox, limits, limitMs, isTrusted, signal, say })
}
