import { QUICKSTART_STORE } from './small.ts'

/** A scenario of some minutes on the repository's own history; every delay has a jitter, so that each draw of one shows. */
const scenario = (services: string, bettors: readonly string[], makers: readonly string[], more = ''): string => `version: 1
mode: interactive
seed: pinned
services: ${services}
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z, maxAge: 2m }
arrivals: { until: 8m }
bettors:
${bettors.map((bettor) => `  - { ${bettor}, ${LATE_BETTOR} }`).join('\n')}
makers:
${makers.map((maker) => `  - { ${maker}, capital: 50000 USDC, ${LATE_MAKER} }`).join('\n')}
${more}
`
const LATE_BETTOR = 'latency: { broadcast: { base: 10ms, jitter: 40ms }, submit: { base: 20ms, jitter: 80ms } }'
const LATE_MAKER = 'latency: { feed: 20ms, broadcast: { base: 5ms, jitter: 60ms }, quote: { base: 20ms, jitter: 90ms }, confirm: { base: 100ms, jitter: 900ms } }'

const FAULTS = 'faults: { ignore: 20%, missConfirm: 15%, disconnect: { every: 2m, for: 10s } }'
const LEAVERS = 'kind: impatient, n: 15, every: 4m, legsMax: 3, holdMin: 10s, holdMax: 3m'

/** What each scenario is about, and the first twelve digits of its digest. */
export const PINNED: readonly (readonly [about: string, text: string, digest: string])[] = [
  ['faults of makers, and makers that draw', scenario(
    '{ parlay: { profile: parlay@2.1 } }',
    ['kind: noise, n: 30, every: 3m', 'kind: informed, n: 10, every: 3m, horizon: 60s, noise: 2c'],
    [`use: shade, count: 2, ${FAULTS}`, `use: random, ${FAULTS}`, 'use: last-look'],
  ), 'e7d209f5d9e4'],
  ['cash-outs on the parlay service', scenario(
    '{ parlay: { profile: parlay@2.1, faults: [{ fault: chainUnclear, from: 3m, for: 1m }] } }',
    [LEAVERS, 'kind: stop-loss, n: 15, every: 4m, legsMax: 3, level: 90%', 'kind: take-profit, n: 15, every: 4m, legsMax: 3, level: 105%'],
    [`use: fixed-margin, params: { bid: 2% }, ${FAULTS}`, 'use: cashout-bidder, name: dealer, params: { margin: 1%, resellAfter: 1m }'],
  ), '4ce754a042b6'],
  ['the gate with its endpoints', scenario(
    `
  parlay:
    profile: parlay@2.1
    gate:
      set: { deliveryAttemptsMax: 4, deliveryRetention: 1h, quoteServiceLimit: 60 }
      keys: { life: 5m, renewAfter: 10s }
      endpoints:
        - { of: fixed-margin, answers: { serverError: 20%, timeout: 5% }, delay: { base: 50ms, jitter: 100ms } }
        - { of: impatient, first: 5, answers: { networkError: 10% }, outages: { every: 2m, for: 20s }, redeliver: true }`,
    [LEAVERS, 'kind: noise, n: 20, every: 3m'], ['use: fixed-margin, params: { bid: 2% }', `use: shade, params: { bid: 4% }, ${FAULTS}`],
  ), 'fdd3f6075d27'],
  ['the outcome service, with cash-outs and withdrawals', scenario(
    '{ outcome: { profile: outcome@1, faults: [{ fault: chainStalled, from: 3m, for: 30s }] } }',
    [LEAVERS, 'kind: noise, n: 20, every: 3m, legsMin: 1'],
    [`use: fixed-margin, params: { margin: 1%, bid: 2% }, ${FAULTS}`, 'use: exposure-limited, params: { margin: 2%, bid: 3% }'],
    'withdrawals: [{ of: exposure-limited, at: 2m, amount: 100 USDC }]',
  ), '1f70a4df9305'],
  ['both services, with risk laid off', scenario(
    '{ parlay: { profile: parlay@2.1 }, outcome: { profile: outcome@1 } }',
    ['kind: noise, service: parlay, n: 30, every: 3m, legsMax: 4', 'kind: noise, name: takers, service: outcome, n: 15, every: 3m, legsMin: 1'],
    ['use: lay-off, name: hedger, service: parlay, layOff: { bankroll: 50000 USDC }', 'use: fixed-margin, name: street, service: outcome, params: { margin: 2% }'],
  ), 'c47ab9925d25'],
  ['drawn outcomes that hang together, and arrivals in bursts', scenario(
    '{ parlay: { profile: parlay@2.1 } }',
    ['kind: noise, n: 30, every: 3m, arrivals: { kind: hawkes, excitation: 60%, decay: 20s }', 'kind: favourite, n: 15, every: 3m', 'kind: price-sensitive, n: 15, every: 3m'],
    ['use: copula', 'use: exposure-limited'], 'settlement: { missing: draw, outcomes: drawn, correlation: 40%, lag: 1m }',
  ), 'd9a887cf591e'],
]
