import type { MakerStrategy } from '../../src/agent/maker.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { ExternalRow } from '../../src/record/externalTable.ts'
import type { Sink } from '../../src/record/sink.ts'
import { buildSession } from '../../src/scenario/build.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { loadNamedStrategy } from '../../src/scenario/tradedStrategy.ts'
import type { Seat } from '../../src/trade/credentials.ts'
import { trade } from '../../src/trade/trade.ts'
import { rowOfKind } from '../../src/venue/eventCells.ts'
import { OutcomeEvent, type OutcomeKind, PositionTransferred as OutcomeTransfer, QuoteFailed as OutcomeFailure } from '../../src/venue/outcome/protocol/events.ts'
import { ParlayEvent, type ParlayKind, PositionTransferred, QuoteFailed } from '../../src/venue/parlay/protocol/events.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { outcomeHandlers } from '../serve/lockstep/outcomeWirePlay.ts'
import { digestAgain, type Doors, playedOutside, preparedOf, tokenOf } from '../serve/lockstep/served.ts'
import { WAYS, wireHandlers } from '../serve/lockstep/wirePlay.ts'
import { readmesMaker } from './tradePlay.ts'

export const TRADED_SERVICES = ['parlay', 'outcome'] as const
export type TradedService = (typeof TRADED_SERVICES)[number]
export type Ways = keyof typeof WAYS

/** What a maker inside repeats by itself has ways of its own: here it repeats nothing. */
const SERVICES = { parlay: 'parlay: { profile: parlay@2.1, gate: {} }', outcome: 'outcome: { profile: outcome@1, signatures: eip712, gate: { retries: { most: 0 } } }' } as const

/** The other seat of every round: it quotes late, declines, decides late, and lets windows lapse. */
const LOOKER = `import { maker } from 'parlor'

export default maker({}, () => ({
  state: { asked: 0, chosen: 0 },
  onRequest(request, desk) {
    const turn = ++this.state.asked % 3
    if (turn === 0) desk.later(request, 700_000)
    else if (turn === 1) this.onLater(request, desk)
  },
  onLater(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 60e6 })
    if (fair > 0) desk.quote(request, { probability: fair, validUs: 20e6 })
  },
  onSelected(selection, desk) {
    const turn = ++this.state.chosen % 4
    if (turn === 0) desk.confirm(selection)
    else if (turn === 1) desk.decline(selection)
    else desk.decideLater(selection, turn === 2 ? 200_000 : selection.deadlineAtUs - desk.nowUs + 1)
  },
  onDecision: (selection, desk) => { desk.confirm(selection) },
}))
`

interface Kind {
  /** Of the strategy, in the scenario. */
  readonly use: () => string
  readonly values: Readonly<Record<string, number>>
  /** The same in the scenario. */
  readonly params?: string
}

/** The makers whose rows are compared, by name. */
const KINDS = {
  'fixed-margin': { use: () => 'fixed-margin', values: { margin: 0.01, cap: 60_000_000 }, params: '{ margin: 1%, cap: 60 USDC }' },
  shade: { use: () => 'shade', values: {} },
  'cashout-bidder': { use: () => 'cashout-bidder', values: { margin: 0.01, resellAfter: 3_000_000, resellTries: 5 }, params: '{ margin: 1%, resellAfter: 3s, resellTries: 5 }' },
  'README’s ten lines': { use: readmesMaker, values: {} },
} as const satisfies Readonly<Record<string, Kind>>
export type KindName = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as KindName[]

/** What a session was about, as its rows tell. */
export interface RoundCounts {
  declines: number
  /** Windows of last looks that lapsed. */
  lapses: number
  /** Positions that the maker in question sold again to another one. */
  resales: number
}

export interface Round extends RoundCounts {
  readonly digest: string
  readonly turns: number
  readonly calls: number
  readonly timers: number
  /** Played again from its journal, it has the digest too. */
  readonly isReplayed: boolean
}

/** A kind of maker on a service with its latencies, in the first of two seats: inside, and as `parlor trade` plays it. */
export class TradedRounds {
  private readonly kind: Kind
  private readonly service: TradedService
  private readonly text: (isOutside: boolean) => string
  private readonly uses: readonly [string, string]

  constructor(kind: KindName, service: TradedService, ways: Ways, bets: number) {
    this.kind = KINDS[kind]
    this.service = service
    this.uses = [this.kind.use(), put(newFolder(), 'looker.ts', LOOKER)]
    const { params = '{}' } = this.kind
    const seat = (isOutside: boolean, name: string, use: string, own: string): string =>
      `  - { ${isOutside ? 'external: true' : `use: ${use}, params: ${own}`}, name: ${name}, capital: 100000 USDC, latency: ${WAYS[ways]} }\n`
    this.text = (isOutside) => SMALL.replace('parlay: { profile: parlay@2.1 }', SERVICES[service]).replace('max: 200', `max: ${bets}`).replace(/bettors:\n[^]*$/, `bettors:
  - { kind: impatient, n: 60, every: 10m, params: { legsMax: 3, tries: 3, holdMin: 2s, holdMax: 20s, decideMax: 3s } }
makers:
${seat(isOutside, 'ours', this.uses[0], params)}${seat(isOutside, 'looker', this.uses[1], '{}')}  - { use: cashout-bidder, name: keen, capital: 50000 USDC, params: { margin: 0% }, faults: { disconnect: { every: 12s, for: 12s } }, latency: ${WAYS[ways]} }
  - { use: fixed-margin, name: rival, capital: 50000 USDC, params: { bid: 8% } }
`)
  }

  /** Digest of the strategies inside. */
  async inside(): Promise<string> {
    const { resolved, strategies, store } = await preparedOf(this.text(false))
    const digest = new Digest()
    new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }).runToEnd()
    return digest.hex()
  }

  /** Plays the strategies by the code of `parlor trade`, behind a proxy that holds every connection up for its own time below so many ms. */
  async outside(spread: { readonly mostMs: number; readonly seed: number }): Promise<Round> {
    const prepared = await preparedOf(this.text(true))
    const counts: RoundCounts = { declines: 0, lapses: 0, resales: 0 }
    const { directory } = buildSession(prepared.resolved, prepared.strategies, prepared.store)
    const { digest, rows, turns, calls } = await playedOutside(prepared, this.clients(prepared), {
      handlers: this.service === 'parlay' ? wireHandlers(prepared) : outcomeHandlers(prepared), spread, sinks: [counting(counts, directory.accounts.findIndex(({ name }) => name === 'ours'))],
    })
    return { digest, turns, calls, timers: rows.filter(isTimer).length, isReplayed: digestAgain(prepared, rows) === digest, ...counts }
  }

  private clients({ resolved: { seed } }: PreparedScenario) {
    return async ({ url, controlUrl, served, credentials }: Doors): Promise<readonly { readonly over: Promise<unknown> }[]> => {
      const strategies = await Promise.all(this.uses.map(async (use) => (await loadNamedStrategy(use, importOf(false))).strategy as MakerStrategy))
      return ['ours', 'looker'].map((name, i) => {
        const { account } = served.seats.find((seat) => seat.name === name)!
        const seat: Seat = { service: this.service, name, role: 'maker', url, controlUrl, held: { ...credentials[name], control_token: tokenOf(account) } }
        const values = parameterValues(strategies[i]!.parameters, i === 0 ? this.kind.values : {})
        return { over: trade({ seat, strategy: strategies[i]!, values, seed, ratePerHour: 0, say: () => {} }, new AbortController().signal) }
      })
    }
  }
}

/** A time that a strategy asked for. */
const isTimer = ({ kind, why }: ExternalRow): boolean => kind === 'wake' && why === 'wake'

/** @param ours number of the account whose sales are counted. */
const counting = (counts: RoundCounts, ours: number): Sink => ({
  flush({ parlay, outcome }) {
    for (let i = 0; i < (parlay?.events.count ?? 0); i++) {
      const { events } = parlay!
      const row = events.row(i)
      const kind = events.kindOf(row) as ParlayKind
      if (kind === ParlayEvent.quoteFailed) failed(counts, events.read(rowOfKind(row, kind), QuoteFailed.isDeclined))
      else if (kind === ParlayEvent.positionTransferred && events.read(rowOfKind(row, kind), PositionTransferred.seller) === ours) counts.resales++
    }
    for (let i = 0; i < (outcome?.events.count ?? 0); i++) {
      const { events } = outcome!
      const row = events.row(i)
      const kind = events.kindOf(row) as OutcomeKind
      if (kind === OutcomeEvent.quoteFailed) failed(counts, events.read(rowOfKind(row, kind), OutcomeFailure.isDeclined))
      else if (kind === OutcomeEvent.positionTransferred && events.read(rowOfKind(row, kind), OutcomeTransfer.seller) === ours) counts.resales++
    }
  },
  finish: () => {}, abort: () => {},
})

function failed(counts: RoundCounts, isDeclined: number): void {
  if (isDeclined === 1) counts.declines++
  else counts.lapses++
}
