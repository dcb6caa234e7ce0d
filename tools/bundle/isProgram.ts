import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether the module of this URL is the program that Node was started with, also on Node 24.0, which has no `import.meta.main`. */
export const isProgram = (url: string): boolean => process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url)
