/** A plain tree of what a stateful part holds: cloneable, and writable with v8.serialize. */
export type Image = number | string | boolean | null | TypedColumn | readonly Image[] | { readonly [name: string]: Image }

export type TypedColumn = Uint8Array | Int8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

/** Every stateful part can be copied out and put back (design.md, decision 14). */
export interface Snapshot {
  /** A deep copy; later changes of the part do not reach it. */
  snapshot(): Image
  /** Puts a copy back; the image is not kept. */
  restore(image: Image): void
}

export const isTypedColumn = (value: unknown): value is TypedColumn =>
  ArrayBuffer.isView(value) && !(value instanceof DataView)
