import { KIND_NAMES, type KindName, type Round, TRADED_SERVICES, type TradedService, TradedRounds, type Ways } from '../test/trade/roundsPlay.ts'

/** A connection is held up by so much in each direction, drawn for each. */
const HELD_UP_MS = 50
const BETS = 10
/** Rounds that are played at a time: connections that are held up cost no CPU time. */
const AT_A_TIME = 16
const DIGEST_SHOWN = 12

export interface TradeSoakSettings {
  /** Of each kind of maker, service and latencies. */
  readonly rounds: number
  /** Of the first round's proxy. The next rounds count on. */
  readonly seed: number
}

interface Played {
  readonly kind: KindName
  readonly service: TradedService
  readonly ways: Ways
  readonly expected: string
  readonly rounds: Round[]
}

const WAYS = [['no', 'zero'], ['equal', 'tied']] as const

/**
 * Plays makers by the code of `parlor trade`, two seats at a time, behind a proxy that holds connections up and so reorders what goes over them.
 * Every round must leave the digest of the same makers inside, and be played again to it from its journal. Prints a table. Returns whether all did.
 */
export async function tradeSoak({ rounds, seed }: TradeSoakSettings): Promise<boolean> {
  const plays = await Promise.all(KIND_NAMES.flatMap((kind) => TRADED_SERVICES.flatMap((service) => WAYS.map(async ([ways]) => {
    const traded = new TradedRounds(kind, service, ways, BETS)
    return { traded, played: { kind, service, ways, expected: await traded.inside(), rounds: [] } as Played }
  }))))
  const due = Array.from({ length: rounds }, (_, round) => plays.map((play) => ({ ...play, round }))).flat()
  let done = 0
  const playOn = async (): Promise<void> => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const { traded, played, round } = next
      const one = await traded.outside({ mostMs: HELD_UP_MS, seed: seed + round })
      played.rounds.push(one)
      console.error(`${++done} of ${rounds * plays.length}: ${played.kind}, ${played.service}, ${nameOf(played.ways)}, seed ${seed + round}: ${isSame(played, one) ? one.digest.slice(0, DIGEST_SHOWN) : `${one.digest}, expected ${played.expected}`}`)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, playOn))
  console.log(tableOf(plays.map(({ played }) => played)))
  return plays.every(({ played }) => played.rounds.every((one) => isSame(played, one)))
}

const isSame = ({ expected }: Played, { digest, isReplayed }: Round): boolean => digest === expected && isReplayed

const nameOf = (ways: Ways): string => WAYS.find(([own]) => own === ways)![1]

function tableOf(plays: readonly Played[]): string {
  const head = ['maker', 'service', 'latencies', 'rounds', 'turns', 'calls', 'timers', 'declines', 'lapses', 'sold again', 'digest', 'equal']
  const lines = plays.map((played) => {
    const [first] = played.rounds
    const equal = played.rounds.filter((one) => isSame(played, one)).length
    const counts = first === undefined ? [] : [first.turns, first.calls, first.timers, first.declines, first.lapses, first.resales]
    return [played.kind, played.service, nameOf(played.ways), played.rounds.length, ...counts, `\`${played.expected.slice(0, DIGEST_SHOWN)}\``, `${equal} of ${played.rounds.length}`]
  })
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
