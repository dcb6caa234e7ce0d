import { RESULT_WORDS, wordsWith } from './mapping/words.ts'

const WORDS = wordsWith(RESULT_WORDS)

/** The result that a word means where nothing beside it says a value: yes, no or void; null for any other word, which the importer names. */
export function resultOfWord(word: string): 'yes' | 'no' | 'void' | null {
  const said = WORDS.get(word.trim().toLowerCase())
  return said === 'yes' || said === 'no' || said === 'void' ? said : null
}
