/** Rows of comma-separated values (RFC 4180) as maps; the first line has the names. Throws what is wrong. */
export function csvRows(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = recordsOf(text.replace(/^\uFEFF/, ''))
  if (rows.length === 0) throw new Error('the file has no row below the names')
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (wrong !== undefined) throw new Error(`"${wrong}" is not a name: letters, digits and _`)
  return rows.map((row, at) => {
    if (row.length !== names.length)
      throw new Error(`row ${at + 1} has ${row.length} values, and there are ${names.length} names`)
    return Object.fromEntries(names.map((name, column) => [name, row[column] ?? '']))
  })
}

function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  while (field.lastIndex < text.length || record.length > 0) {
    const at = field.lastIndex
    const found = field.exec(text)
    if (!found) throw new Error(`a quote at character ${at + 1} has no end, or text after its end`)
    const [, quoted, plain = '', end] = found
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
  }
  return records
}
