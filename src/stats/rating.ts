import { bradleyTerry } from './bradleyTerry.ts'
import { type Interval, withoutInterval } from './interval.ts'
import { replicatedInterval, type ReplicatedSums, resampledRows } from './replicatedSums.ts'

/** Results of two players that can be compared, by replication and cluster. NaN where there was no game. */
export interface Meeting {
  readonly first: number
  readonly second: number
  /** replications × clusters. */
  readonly firstResults: Float64Array
  readonly secondResults: Float64Array
}

/**
 * A rating of each player with its interval. A game is one settlement cluster of one meeting, and the greater result wins it. The
 * replications of one cluster share one game, because they are no new history.
 * With one cluster each replication is a game. Players without a game have no rating.
 */
export function ratings(meetings: readonly Meeting[], players: number, replications: number, clusters: number): Interval[] {
  const sums = gamesByCluster(meetings, players, replications, clusters)
  const scale = resampledRows(sums).unit === 'replications' ? replications : 1
  // Every player's interval leaves out the same clusters in the same order, so that each choice is fitted once for all.
  const fits: Float64Array[] = []
  return Array.from({ length: players }, (_, player) => {
    if (!meetings.some(({ first, second }) => first === player || second === player)) return withoutInterval(NaN, 0, 'met nobody')
    let asked = 0
    const interval = replicatedInterval(sums, (totals) => (fits[asked++] ??= fit(totals, players, scale))[player]!)
    // A player that won, lost or tied every game does so without any cluster too, which is no certainty.
    return interval.low !== null && interval.low === interval.high ? withoutInterval(interval.estimate!, interval.count, `${interval.label}, all alike`) : interval
  })
}

/** @param totals wins, then ties */
function fit(totals: Float64Array, players: number, scale: number): Float64Array {
  const games = totals.map((total) => total * scale)
  return bradleyTerry({ players, wins: games.subarray(0, players * players), ties: games.subarray(players * players) }).ratings
}

/** Wins, then ties: players × players each. */
function gamesByCluster(meetings: readonly Meeting[], players: number, replications: number, clusters: number): ReplicatedSums {
  const width = 2 * players * players
  const cells = new Float64Array(replications * clusters * width)
  for (const { first, second, firstResults, secondResults } of meetings) {
    for (let row = 0; row < replications * clusters; row++) {
      const gain = firstResults[row]! - secondResults[row]!
      const [winner, loser] = gain > 0 ? [first, second] : [second, first]
      if (gain === 0) {
        for (const [a, b] of [[first, second], [second, first]] as const) cells[row * width + players * players + a * players + b]!++
      } else if (!Number.isNaN(gain)) cells[row * width + winner * players + loser]!++
    }
  }
  return { width, replications, clusters, cells }
}
