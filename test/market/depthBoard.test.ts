import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { DepthPiece, DepthRows, DepthSource } from '../../src/market/depth.ts'
import { DepthBoard } from '../../src/market/depthBoard.ts'

const MARKETS = 3
const LEVELS = 2
const CELLS = LEVELS * 4
/** Stamp, market, and a number that stands in all cells. */
type Row = readonly [atUs: number, market: number, value: number]

const depthOf = (rows: readonly Row[]): DepthRows => ({
  count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: Int32Array.from(rows, ([, market]) => market),
  cells: Array.from({ length: CELLS }, (_, cell) => Int32Array.from(rows, ([, , value]) => value * CELLS + cell)),
})

/** Rows of several imports, each in pieces of so many. */
function sourceOf(imports: readonly (readonly Row[])[], size: number, untilUs = Infinity): DepthSource {
  const pieces = imports.flatMap((rows, rank) => Array.from({ length: Math.ceil(rows.length / size) }, (_, i): DepthPiece => {
    const own = rows.slice(i * size, (i + 1) * size)
    return { firstUs: own[0]![0], lastUs: own.at(-1)![0], rank, rows: () => depthOf(own) }
  }))
  return { levels: LEVELS, pieces: pieces.sort((a, b) => a.firstUs - b.firstUs), untilUs }
}

const shown = (board: DepthBoard) => Array.from({ length: MARKETS }, (_, m) => [board.stampUs(m), ...board.cells.subarray(m * board.stride, (m + 1) * board.stride)])

/** What stands at an instant, read off the definition: the last row by time, import and place. */
function standing(imports: readonly (readonly Row[])[], untilUs: number, levels = LEVELS) {
  const rows = imports.flat().toSorted((a, b) => a[0] - b[0]).filter(([atUs]) => atUs <= untilUs)
  return Array.from({ length: MARKETS }, (_, m) => {
    const last = rows.findLast(([, market]) => market === m)
    return last === undefined ? Array.from({ length: levels * 4 + 1 }, () => -1) : [last[0], ...Array.from({ length: levels * 4 }, (_cell, cell) => last[2] * CELLS + cell)]
  })
}

const rowsOf = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: MARKETS - 1 }), fc.nat(1000)), { maxLength: 25 }).map((rows): Row[] => rows.toSorted((a, b) => a[0] - b[0]))
const importsOf = fc.array(rowsOf, { minLength: 1, maxLength: 3 })

describe('a board of levels', () => {
  it('shows a row from its stamp and the lag on, to the microsecond, and none of the end of the session or later', () => {
    const board = new DepthBoard(sourceOf([[[100, 0, 1], [200, 1, 2], [300, 0, 3]]], 10, 300), MARKETS, LEVELS, 7)
    const at = (us: number) => {
      board.advance(us)
      return [board.stampUs(0), board.stampUs(1)]
    }
    expect([at(106), at(107), at(206), at(207), at(1000)]).toEqual([[-1, -1], [100, -1], [100, -1], [100, 200], [100, 200]])
  })

  it('stays where it is when it is asked for an earlier instant', () => {
    const board = new DepthBoard(sourceOf([[[1, 0, 1], [5, 0, 2]]], 1), MARKETS, LEVELS, 0)
    board.advance(5)
    board.advance(2)
    expect(board.stampUs(0)).toBe(5)
  })

  test('shows the same for every size of pieces, however many imports overlap, at every sequence of instants', () => {
    fc.assert(fc.property(importsOf, fc.integer({ min: 0, max: 9 }), fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }), fc.constantFrom(1, 2, LEVELS), (imports, lagUs, instants, levels) => {
      for (const size of [1, 7, 1000]) {
        const board = new DepthBoard(sourceOf(imports, size), MARKETS, levels, lagUs)
        for (const us of instants.toSorted((a, b) => a - b)) {
          board.advance(us)
          expect(shown(board)).toEqual(standing(imports, us - lagUs, levels))
        }
      }
    }))
  })

  test('goes on from an image as if it had never stopped', () => {
    fc.assert(fc.property(importsOf, fc.constantFrom(1, 7, 1000), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 }), (imports, size, first, more) => {
      const board = new DepthBoard(sourceOf(imports, size), MARKETS, LEVELS, 3)
      board.advance(first)
      const other = new DepthBoard(sourceOf(imports, size), MARKETS, LEVELS, 3)
      other.restore(structuredClone(board.snapshot()))
      expect(shown(other)).toEqual(shown(board))
      for (const one of [board, other]) one.advance(first + more)
      expect(shown(other)).toEqual(standing(imports, first + more - 3))
      expect(shown(other)).toEqual(shown(board))
    }))
  })

  it('loads a piece when it comes to it, and once', () => {
    const loaded: number[] = []
    const { pieces } = sourceOf([[[10, 0, 1], [20, 0, 2], [30, 0, 3]]], 1)
    const board = new DepthBoard({ levels: LEVELS, untilUs: Infinity, pieces: pieces.map((piece, i) => ({ ...piece, rows: () => (loaded.push(i), piece.rows()) })) }, MARKETS, LEVELS, 0)
    for (const us of [9, 10, 19, 20, 21]) board.advance(us)
    expect(loaded).toEqual([0, 1])
  })
})
