import { z } from 'zod'
import type { Parameters } from '../../agent/parameters.ts'
import { failOfIssue } from '../load.ts'
import type { Fail, Path } from '../mistakes.ts'
import { BETTOR_KEYS, type BettorFile, type MakerFile } from '../schema.ts'
import { parameterSchema, parameterShape, parameterText, parameterValueText, strict } from '../settings.ts'

/** The values of a strategy's parameters: what is written, else the history's `maxAge`, else the defaults. */
export function readParameters(
  path: Path, entry: BettorFile | MakerFile, parameters: Parameters, maxAge: number | undefined, fail: Fail,
): Record<string, number> {
  const given: Record<string, number> = entry.written === undefined ? { ...entry.params } : readWritten(path, entry.written, parameters, fail)
  const own = parameters['maxAge']
  if (maxAge !== undefined && own?.unit === 'us' && given['maxAge'] === undefined) {
    if (maxAge < own.min || maxAge > own.max) {
      fail(['history', 'maxAge'], `is not within ${parameterText(own).range}, the range of maxAge of ${path.map(String).join('.')}`)
    }
    given['maxAge'] = maxAge
  }
  const values = Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, given[name] ?? parameter.default]))
  for (const name of Object.keys(parameters)) {
    const high = name.replace(/Min$/, 'Max')
    if (high === name || values[high] === undefined || values[name]! <= values[high]) continue
    const text = (of: string): string => `${of} ${parameterValueText(parameters[of]!, values[of]!)}`
    fail([...path, given[high] === undefined ? name : high], `${text(name)} is above ${text(high)}`)
  }
  return values
}

/** The parameters of a strategy file, which are written beside the other keys of an entry or under `params`. */
function readWritten(path: Path, { inline, params }: NonNullable<BettorFile['written']>, parameters: Parameters, fail: Fail): Record<string, number> {
  const given: Record<string, number> = {}
  const beside = Object.fromEntries(BETTOR_KEYS.map((key) => [key, z.unknown().optional()]))
  const parts = [
    { at: path, parsed: strict({ ...beside, ...parameterShape(parameters) }).safeParse(inline, { reportInput: true }) },
    { at: [...path, 'params'], parsed: parameterSchema(parameters).safeParse(params, { reportInput: true }) },
  ]
  for (const { at, parsed } of parts) {
    if (!parsed.success) for (const issue of parsed.error.issues) failOfIssue(issue, fail, at)
    else for (const [name, value] of Object.entries(parsed.data)) {
      if (Object.hasOwn(given, name)) fail([...at, name], `${name} is given twice`)
      if (value !== undefined) given[name] = value as number
    }
  }
  return given
}
