/** Edit distance of two words: letters left out, added, changed, or two neighbours exchanged. */
export function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const before = rows[i - 1] ?? []
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          (before[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (before[j - 1] ?? 0) + same,
          exchanged ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
