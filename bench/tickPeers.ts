import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FigureSpec, Program } from './figures.ts'
import { type Room, works } from './room.ts'

const PEERS = join(import.meta.dirname, '../../shared/peers/tick-replay')
const PACKAGES = ['hftbacktest==2.4.4', 'nautilus_trader==1.221']
/** Markets whose prices the maker follows. */
export const FOLLOWED_MARKETS = [1, 30] as const
/** Nautilus plays so many times fewer changes than the others, as it takes so much longer for each. */
const NAUTILUS_FEWER = 10

/** Programs that play changes of prices to a maker, by key. */
export const FOLLOWERS = { parlor: 'parlor', hftbacktest: 'hftbacktest', nautilus: 'Nautilus' } as const

export const followKey = (program: keyof typeof FOLLOWERS, markets: number): string => `follow.${program}.${markets}`

export interface TickPrograms {
  readonly programs: readonly Program[]
  /** What is missing, and why. */
  readonly leftOut: readonly string[]
}

const figure = (program: keyof typeof FOLLOWERS, markets: number): FigureSpec => ({
  key: followKey(program, markets), name: `prices that a maker follows, ${FOLLOWERS[program]}, ${markets} market${markets === 1 ? '' : 's'}`, unit: 'changes/s', better: 'more',
  comparedBy: program === 'parlor' ? 'calibration' : 'nothing',
})

const followed = (program: keyof typeof FOLLOWERS, rateOn: (markets: number) => number): Program => ({
  name: `prices that a maker follows, ${FOLLOWERS[program]}`,
  figures: FOLLOWED_MARKETS.map((markets) => figure(program, markets)),
  run: () => Object.fromEntries(FOLLOWED_MARKETS.map((markets) => [followKey(program, markets), rateOn(markets)])),
})

/** A maker that follows prices, in parlor and in the programs of ../shared/peers/tick-replay. */
export function tickProgramsIn(room: Room, changes: number): TickPrograms {
  const own = followed('parlor', (markets) => room.play('following.ts', markets, changes).changesPerSecond!)
  const python = pythonIn(room)
  if (python === null) return { programs: [own], leftOut: [`hftbacktest and Nautilus: ${existsSync(PEERS) ? `pip cannot install ${PACKAGES.join(' and ')} here` : `nothing at ${PEERS}`}`] }
  const rate = (script: string, pattern: RegExp, size: number) => (markets: number): number => Number(pattern.exec(room.text(python, [script, markets, size, 'mm'], PEERS))![1])
  return {
    programs: [
      own, followed('hftbacktest', rate('hft.py', /: (\d+) quote changes\/CPU-s/, changes)),
      followed('nautilus', rate('naut.py', /run (\d+) ticks\/CPU-s/, changes / NAUTILUS_FEWER)),
    ],
    leftOut: [],
  }
}

/** A Python that has both packages: that of PARLOR_BENCH_PYTHON, or one of the room, in which they are installed. Null: there is none. */
function pythonIn(room: Room): string | null {
  if (!existsSync(PEERS)) return null
  const given = process.env['PARLOR_BENCH_PYTHON']
  if (given !== undefined && works(given, ['-c', 'import hftbacktest, nautilus_trader'])) return given
  const venv = join(room.dir, 'tickVenv')
  const python = join(venv, 'bin/python')
  return works('python3', ['-m', 'venv', venv]) && works(python, ['-m', 'pip', 'install', '-q', ...PACKAGES]) ? python : null
}
