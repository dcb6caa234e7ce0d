import type { LeagueFile } from '../scenario/leagueSchema.ts'
import { quantityText } from '../scenario/units.ts'

type Value = string | number | boolean

/** An entry of a league with one choice of its parameters. An entry that is not tuned is one contestant. */
export interface Contestant {
  /** Index of the entry. */
  readonly entry: number
  /** Number of the variant, from 0, in the order of the grid. */
  readonly variant: number
  /** Name of the participant: that of the entry, whatever the variant and the format, so that it draws the same numbers everywhere. */
  readonly name: string
  /** The parameters that the variant chooses, none for an entry that is not tuned. */
  readonly choice: Readonly<Record<string, Value>>
  /** The contestant as an item of the scenario's `makers`. */
  readonly maker: Readonly<Record<string, unknown>>
}

/** Every variant of every entry: the product of its lists, the last parameter turning fastest. */
export function contestantsOf({ entries, capital }: LeagueFile): Contestant[] {
  return entries.flatMap(({ name, tune, terms }, entry) => choicesOf(tune).map((choice, variant): Contestant => {
    const params = { ...(terms['params'] as Record<string, unknown> | undefined), ...choice }
    const withParams = Object.keys(params).length === 0 ? {} : { params }
    return { entry, variant, name, choice, maker: { ...terms, name, capital: quantityText('money', capital), ...withParams } }
  }))
}

function choicesOf(tune: Readonly<Record<string, readonly Value[]>>): Record<string, Value>[] {
  let choices: Record<string, Value>[] = [{}]
  for (const [parameter, values] of Object.entries(tune)) {
    choices = choices.flatMap((choice) => values.map((value) => ({ ...choice, [parameter]: value })))
  }
  return choices
}
