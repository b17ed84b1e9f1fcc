/** The first `max` of some texts, and how many more there are: `A, B, and 7 more`. */
export function listed(texts: readonly string[], max: number, separator = ', '): string {
  const more = texts.length - max
  return [...texts.slice(0, max), ...(more > 0 ? [`and ${more} more`] : [])].join(separator)
}
