/** Characters of an ID at most. */
const MAX_ID_LENGTH = 80

/**
 * Why a text is no ID of a carrier, job or other object; undefined where it is one. `? * ~ > :` have a meaning in E39's
 * specifiers and filters (one source for the whole list). Blanks are in IDs of real carriers, also at the end.
 */
export function idFault(id: string): string | undefined {
  if (id.trim() === '') return 'is empty: an ID has 1 to 80 characters'
  if (id.length > MAX_ID_LENGTH) return `has ${id.length} characters: an ID has ${MAX_ID_LENGTH} at most`
  const wrong = /[^ -}]|[?*>:]/u.exec(id)
  if (!wrong) return undefined
  const at = `character ${wrong.index + 1} of "${id}"`
  return /[?*~>:]/.test(wrong[0])
    ? `has ${wrong[0]}, ${at}: an ID must not have any of ? * ~ > :`
    : `has U+${(wrong[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}, ${at}: an ID has visible characters of ASCII, and blanks`
}

/** The number of a port by its name: that of `1`, `LP1` and `Port 01` is 1. Null for a name without one. */
export function portNumber(text: string): number | null {
  const [digits] = /\d{1,9}$/.exec(text.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}
