/** A text as one word of a POSIX shell, in quotes where it needs them. It is not the first, which could be an assignment. */
export const shellWord = (text: string): string =>
  /^[\w./:@+-][\w./:@+=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The last argument of a command, such as a name. One that begins with a hyphen would be read as a flag. */
export const argumentWord = (text: string): string => `${text.startsWith('-') ? '-- ' : ''}${shellWord(text)}`
