import { isDepth, lastName, type StoreHead } from '../store/storeHead.ts'

/** What of a history a session can have asked for. */
export interface SessionReach {
  /** Before it only what parts leave behind: the session's begin, less the longest latency of a feed, µs. */
  readonly foldUs: number
  /** The session's end, µs. */
  readonly toUs: number
  readonly showsDepth: boolean
}

/**
 * Whether a session can do without a file, as `store.json` says when its part begins and ends: a part after the session, and of a part before
 * it the ticks, where what they leave behind has a file of its own. Closes and marks may ask for parts after the session all the same.
 */
export function canBeSpared({ parts, files }: Pick<StoreHead, 'parts' | 'files'>, name: string, { foldUs, toUs, showsDepth }: SessionReach): boolean {
  if (isDepth(name)) return !showsDepth
  const part = parts.find((one) => one.name === name || lastName(one.name) === name)
  if (part === undefined) return false
  return part.firstUs >= toUs || (name === part.name && files[lastName(name)] !== undefined && part.lastUs < foldUs)
}
