/** A text as one word of a POSIX shell, in quotes where it needs them. */
export const shellWord = (text: string): string =>
  /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
