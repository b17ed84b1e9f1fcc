/** Removes the entries that were added first, so that `map` has `most` at most. */
export function keepNewest<Key>(map: Map<Key, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
