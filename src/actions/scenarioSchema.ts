import { scenarioJsonSchema } from '../scenario/schema.ts'

/**
 * The JSON Schema of scenario files, for editors.
 *
 * @returns the schema, as `parlor schema` prints it
 * @example
 * writeFileSync('scenario.schema.json', JSON.stringify(scenarioSchema()))
 */
export const scenarioSchema = (): object => scenarioJsonSchema()
