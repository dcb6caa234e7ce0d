/** What others wrote is looked at before it is believed. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value: unknown): value is string => typeof value === 'string'
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
/** A whole number, 0 or more. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
export const areAll = <T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] => Array.isArray(value) && value.every(is)

/** Null for a text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
