/** What a strategy file imports: `import { maker, pct, usd } from 'parlor'` (design.md, decision 12). */
export * from './agent/offered.ts'
// For tests of strategies, which run in no room.
export { type FakeBet, type FakeBettor, fakeBettor, type FakeBettorOptions } from './agent/fakeBettor.ts'
export { type FakeCommand, type FakeFields, type FakeLayOff, type FakeLeg, type FakeLog, type FakeMaker, fakeMaker, type FakeMakerOptions } from './agent/fakeMaker.ts'
export type { FakeLevel, FakePrice } from './agent/fakePrices.ts'
