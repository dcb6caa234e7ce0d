// Prints what clients of the outcome service sign, as a session's /openapi.json says it, for docs/signing.md: the types, or the example.
import { signedTypes } from '../../src/serve/outcome/signedTypes.ts'

const { types, example } = signedTypes()
console.log(process.argv[2] === 'example' ? JSON.stringify(example, null, 2) : Object.values(types).join('\n'))
