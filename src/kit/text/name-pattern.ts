/** What a pattern of names matches: `*` stands for any characters, `?` for one. */
export const namePattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .normalize()
      .replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    'su',
  )
