// What `import 'rolldown'` gives where a source is changed (mutatedSources.mjs): a bundle holds the changed source too.
import * as plain from 'rolldown'
import { mutant, mutatedText } from './mutatedSources.mjs'

const changed = { name: 'mutant', load: { filter: { id: mutant.file }, handler: (id) => (id === mutant.file ? { code: mutatedText(), moduleType: 'ts' } : null) } }

export * from 'rolldown'
export const rolldown = (options) => plain.rolldown({ ...options, plugins: [changed, options.plugins] })
