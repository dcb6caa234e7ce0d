import { relative } from 'node:path'
import type { Command } from 'commander'
import type { PlayedShard, ShardOptions } from '../actions/shards.ts'
import { InputError } from '../unit/inputError.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { atLeastOne, type CommonOptions, print, printJson, remark } from './common.ts'

/** Options of commands whose sessions may be played in shards. */
export interface ShardCommandOptions {
  readonly shard?: string
  readonly shards?: string
  readonly results?: string
  readonly merge?: boolean
  readonly queue?: string
}

/** The variable in which an Indexed Job of Kubernetes has the number of a pod, from 0. */
const INDEX = 'JOB_COMPLETION_INDEX'

/** Adds the options that spread sessions over machines. */
export const withShards = (command: Command): Command => command
  .option('--shard <i/n>', 'play the i-th of n parts of the sessions into --results, as on one of n machines')
  .option('--shards <n>', `number of parts, where ${INDEX} in the environment says which, from 0; beside --merge: name the shards of missing sessions`)
  .option('--results <dir>', 'folder in which shards, or the workers of a queue, leave their sessions, or s3://BUCKET/FOLDER')
  .option('--merge', 'make the result of what lies in --results, and play nothing')
  .option('--queue <url>', 'have the workers of a queue (parlor worker) play the sessions into --results: redis://HOST:6379')

/** How the sessions of a command are spread. */
export type Sharding = { readonly kind: 'none' } | { readonly kind: 'shard' } & ShardOptions | { readonly kind: 'merge'; readonly results: string; readonly shards?: number }
  | { readonly kind: 'queue'; readonly queue: string; readonly results: string }

/** Throws InputError for options that do not go together. `whole`: options of the command that make no sense beside a shard. */
export function shardingOf({ shard, shards, results, merge, queue }: ShardCommandOptions, whole: Readonly<Record<string, unknown>>, environment: Readonly<Record<string, string | undefined>> = process.env): Sharding {
  if (queue !== undefined) {
    const other = merge === true ? '--merge' : shard !== undefined ? '--shard' : shards !== undefined ? '--shards' : undefined
    if (other !== undefined) throw new InputError(`--queue shares the sessions out itself: leave out ${other}`)
    return { kind: 'queue', queue, results: neededResults(results, '--queue') }
  }
  if (merge === true) {
    if (shard !== undefined) throw new InputError('--shard plays and --merge reduces: give one of them')
    return { kind: 'merge', results: neededResults(results, '--merge'), ...(shards === undefined ? {} : { shards: atLeastOne(shards, '--shards') }) }
  }
  if (shard === undefined && shards === undefined) {
    if (results !== undefined) throw new InputError('--results goes with --shard, --merge or --queue', { hint: 'expected --shard 1/3, or --merge when all shards have played' })
    return { kind: 'none' }
  }
  if (shard !== undefined && shards !== undefined) throw new InputError(`--shard i/n says how many shards there are: leave out --shards, which is for ${INDEX}`)
  for (const [option, value] of Object.entries(whole)) if (value !== undefined) throw new InputError(`a shard leaves no result: leave ${option} to --merge`)
  const part = shard === undefined ? indexed(atLeastOne(shards!, '--shards'), environment[INDEX]) : parted(shard)
  return { kind: 'shard', ...part, results: neededResults(results, shard === undefined ? '--shards' : '--shard') }
}

const neededResults = (results: string | undefined, option: string): string => {
  if (results === undefined) throw new InputError(`${option} needs --results`, { hint: 'expected a folder that all machines see' })
  return results
}

function parted(text: string): { readonly shard: number; readonly shards: number } {
  const [, shard, shards] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  if (shard === undefined) throw new InputError('is no share', { position: { file: `--shard ${text}` }, hint: 'expected i/n, as 1/3, 2/3 and 3/3' })
  return { shard: Number(shard), shards: Number(shards) }
}

function indexed(shards: number, index: string | undefined): { readonly shard: number; readonly shards: number } {
  if (index === undefined) throw new InputError(`--shards needs ${INDEX} in the environment, which an Indexed Job sets`, { hint: `expected --shard i/${shards} elsewhere` })
  if (!/^\d{1,6}$/.test(index) || Number(index) >= shards) throw new InputError('is no shard', { position: { file: `${INDEX}=${index}` }, hint: `expected 0 to ${shards - 1}, by --shards ${shards}` })
  return { shard: Number(index) + 1, shards }
}

/** Says what a shard did. */
export function tellShard({ played, kept, failed, awaited, rechecked, seconds }: PlayedShard, { shard, shards, results }: ShardOptions, { json, quiet }: CommonOptions & { readonly quiet?: boolean }): void {
  const folder = results.includes('://') ? results : relative('.', results)
  if (json === true) return printJson({ results: folder, shard, shards, played, kept, failed, rechecked, awaited, seconds })
  const also = [kept > 0 ? `${thousands(kept)} kept from before` : '', rechecked > 0 ? `${thousands(rechecked)} kept ones played again, the same bytes` : '', failed > 0 ? `${thousands(failed)} failed` : '']
  print([`${folder}: shard ${shard}/${shards}, ${thousands(played)} sessions played`, ...also.filter((part) => part !== ''), secondsText(seconds)].join(', '))
  if (awaited > 0 && quiet !== true) {
    remark(`this round is over: ${thousands(awaited)} sessions of other shards decide what is played next, and have no result yet. Give the commands of all shards again when they have ended, until --merge finds nothing missing`)
  }
}
