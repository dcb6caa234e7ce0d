import type { Command } from 'commander'
import { common, printJson } from './common.ts'

export function addSchema(program: Command): void {
  const command = program.command('schema').summary('print the JSON Schema of scenario files, for editors')
    .description('Print the JSON Schema of scenario files. An editor can use it to complete settings: make `# yaml-language-server: $schema=scenario.schema.json` the first line of a scenario.')
  common(command, 'parlor schema > scenario.schema.json').action(async () => {
    const { scenarioJsonSchema } = await import('../scenario/schema.ts')
    printJson(scenarioJsonSchema())
  })
}
