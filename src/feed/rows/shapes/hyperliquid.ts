import { isItem, type Item, type RowShape, type ShapeOut, textOf } from './shape.ts'

/** Coin of a side of an outcome, as books and trades name it. */
const coinOf = (outcome: string, side: number): string => `#${Number(outcome) * 10 + side}`
const EXPIRY = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)$/
const FREQUENCIES: ReadonlyMap<string, string> = new Map([['1h', 'hourly'], ['1d', 'daily'], ['1w', 'weekly']])

/** What lies in an answer or a frame of a channel. */
const within = (item: Item, name: string): unknown => (item['channel'] === name ? item['data'] : item[name])
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Outcomes of `outcomeMeta`, and what they settled at (`settledOutcome`). A row is a side. */
export const hyperliquidOutcomes: RowShape = {
  columns: ['coin', 'title', 'event', 'ladder', 'frequency', 'close', 'result', 'value'],
  signs: [['outcomes', 'sideSpecs'], ['settleFraction', 'spec']],
  begin: () => ({
    take(item, out) {
      const meta = isItem(item['outcomeMeta']) ? item['outcomeMeta'] : item
      if (isList(meta['outcomes'])) return takeMeta(meta['outcomes'], isList(meta['questions']) ? meta['questions'] : [], out)
      const settled = isItem(item['settledOutcome']) ? item['settledOutcome'] : item
      return isItem(settled['spec']) && takeSettled(settled['spec'], textOf(settled['settleFraction']), out)
    },
  }),
}

function takeMeta(outcomes: readonly unknown[], questions: readonly unknown[], out: ShapeOut): void {
  const questionOf = new Map<string, Item>()
  for (const question of questions.filter(isItem)) {
    for (const outcome of [question['namedOutcomes'], question['fallbackOutcome']].flat(1)) questionOf.set(textOf(outcome), question)
  }
  for (const outcome of outcomes) {
    if (isItem(outcome)) takeSides(outcome, questionOf.get(textOf(outcome['outcome'])), out)
    else out.bad('not an object', String(JSON.stringify(outcome)).slice(0, 60))
  }
}

/** The first side is paid the fraction, and the second one the rest. */
function takeSettled(spec: Item, fraction: string, out: ShapeOut): void {
  const worth = /^\d+(\.\d+)?$/.test(fraction) ? Number(fraction) : NaN
  if (!(worth >= 0 && worth <= 1)) return out.bad('unknown result', `settleFraction '${fraction}'`)
  const rest = Math.round((1 - worth) * 1e12) / 1e12
  const sides = sidesOf(spec, out)
  for (const [i, value] of [fraction, String(rest)].entries()) if (sides !== undefined) out.row({ coin: coinOf(sides.number, i), value })
}

/** Number and sides of an outcome. Undefined for what is none, which is set aside. */
function sidesOf(outcome: Item, out: ShapeOut): { readonly number: string; readonly sides: readonly Item[] } | undefined {
  const number = textOf(outcome['outcome'])
  const sides = isList(outcome['sideSpecs']) ? outcome['sideSpecs'].filter(isItem) : []
  if (/^\d+$/.test(number) && sides.length === 2) return { number, sides }
  return void out.bad('no outcome', `outcome '${number}' with ${sides.length} sides`)
}

function takeSides(outcome: Item, question: Item | undefined, out: ShapeOut): void {
  const { number, sides } = sidesOf(outcome, out) ?? {}
  if (number === undefined || sides === undefined) return
  const facts = fieldsOf(textOf(outcome['description']))
  const expiry = EXPIRY.exec(facts.get('expiry') ?? '')
  const ladder = facts.get('class') === 'priceBinary' && facts.has('underlying') && facts.has('expiry') ? `${facts.get('underlying')}-${facts.get('expiry')}` : undefined
  for (const [i, side] of sides.entries()) {
    out.row({
      coin: coinOf(number, i), title: `${textOf(outcome['name'])} ${textOf(outcome['description'])}: ${textOf(side['name'])}`,
      event: question === undefined ? `outcome-${number}` : `question-${textOf(question['question'])}`, ladder, frequency: FREQUENCIES.get(facts.get('period') ?? ''),
      close: expiry === null ? undefined : `${expiry[1]}-${expiry[2]}-${expiry[3]}T${expiry[4]}:${expiry[5]}Z`,
    })
  }
}

const fieldsOf = (description: string): ReadonlyMap<string, string> => new Map(description.split('|').flatMap((part) => {
  const at = part.indexOf(':')
  return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const]
}))

const isOutcomeCoin = (coin: string): boolean => /^#\d+$/.test(coin)

/** Undefined where one of the levels is none: nobody knows what the book was. */
function levelsOf(side: unknown): readonly (readonly unknown[])[] | undefined {
  if (!isList(side) || !side.every((level) => isItem(level) && level['px'] !== undefined && level['sz'] !== undefined)) return undefined
  return side.filter(isItem).map(({ px, sz }) => [px, sz])
}

/** Whole books (`l2Book`) of outcomes. */
export const hyperliquidBooks: RowShape = {
  columns: ['coin', 'time', 'bids', 'asks'],
  signs: [['coin', 'levels', 'px']],
  begin: () => ({
    take(item, out) {
      const found = within(item, 'l2Book')
      const book = isItem(found) ? found : item
      const { levels } = book
      const coin = textOf(book['coin'])
      if (levels === undefined) return false
      if (!isList(levels) || levels.length !== 2) return out.bad('no list of levels', `${coin}: expected bids and asks`)
      if (!isOutcomeCoin(coin)) return out.note('coin of no outcome', coin)
      const [bids, asks] = levels.map(levelsOf)
      if (bids === undefined || asks === undefined) out.bad('bad level', `${coin}: a level without px and sz`)
      else out.row({ coin, time: book['time'], bids, asks })
    },
  }),
}

/** Trades of outcomes. */
export const hyperliquidTrades: RowShape = {
  columns: ['coin', 'time', 'price'],
  signs: [['coin', 'px', 'tid']],
  begin: () => ({
    take(item, out) {
      const found = within(item, 'trades')
      if (!isList(found) && item['px'] === undefined) return false
      for (const trade of isList(found) ? found : [item]) {
        if (!isItem(trade)) {
          out.bad('not an object', String(JSON.stringify(trade)).slice(0, 60))
          continue
        }
        const { coin, time, px } = trade
        if (isOutcomeCoin(textOf(coin))) out.row({ coin, time, price: px })
        else out.note('coin of no outcome', textOf(coin))
      }
      return undefined
    },
  }),
}
