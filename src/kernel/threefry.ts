const PARITY = 0x1bd11bda

/**
 * Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011):
 * a bijection of a 64-bit counter for each 64-bit key. Writes both words to `out`, signed, and returns the first. Key and round
 * numbers are summed beforehand, because every further addition within the chain of rounds would delay the result.
 */
export function threefry(key0: number, key1: number, counter0: number, counter1: number, out: Int32Array): number {
  // Signed words from here on: a word of 2³¹ or more would turn every addition of the rounds into one of doubles.
  key0 |= 0
  key1 |= 0
  const key2 = PARITY ^ key0 ^ key1
  let x = ((counter0 | 0) + key0) | 0
  let y = ((counter1 | 0) + key1) | 0
  x = (x + y) | 0; y = ((y << 13) | (y >>> 19)) ^ x
  x = (x + y) | 0; y = ((y << 15) | (y >>> 17)) ^ x
  x = (x + y) | 0; y = ((y << 26) | (y >>> 6)) ^ x
  x = (x + y) | 0; y = ((y << 6) | (y >>> 26)) ^ x
  x = (x + key1) | 0; y = (y + (key2 + 1)) | 0
  x = (x + y) | 0; y = ((y << 17) | (y >>> 15)) ^ x
  x = (x + y) | 0; y = ((y << 29) | (y >>> 3)) ^ x
  x = (x + y) | 0; y = ((y << 16) | (y >>> 16)) ^ x
  x = (x + y) | 0; y = ((y << 24) | (y >>> 8)) ^ x
  x = (x + key2) | 0; y = (y + (key0 + 2)) | 0
  x = (x + y) | 0; y = ((y << 13) | (y >>> 19)) ^ x
  x = (x + y) | 0; y = ((y << 15) | (y >>> 17)) ^ x
  x = (x + y) | 0; y = ((y << 26) | (y >>> 6)) ^ x
  x = (x + y) | 0; y = ((y << 6) | (y >>> 26)) ^ x
  x = (x + key0) | 0; y = (y + (key1 + 3)) | 0
  x = (x + y) | 0; y = ((y << 17) | (y >>> 15)) ^ x
  x = (x + y) | 0; y = ((y << 29) | (y >>> 3)) ^ x
  x = (x + y) | 0; y = ((y << 16) | (y >>> 16)) ^ x
  x = (x + y) | 0; y = ((y << 24) | (y >>> 8)) ^ x
  x = (x + key1) | 0; y = (y + (key2 + 4)) | 0
  x = (x + y) | 0; y = ((y << 13) | (y >>> 19)) ^ x
  x = (x + y) | 0; y = ((y << 15) | (y >>> 17)) ^ x
  x = (x + y) | 0; y = ((y << 26) | (y >>> 6)) ^ x
  x = (x + y) | 0; y = ((y << 6) | (y >>> 26)) ^ x
  x = (x + key2) | 0
  out[0] = x
  out[1] = (y + (key0 + 5)) | 0
  return x
}
