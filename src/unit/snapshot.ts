/** A plain tree of all that a stateful part holds. It can be cloned, and written with v8.serialize. */
export type Image = number | string | boolean | null | TypedColumn | readonly Image[] | { readonly [name: string]: Image }

export type TypedColumn = Uint8Array | Int8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

/** Every stateful part can be copied out and put back (design.md, decision 14). */
export interface Snapshot {
  /** A deep copy. Later changes of the part do not reach it. */
  snapshot(): Image
  /** Puts a copy back. The part keeps no reference to the image. */
  restore(image: Image): void
}

// Rooms of strategies have neither name by the time that they are asked for (src/agent/roomNames.ts).
const { isView } = ArrayBuffer
const BytesView = DataView

export const isTypedColumn = (value: unknown): value is TypedColumn =>
  isView(value) && !(value instanceof BytesView)
