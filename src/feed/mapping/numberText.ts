/** What stands between the digits of numbers that are texts. */
export interface NumberForm {
  readonly isDecimalComma: boolean
  /** Between groups of three digits. Null where numbers have none, and a number that has one is none. */
  readonly thousands: '.' | ',' | ' ' | "'" | null
}

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const GROUPED: Readonly<Record<NonNullable<NumberForm['thousands']>, readonly [form: RegExp, mark: RegExp]>> = {
  '.': [/^[+-]?[1-9]\d{0,2}(\.\d{3})+(?!\d|\.)/, /\./g],
  ',': [/^[+-]?[1-9]\d{0,2}(,\d{3})+(?!\d|,)/, /,/g],
  // People also write the spaces that no line breaks at.
  ' ': [/^[+-]?[1-9]\d{0,2}([ \u00A0\u202F]\d{3})+(?!\d|[ \u00A0\u202F])/, /[ \u00A0\u202F]/g],
  "'": [/^[+-]?[1-9]\d{0,2}(['’]\d{3})+(?!\d|['’])/, /['’]/g],
}

/** A number as `-12.5`, undefined for a text that is none in its form: 1.234 is none where a decimal has a comma. */
export function plainNumber(text: string, { isDecimalComma, thousands }: NumberForm): string | undefined {
  let plain = text.startsWith('\u2212') ? `-${text.slice(1)}` : text
  if (thousands !== null) {
    const [form, mark] = GROUPED[thousands]
    const whole = form.exec(plain)?.[0]
    if (whole !== undefined) plain = whole.replace(mark, '') + plain.slice(whole.length)
  }
  if (isDecimalComma) {
    if (plain.includes('.')) return undefined
    plain = plain.replace(',', '.')
  }
  return NUMBER.test(plain) ? plain : undefined
}
