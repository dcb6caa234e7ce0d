const BLOCK_ROWS = 4096

/** Calls back for rows `from`…`to`−1 of `count`, block by block. V8 compiles a loop that is entered often well, and one that runs long, and is entered seldom, late and anew each time. */
export function inBlocks(count: number, take: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += BLOCK_ROWS) take(from, Math.min(count, from + BLOCK_ROWS))
}
