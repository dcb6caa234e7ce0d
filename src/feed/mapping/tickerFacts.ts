import { ValueCells } from '../rows/cells.ts'
import { TextReader } from './fields.ts'
import { MARKET_TEXTS, type TickerFields } from './mapping.ts'
import { isTrue, type TickerFacts } from './marketList.ts'

/** Tells what a ticker says of its market. */
export function tickerFacts({ texts, exclusive }: TickerFields): (ticker: string) => TickerFacts {
  const columns = { place: () => 0, any: <T>(make: () => T) => make(), fileName: '' }
  const readers = MARKET_TEXTS.flatMap((name) => (texts[name] === undefined ? [] : [{ name, reader: new TextReader(texts[name], columns) }]))
  const exclusiveText = exclusive === null ? null : new TextReader(exclusive, columns)
  return (ticker) => {
    const cells = [new ValueCells([ticker])]
    const said = readers.map(({ name, reader }) => [name, reader.read(cells, 0)] as const).filter(([, text]) => text !== '')
    return { texts: Object.fromEntries(said), isExclusive: exclusiveText === null ? undefined : isTrue(exclusiveText.read(cells, 0)) }
  }
}
