import { canonicalDigest } from '../scenario/canonical.ts'
import { ownPlatform, ownSourceTree } from '../scenario/run.ts'

/** What plays sessions: equal tasks give equal bytes under one of these. */
export interface Build {
  /** Digest of the sources of parlor, 64 hex digits. */
  readonly sourceTree: string
  readonly node: string
  /** Operating system and processor, such as `linux-x64`. */
  readonly platform: string
}

/** That of this process. */
export const ownBuild = (): Build => ({ sourceTree: ownSourceTree(), node: process.version, platform: ownPlatform() })

/** Names a build in keys of a store: 16 hex digits. */
export const buildName = (build: Build): string => canonicalDigest(build).slice(0, 16)

/** In what another build differs, in words. */
export function buildDifference(other: Build, own: Build): string {
  return [
    other.sourceTree === own.sourceTree ? '' : `another source tree (${other.sourceTree.slice(0, 12)}, here ${own.sourceTree.slice(0, 12)})`,
    other.node === own.node ? '' : `another Node (${other.node}, here ${own.node})`,
    other.platform === own.platform ? '' : `another platform (${other.platform}, here ${own.platform})`,
  ].filter((part) => part !== '').join(' and ')
}
