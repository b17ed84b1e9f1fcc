/** The page at a path, and the parts of the path that it names. */
export function pageAt<Row extends { readonly path: string }>(
  path: string,
  pages: readonly Row[],
): { readonly row: Row; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const row of pages) {
    const pattern = row.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')
    const found = new RegExp(`^${pattern}$`).exec(path)
    if (!found) continue
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decoded(value)])
    return { row, params: Object.fromEntries(params) }
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
