/** A field of CSV: in quotes where a comma, a quote, a line break or a space at an end needs them. */
const field = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * A line of comma-separated values (RFC 4180). No value is changed: a spreadsheet takes a text that begins with =, +, -
 * or @ for a formula, and a character before it would be another value to programs.
 */
export const csvLine = (texts: readonly string[]): string => `${texts.map(field).join(',')}\r\n`
