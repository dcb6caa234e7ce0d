/** Keeps an entry, and of the others as many as make `most` with it, the latest. */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value!)
}
