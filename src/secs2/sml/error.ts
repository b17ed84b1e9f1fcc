/** SML that cannot be read. Line and column count from one. */
export class SmlError extends Error {
  override readonly name = 'SmlError'

  constructor(
    readonly line: number,
    readonly column: number,
    readonly expected: string,
    readonly found: string,
  ) {
    super(`line ${line}, column ${column}: expected ${expected}, found ${found}`)
  }
}
