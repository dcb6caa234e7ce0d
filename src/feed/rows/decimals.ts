import type { FileMetaData, SchemaElement } from 'hyparquet'
import { scaledText, ValueCells } from './cells.ts'

/** Decimals as whole numbers or as bytes of one. Those in bytes of any number are made numbers of double precision by hyparquet. */
export const isExactDecimal = ({ converted_type: converted, type }: SchemaElement): boolean => converted === 'DECIMAL' && type !== 'BYTE_ARRAY'

/** The same file for hyparquet, which gives decimals as they are stored then: it would multiply them, which is not exact. */
export const withStoredDecimals = (metadata: FileMetaData): FileMetaData => ({
  ...metadata, schema: metadata.schema.map((element) => (isExactDecimal(element) ? { ...element, converted_type: undefined, logical_type: undefined } : element)) as SchemaElement[],
})

/** A decimal without its point. Null for nothing. */
export function unscaledOf(stored: unknown): number | bigint | null {
  if (typeof stored === 'number' || typeof stored === 'bigint') return stored
  if (!(stored instanceof Uint8Array)) return null
  return stored.length === 0 ? 0 : BigInt.asIntN(stored.length * 8, BigInt(`0x${Buffer.from(stored).toString('hex')}`))
}

/** All digits of a decimal: −45 of scale 3 is `-0.045`. */
export function decimalText(unscaled: number | bigint, scale: number): string {
  const digits = String(unscaled).replace('-', '').padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${unscaled < 0 ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`
}

/** Decimals of a stated scale, exactly. */
export class DecimalCells extends ValueCells {
  private declare readonly unscaled: readonly (number | bigint | null)[]
  private declare readonly scale: number

  /** @param stored as `withStoredDecimals` has them */
  constructor(stored: ArrayLike<unknown>, scale: number) {
    const unscaled = Array.from(stored, unscaledOf)
    super(unscaled)
    this.unscaled = unscaled
    this.scale = scale
  }

  override text(row: number): string {
    const unscaled = this.unscaled[row] ?? null
    return unscaled === null ? '' : decimalText(unscaled, this.scale)
  }

  override scaled(row: number, digits: number): number {
    return scaledText(this.text(row), digits)
  }

  /** Its text tells. */
  override nanosUs(): number {
    return NaN
  }
}
