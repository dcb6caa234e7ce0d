import type { Command } from 'commander'
import type { TradedSeat, TradedSession } from '../actions/trade.ts'
import { columnsText } from '../unit/columnsText.ts'
import { fixed } from '../unit/numberText.ts'
import { collect, common, type CommonOptions, print, printJson, remark, type TrustOptions, wholeNumber, withTrust } from './common.ts'
import type { Interruption } from './signals.ts'

interface TradeCommandOptions extends CommonOptions, TrustOptions {
  readonly url?: string
  readonly credentials: string
  readonly seat?: string
  readonly seed?: string
  readonly set?: readonly string[]
  readonly rate: string
  readonly bets?: string
  readonly callLimit?: string
  readonly memoryLimit?: string
}

const RATE_PER_HOUR = '60'
const USDC_MICROS = 1_000_000
const CENTS = 2

export function addTrade(program: Command, interruption: () => Interruption): void {
  const command = program.command('trade').argument('<strategy>', 'strategy file, or the name of a built-in one')
    .summary('play a strategy as a client of a served session')
    .description('Hold a seat of a session that parlor serve plays, with the strategy that would play in it inside: a maker or a bettor of either service. It ends with the session, or with Ctrl-C, which withdraws quotes and ends what is open.')
    .requiredOption('--credentials <file>', 'the file of credentials that parlor serve names')
    .option('--url <url>', 'address of the service; default: the one in the credentials')
    .option('--seat <name>', 'name of the seat; default: the only one of the strategy\'s role')
    .option('--seed <seed>', 'draw what the strategy draws inside from the scenario\'s seed; default: a seed that is drawn and named')
    .option('--set <name=value>', 'value of a parameter of the strategy; may be repeated', collect)
    .option('--rate <bets>', 'with a bettor: how many come in an hour of the session', RATE_PER_HOUR)
    .option('--bets <count>', 'with a bettor: how many come at most')
    .option('--call-limit <duration>', 'a call of the strategy, or the loading of its file, that takes longer ends the command; default: 1m')
    .option('--memory-limit <size>', 'memory of the thread in which the strategy plays; more ends the command; default: 4 GiB, and at most half of the machine\'s')
  withTrust(command)
  common(command, 'parlor trade ./mine.ts --credentials keys.json', 'parlor trade fixed-margin --set margin=3% --seat our-maker --credentials keys.json', 'parlor trade impatient --rate 120 --credentials keys.json')
    .action(async (strategy: string, options: TradeCommandOptions) => { await tradeFor(strategy, options, interruption) })
}

async function tradeFor(use: string, options: TradeCommandOptions, interruption: () => Interruption): Promise<void> {
  const actions = await import('../actions/trade.ts')
  const { set = [], credentials, seat: wanted, url, rate, bets, trusted, callLimit, memoryLimit } = options
  const { seat: { name, role, service }, seed, ...summary } = await actions.trade(use, {
    credentials, set, trusted: trusted === true, ratePerHour: Number(rate), signal: interruption().signal, onNote: remark,
    ...(wanted === undefined ? {} : { seat: wanted }), ...(url === undefined ? {} : { url }), ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(bets === undefined ? {} : { betsMax: wholeNumber(bets, '--bets') }), ...(callLimit === undefined ? {} : { callLimit }), ...(memoryLimit === undefined ? {} : { memoryLimit }),
    onPlays: (seat, drawn) => {
      if (options.seed === undefined) remark(`drawing from the seed ${drawn}`)
      remark(playsText(use, seat))
    },
  })
  if (options.json === true) return printJson({ seat: name, role, service, seed, ...summary })
  print(textOf(name, summary))
}

const playsText = (use: string, { name, role, service, url, controlUrl }: TradedSeat): string =>
  `${use} plays ${name}, a ${role} of the ${service} service at ${url}, ${controlUrl === null ? 'by the wall\'s clock' : 'in time that waits'}`

function textOf(name: string, { calls, refusals, figures }: Pick<TradedSession, 'calls' | 'refusals' | 'figures'>): string {
  const rows = Object.entries(figures).map(([figure, value]) => [wordsOf(figure), figure.endsWith('Micros') ? `${fixed(value / USDC_MICROS, CENTS)} USDC` : String(value)])
  const refused = Object.entries(refusals).map(([code, count]) => [`refused: ${code}`, String(count)])
  return columnsText([[name, ''], ['calls', String(calls)], ...refused, ...rows], [1])
}

/** `openRiskMicros` as `open risk`. */
const wordsOf = (name: string): string => name.replace(/Micros$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
