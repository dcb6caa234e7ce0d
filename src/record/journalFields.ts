import { COMMAND_FIELDS as OUTCOME_FIELDS } from '../venue/outcome/protocol/commands.ts'

/** Fields of a parlay command that have a column of their own in the journal table, each with its column. */
export const PARLAY_COLUMNS = [
  ['account', 'account'], ['credential', 'credential'], ['source', 'source'], ['request', 'request'], ['version', 'version'],
  ['contentTag', 'content_tag'], ['quote', 'quote'], ['bookSeq', 'book_seq'], ['oddsE4', 'odds_e4'], ['validMs', 'valid_ms'],
  ['betMicros', 'bet_micros'], ['amountMicros', 'amount_micros'], ['market', 'market'], ['value', 'value'], ['memoE9', 'fair_e9'], ['productE9', 'fair_product_e9'],
] as const
/** Fields without a column, which stand in `more`. */
export const PARLAY_MORE = ['closeUs', 'value2', 'position', 'auction'] as const

/** The same for the outcome service. Its `version` is the version of the stream's protocol and stands in `more`. */
export const OUTCOME_COLUMNS = [
  ['account', 'account'], ['credential', 'credential'], ['source', 'source'], ['rfq', 'request'], ['generation', 'version'],
  ['termsTag', 'content_tag'], ['quote', 'quote'], ['validMs', 'valid_ms'], ['stakeMicros', 'bet_micros'],
  ['amountMicros', 'amount_micros'], ['outcome', 'market'], ['value', 'value'], ['memoE9', 'fair_e9'], ['productE9', 'fair_product_e9'],
] as const
const withColumn: readonly string[] = ['op', ...OUTCOME_COLUMNS.map(([field]) => field)]
export const OUTCOME_MORE = OUTCOME_FIELDS.filter((field) => !withColumn.includes(field))
