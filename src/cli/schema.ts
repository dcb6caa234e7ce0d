import { Argument, type Command } from 'commander'
import { common, printJson } from './common.ts'

export function addSchema(program: Command): void {
  const command = program.command('schema').summary('print the JSON Schema of scenario or mapping files, or what the columns of tables mean')
    .description('Print the JSON Schema of scenario files. An editor can use it to complete settings: make `# yaml-language-server: $schema=scenario.schema.json` the first line of a scenario. `parlor schema mapping` prints that of mapping files (docs/import.md). `parlor schema tables` prints every table and column of a run with its type, unit, words and what an empty cell says (docs/tables.md).')
    .addArgument(new Argument('[of]', 'what is described').choices(['scenario', 'mapping', 'tables']).default('scenario'))
  common(command, 'parlor schema > scenario.schema.json', 'parlor schema tables --json').action(async (of: string) => {
    if (of === 'tables') return printJson((await import('../actions/tableSchema.ts')).tableSchema())
    if (of === 'mapping') return printJson((await import('../actions/mapping.ts')).mappingSchema())
    const { scenarioSchema } = await import('../actions/scenarioSchema.ts')
    printJson(scenarioSchema())
  })
}
