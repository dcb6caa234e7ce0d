import type { LoadedScenario, ScenarioOrigin } from '../scenario/load.ts'
import type { ResolvedMaker } from '../scenario/resolved.ts'
import { quantityText } from '../scenario/units.ts'
import { assert } from '../unit/assert.ts'
import type { Contestant } from './contestants.ts'
import { seedOf, type TaskSpec } from './task.ts'

export const KINDS = ['alone', 'field', 'pairs', 'band', 'aggressiveness'] as const

/** The setting in which a league plays a session. */
export interface Setting {
  readonly kind: (typeof KINDS)[number]
  /** For a band: the number of rivals, and the share of the scenario's bettors. */
  readonly rivals?: number
  readonly demand?: number
  /** The margin at which all rivals quote. */
  readonly margin?: number
}

/** One session of a league. */
export interface LeagueSession {
  readonly setting: Setting
  /** Indices of the contestants that play: one, or two in the format `pairs`. */
  readonly contestants: readonly number[]
  /** Number of the replication, from 1. */
  readonly replication: number
  readonly spec: TaskSpec
}

/** The name of a rival that quotes at a given margin. */
const RIVAL = 'rival'

/**
 * Makes the sessions of a league. A session is the scenario with other `makers` and bettors, so that anybody can play it again. The
 * scenario's own makers keep their names.
 */
export class LeagueSessions {
  private readonly scenario: ScenarioOrigin
  private readonly set: readonly string[]
  private readonly file: LoadedScenario['file']
  private readonly contestants: readonly Contestant[]
  /** One seat each. */
  private readonly seats: readonly Readonly<Record<string, unknown>>[]

  /** @param set settings of the command line. @param makers the scenario's own makers, seat by seat. */
  constructor(loaded: LoadedScenario, set: readonly string[], makers: readonly ResolvedMaker[], contestants: readonly Contestant[]) {
    this.scenario = loaded.origin
    this.set = set
    this.file = loaded.file
    this.contestants = contestants
    this.seats = seatsOf(loaded, makers)
  }

  /** Rivals that the scenario itself has. */
  get fieldSize(): number {
    return this.seats.length
  }

  alone(contestant: number, replication: number): LeagueSession {
    return this.session({ kind: 'alone' }, [contestant], replication, [this.makerOf(contestant)])
  }

  /** A contestant beside the scenario's own makers, and after them: of equal quotes at the same instant theirs come first. */
  field(contestant: number, replication: number): LeagueSession {
    return this.session({ kind: 'field' }, [contestant], replication, [...this.seats, this.makerOf(contestant)])
  }

  /** Two contestants head to head. They take turns at the first seat, whose quote comes first of two at the same instant. */
  pair(first: number, second: number, replication: number): LeagueSession {
    const seats = [this.makerOf(first), this.makerOf(second)]
    return this.session({ kind: 'pairs' }, [first, second], replication, replication % 2 === 1 ? seats : seats.toReversed())
  }

  /** A contestant with a number of rivals and a share of the bettors. */
  band(contestant: number, rivals: number, demand: number, replication: number): LeagueSession {
    const makers = [...this.rivals(rivals), this.makerOf(contestant)]
    return this.session({ kind: 'band', rivals, demand }, [contestant], replication, makers, this.demandSettings(demand))
  }

  /** A contestant against rivals that all quote at one margin. */
  against(contestant: number, rivals: number, margin: number, replication: number): LeagueSession {
    const { capital } = this.contestants[contestant]!.maker
    const makers = Array.from({ length: rivals }, (_, i) =>
      ({ name: numbered(RIVAL, i + 1), use: 'fixed-margin', capital, params: { margin: quantityText('share', margin) } }))
    return this.session({ kind: 'aggressiveness', rivals, margin }, [contestant], replication, [...makers, this.makerOf(contestant)])
  }

  private makerOf(contestant: number): Readonly<Record<string, unknown>> {
    return this.contestants[contestant]!.maker
  }

  /** The scenario's makers from the first on. When they run out, they are taken again under other names. */
  private rivals(count: number): Readonly<Record<string, unknown>>[] {
    assert(count === 0 || this.seats.length > 0, 'there are makers to take as rivals')
    return Array.from({ length: count }, (_, i) => {
      const seat = this.seats[i % this.seats.length]!
      return { ...seat, name: numbered(String(seat['name']), Math.floor(i / this.seats.length) + 1, 'again') }
    })
  }

  /** Settings for the bettors of every cohort that is a crowd, and for the most that may arrive. */
  private demandSettings(demand: number): string[] {
    const scaled = (count: number): number => Math.max(1, Math.round(count * demand))
    if (demand === 1) return []
    const { bettors, arrivals } = this.file
    return [
      ...bettors.flatMap(({ n, account, requests, recorded }, i) => (account !== undefined || requests !== undefined || recorded !== undefined ? [] : [`bettors.${i}.n=${scaled(n)}`])),
      ...(arrivals.max === undefined ? [] : [`arrivals.max=${scaled(arrivals.max)}`]),
    ]
  }

  private session(
    setting: Setting, contestants: readonly number[], replication: number, makers: readonly object[], more: readonly string[] = [],
  ): LeagueSession {
    const set = [...this.set, `makers=${JSON.stringify(makers)}`, ...more]
    return { setting, contestants, replication, spec: { scenario: this.scenario, set, seed: seedOf(this.file.seed, replication) } }
  }
}

const numbered = (name: string, number: number, word = ''): string => (number === 1 ? name : `${name}${word === '' ? '' : ` ${word}`} ${number}`)

/** The scenario's makers as written, one for each seat, under their own names. */
function seatsOf({ file, written }: LoadedScenario, makers: readonly ResolvedMaker[]): Readonly<Record<string, unknown>>[] {
  const seats = file.makers.flatMap(({ count }, i) => {
    const { count: _, ...terms } = (written['makers'] as Readonly<Record<string, unknown>>[])[i]!
    return Array.from({ length: count }, () => terms)
  })
  return seats.map((terms, seat) => ({ ...terms, name: makers[seat]!.name }))
}
