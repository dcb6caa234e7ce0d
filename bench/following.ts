// Prices that a maker follows, per CPU-second: `node tools/bundle/run.mjs bench/following.ts MARKETS CHANGES` plays so many changes of prices,
// with a maker that is called at each of them and quotes anew at every 100th.
import { widenInlining } from '../src/cli/v8.ts'
import { Session } from '../src/engine/session.ts'
import { assert } from '../src/unit/assert.ts'
import { cpuSeconds } from './cpuSeconds.ts'
import { type Followed, following } from './follower.ts'

const WARM_SESSIONS = 3

const [marketsText = '1', changesText = '1000000', warmText = '300000'] = process.argv.slice(2)

/** CPU-seconds of a session. */
function played(markets: number, changes: number): number {
  const followed: Followed = { changes: 0, quotes: 0 }
  const session = new Session(following(markets, changes, followed))
  const before = process.cpuUsage()
  session.runToEnd()
  const seconds = cpuSeconds(before)
  assert(followed.changes === changes, `the maker was called at ${followed.changes} of ${changes} changes`)
  return seconds
}

widenInlining()
for (let i = 0; i < WARM_SESSIONS; i++) played(Number(marketsText), Number(warmText))
console.log(JSON.stringify({ changesPerSecond: Number(changesText) / played(Number(marketsText), Number(changesText)) }))
