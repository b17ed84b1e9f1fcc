import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'

/** An entry of a list of errors, as all replies have it; S3F28 has a port with it. */
export interface ErrorEntry {
  readonly ERRCODE: number | undefined
  readonly ERRTEXT: string
  readonly PTN?: number | undefined
}

/** Everything that the equipment says is wrong, in its words, with what each code means. */
export const errorsText = (errors: readonly ErrorEntry[]): string =>
  errors.length === 0 ? 'the equipment gave no reason' : errors.map(entryText).join('; ')

function entryText({ ERRCODE, ERRTEXT, PTN }: ErrorEntry): string {
  const code =
    ERRCODE === undefined ? [] : [`ERRCODE ${ERRCODE} (${STANDARD_CATALOGUE.codeText('ERRCODE', ERRCODE)})`]
  const port = PTN === undefined ? [] : [`port ${PTN}`]
  const text = ERRTEXT.trim() === '' ? [] : [`"${ERRTEXT.trim()}"`]
  const parts = [...port, ...code, ...text]
  return parts.length === 0 ? 'an error without code and text' : parts.join(' ')
}
