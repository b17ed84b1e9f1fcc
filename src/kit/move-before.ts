/** Puts an entry right before another one; nothing changes where one of them is not there. */
export function moveBefore<Key, Value>(map: Map<Key, Value>, key: Key, before: Key): void {
  if (key === before || !map.has(key) || !map.has(before)) return
  const moved = [key, map.get(key) as Value] as const
  const entries = [...map].flatMap((entry) =>
    entry[0] === key ? [] : entry[0] === before ? [moved, entry] : [entry],
  )
  map.clear()
  for (const [each, value] of entries) map.set(each, value)
}
