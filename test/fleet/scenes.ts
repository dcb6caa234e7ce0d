import { SMALL } from '../scenario/small.ts'

/** A small scenario of a fifth of its arrivals. */
export const SHORT = SMALL.replace('max: 200', 'max: 40')

/** A league of two entries that play and one whose maker fails, which lies in `broken.ts`. */
export const LEAGUE = `${SHORT.replace('name: small', 'name: night').replace(/makers:[^]*/, '')}makers:
  - { use: shade, capital: 50000 USDC }
league:
  entries:
    - { name: thin, use: fixed-margin, params: { margin: 2% } }
    - { name: wide, use: fixed-margin, params: { margin: 9% } }
    - { name: broken, use: ./broken.ts }
  play: [field, pairs]
  replications: 2
`
export const BROKEN = "import { maker, pct } from 'parlor'\nexport default maker({ margin: pct(4) }, () => ({ onRequest() { throw new Error('boom') } }))\n"
