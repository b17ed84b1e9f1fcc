import type { Place } from '../../kit/text/json-text.js'

/** What a command that sends a file calls its members: the line and column of each, and its path in the file. */
export const placeWord =
  (file: string, placeOf: (pointer: string) => Place) =>
  (pointer: string): string => {
    if (pointer !== '' && !pointer.startsWith('/')) return `--${pointer}`
    const { line, column } = placeOf(pointer)
    return `${file}:${line}:${column}: ${pointer.slice(1).replaceAll('/', '.') || 'the whole file'}`
  }

/** Faults of a file in the order of their places. */
export const inFileOrder = <F extends { readonly pointer: string }>(
  faults: readonly F[],
  placeOf: (pointer: string) => Place,
): readonly F[] =>
  faults
    .map((fault) => ({ fault, ...placeOf(fault.pointer) }))
    .sort((one, two) => one.line - two.line || one.column - two.column)
    .map(({ fault }) => fault)
