import { calledStrategy } from '../../agent/calledStrategy.ts'
import type { ServiceName } from '../../engine/config.ts'
import { shownWords } from '../../unit/visibleText.ts'
import { betLimitsOf } from '../betLimits.ts'
import type { Path } from '../mistakes.ts'
import { parameterValueText } from '../settings.ts'
import { builtInNames } from '../strategies.ts'
import { quantityText } from '../units.ts'
import type { Check } from './draft.ts'
import { betBounds, layOffServiceOf, servicesThere } from './participants.ts'

/** A participant names a service that the scenario has, and must where there are two. */
export const checkServicesNamed: Check = ({ file, cohorts, makers }, fail) => {
  const there = servicesThere(file)
  for (const { path, entry: { service } } of [...cohorts, ...makers]) {
    if (service === undefined && there.length > 1) fail(path, 'does not say on which service it trades', { hint: `expected service: ${there.join(' or ')}` })
    if (service !== undefined && !there.includes(service)) fail([...path, 'service'], `the scenario has no ${service} service`)
  }
}

/** A cohort that bets with a maker's account is one bettor, and the maker is there, on the same service, and may ask for prices. */
export const checkAccounts: Check = ({ cohorts, makers }, fail) => {
  for (const { path, entry: { account, n }, cohort: { service } } of cohorts) {
    if (account === undefined) continue
    const there = makers.filter((maker) => maker.service === service).flatMap(({ seats }) => seats.map(({ name }) => name))
    if (service === 'outcome') fail([...path, 'account'], 'on the outcome service an account either makes or takes (OM-015)')
    else if (!there.includes(account)) fail([...path, 'account'], `no maker is named ${account}`, { hint: `expected ${there.join(', ')}` })
    if (n !== 1) fail([...path, 'n'], `${n} bettors cannot share the account of ${account}, expected 1`)
  }
}

/** Nobody begins with more money than its service takes as one deposit. */
export const checkDeposits: Check = ({ file, cohorts, makers }, fail) => {
  const check = (path: Path, service: ServiceName, amountMicros: number): void => {
    const { depositMaxMicros } = betLimitsOf(file.services, service)
    if (amountMicros > depositMaxMicros) fail(path, `is above ${quantityText('money', depositMaxMicros)}, the largest deposit that the service takes`)
  }
  for (const { path, entry, cohort } of cohorts) check([...path, 'bankroll'], cohort.service, entry.bankroll)
  for (const { path, entry: { capital, layOff }, service } of makers) {
    check([...path, 'capital'], service, capital)
    const other = layOffServiceOf(file, service)
    if (layOff !== undefined && other !== undefined) check([...path, 'layOff', 'bankroll'], other, layOff.bankroll)
  }
}

/** What a built-in bettor asks for is what its service takes: else every request would be refused. */
export const checkBets: Check = ({ file, strategies, cohorts }, fail) => {
  for (const { path, entry, cohort: { service, parameters: values } } of cohorts) {
    if (entry.requests !== undefined || entry.recorded !== undefined || !builtInNames('bettor').includes(entry.use)) continue
    const { parameters } = strategies.bettor.get(entry.use)!.strategy
    for (const [name, low, high] of betBounds(file, service)) {
      const parameter = parameters[name]
      const given = entry.params?.[name]
      if (parameter === undefined || given === undefined || given === parameter.default || (given >= low && given <= high)) continue
      const text = (of: number): string => parameterValueText(parameter, of)
      fail([...path, name], `${text(given)} is not what the service takes, ${text(low)} to ${text(high)}`)
    }
    const { betMin = 0, betMax = Infinity, betMedian = 0 } = values
    if (betMedian !== 0 && (betMedian < betMin || betMedian > betMax)) {
      const [median, low, high] = [betMedian, betMin, betMax].map((micros) => quantityText('money', micros))
      fail([...path, 'betMedian'], `${median} is not within betMin and betMax, ${low} to ${high}`)
    }
  }
}

/** Reports what a strategy's `check` says, at the parameter that it names. If `check` throws, the strategy is reported where the scenario uses it. */
export const checkParametersTogether: Check = ({ strategies, makers }, fail) => {
  for (const { path, entry: { use }, parameters, seats } of makers) {
    const { strategy } = strategies.maker.get(use)!
    if (strategy.role !== 'maker') continue
    try {
      const fault = calledStrategy.calling(seats[0]!.name, 'check', () => strategy.check?.(parameters))
      if (fault !== undefined) fail([...path, 'params', shownWords(fault.parameter)], shownWords(`${fault.parameter} ${fault.message}`))
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      fail([...path, 'use'], `the strategy's check of its parameters throws ${shownWords(why)}`, { hint: 'expected it to return a fault, or undefined' })
    }
  }
}

/** Who lays off needs another service to do it on. */
export const checkLayOffs: Check = ({ file, makers }, fail) => {
  for (const { path, entry: { layOff }, service } of makers) {
    if (layOff !== undefined && layOffServiceOf(file, service) === undefined) fail([...path, 'layOff'], 'there is no other service to lay off on')
  }
}
