declare const KIND: unique symbol
declare const ROW: unique symbol
declare const CELL: unique symbol
declare const CELLS: unique symbol
declare const RAW: unique symbol
declare const COPIES: unique symbol

/** The number of a kind of event row. `N` is its service and name, as `parlay.quoteSelected`. */
export type Kind<N extends string = string> = number & { readonly [KIND]: N }

/** An event row of kind `N`, or of one of the kinds `N`: the index of its first cell. Of an unknown kind: `Row<string>`. */
export type Row<N extends string = string> = number & { readonly [ROW]: N }

/** A cell that rows of every kind in `N` have: its offset from the first. It can be read from rows of these kinds alone. */
export type Cell<N extends string> = number & { readonly [CELL]: (kind: N) => void }

/** The named cells of the kinds `N`. */
export type Cells<N extends string, C> = { readonly [name in keyof C]: Cell<N> } & { readonly [CELLS]?: (kind: N) => void }

/** The kinds that cells are of, for the type of a row: `Row<KindOf<typeof QuoteRow>>`. */
export type KindOf<C> = C extends { readonly [CELLS]?: (kind: infer N extends string) => void } ? N : never

/** The kinds of the rows `N`, one by one, so that a `switch` tells them apart. Of rows of an unknown kind: a number. */
export type KindIn<N extends string> = string extends N ? number : N extends string ? Kind<N> : never

/** Cells of event rows that have no index signature, so that `readCell` alone reads them. */
export interface EventCells {
  readonly [RAW]: true
}

/** Copies of what rows of the kinds `N` say, one after another, which outlive the rows. `copiedCell` reads them. */
export interface RowCopies<N extends string> {
  readonly [COPIES]: N
}

/** A row outside of its `EventRows`: its cells begin at `first`. `readCell` reads them. */
export interface RowCells<N extends string = string> {
  readonly cells: EventCells
  readonly first: Row<N>
}

/** The kinds of event row of a service, by name. */
export const kindsOf = <S extends string, K extends Readonly<Record<string, number>>>(_service: S, kinds: K) =>
  kinds as unknown as { readonly [name in keyof K & string]: Kind<`${S}.${name}`> }

/** Names the cells of a kind, or cells that several kinds have in common: names with their offsets, which are those of `Field`. */
export const cellsOf = <N extends string, C extends Readonly<Record<string, number>>>(_kinds: Kind<N> | readonly Kind<N>[], cells: C) =>
  cells as unknown as Cells<N, C>

/**
 * The same for one form of a kind that has several: the replies to an opcode or with a code, the rows of a cash-out. `commonCellsOf` names
 * the cells that every form has.
 */
export const formCellsOf = <N extends string, F extends string, C extends Readonly<Record<string, number>>>(
  _kind: Kind<N>, _forms: F | readonly F[], cells: C,
) => cells as unknown as Cells<`${N}.${F}`, C>

export const commonCellsOf = <N extends string, C extends Readonly<Record<string, number>>>(_kinds: Kind<N> | readonly Kind<N>[], cells: C) =>
  cells as unknown as Cells<N | `${N}.${string}`, C>

/**
 * The row as a row of its kind. Preconditions: `kind` is what the row's `kindOf` told, and a comparison has narrowed its type. Nothing else is
 * given as `kind` (test/architecture/rowKinds.test.ts).
 */
export function rowOfKind<M extends string, N extends M>(row: Row<M>, kind: Kind<N>): Row<N>
export function rowOfKind<M extends string, N extends M>(row: RowCells<M>, kind: Kind<N>): RowCells<N>
export function rowOfKind(row: unknown): unknown {
  return row
}

type WithoutForm<N extends string> = N extends `${infer S}.${infer K}.${string}` ? `${S}.${K}` : N
/** Are rows of the kinds `M` all of the kind of which `N` is a form? */
type OfOneKind<M extends string, N extends string> = [M] extends [WithoutForm<N> | `${WithoutForm<N>}.${string}`] ? unknown : never

/** The row as that form of its kind that has `cells`. The compiler checks that the row is of this kind. Precondition: it has this form. */
export function rowAs<M extends string, N extends M | `${M}.${string}`>(cells: Cells<N, unknown>, row: Row<M> & OfOneKind<M, N>): Row<N>
export function rowAs<M extends string, N extends M | `${M}.${string}`>(cells: Cells<N, unknown>, row: RowCells<M> & OfOneKind<M, N>): RowCells<N>
export function rowAs(_cells: unknown, row: unknown): unknown {
  return row
}
