import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LoadedScenario } from './load.ts'

/** The files that a scenario is read from and names, but those of its store and of strategies: its own, groups, recorded arrivals and logs. */
export function ownFilesOf({ file: { history: { groups }, bettors, makers }, path, folder }: LoadedScenario): string[] {
  const named = [
    groups, ...bettors.flatMap(({ arrivals, recorded }) => [arrivals !== undefined && 'file' in arrivals ? arrivals.file : undefined, recorded?.log]), ...makers.map(({ log }) => log),
  ]
  return [resolve(path), ...named.flatMap((name) => (name === undefined ? [] : [name]))].map((name) => resolve(folder, name)).filter((name) => existsSync(name))
}
