import { widthOf } from '../../kit/text/columns.js'

/** In columns: in less room the lines would be a word each. */
const MIN_WIDTH = 16

/**
 * One line of text in lines of at most `width` columns, broken between words and indented as it is. A word that is
 * wider stays whole, so that it can be copied: the terminal breaks it.
 */
export function wrapped(text: string, width: number): string[] {
  if (width < MIN_WIDTH || widthOf(text) <= width) return [text]
  const [indent = ''] = /^ */.exec(text) ?? []
  const lines: string[] = []
  let line = ''
  for (const word of text.slice(indent.length).split(' ')) {
    const longer = line === '' ? indent + word : `${line} ${word}`
    if (line === '' || widthOf(longer) <= width) {
      line = longer
    } else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line]
}

/** Lines for a person: on a terminal they are broken between words, except for a command, which people copy. */
export function linesFor({ isTTY, columns }: NodeJS.WriteStream, text: string): string {
  if (!isTTY) return text
  const fit = (line: string): string[] => (/^\s*Try: /.test(line) ? [line] : wrapped(line, columns || 80))
  return text.split('\n').flatMap(fit).join('\n')
}
