import type { Command } from 'commander'
import { common, type CommonOptions, print, printJson } from './common.ts'

interface InitOptions extends CommonOptions {
  readonly package?: string
}

export function addInit(program: Command): void {
  const command = program.command('init').argument('<folder>', 'folder of the project; it is made, or is empty')
    .summary('make a project with a maker, a test of it and a scenario')
    .description('Make a project with a maker of your own in TypeScript, a test of it, a scenario in which it plays against two others, and the settings that an editor needs for its types. No file is written over, and nothing is installed.')
    .option('--package <file>', 'install parlor from this file, which `npm pack` made, instead of the registry')
  common(command, 'parlor init my-desk').action(async (folder: string, options: InitOptions) => {
    const { init } = await import('../actions/init.ts')
    const { files } = await init(folder, options.package === undefined ? {} : { package: options.package })
    if (options.json === true) return printJson({ folder, files })
    print(`${folder}: ${files.join(', ')}`)
    print(`\nNext:\n  cd ${folder}\n  npm install\n  npx parlor run scenario.yaml\n  npm test`)
  })
}
