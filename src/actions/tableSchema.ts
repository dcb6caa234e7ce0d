import { tableDictionary } from '../record/dictionary.ts'

/**
 * Every table and column of a run, with its type, unit, words and what an empty cell says (docs/tables.md).
 *
 * @returns the tables, as `parlor schema tables --json` prints them
 * @example
 * writeFileSync('tables.json', JSON.stringify(tableSchema()))
 */
export const tableSchema = (): object => tableDictionary()
