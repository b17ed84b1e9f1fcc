import type { ErrorKind } from '../contract/errors.js'
import { defined } from '../kit/defined.js'

/** `note`: neither right nor wrong, or not known. `wrong`: something does not work, or is not safe. */
export type Mark = 'ok' | 'note' | 'wrong'

/** The result of one check, of a machine or of an equipment. */
export interface Finding<Name extends string = string> {
  readonly name: Name
  readonly mark: Mark
  readonly detail: string
  /** The command that mends it, or shows more. */
  readonly mend?: string
  /** The kind of failure of something that is wrong. */
  readonly kind?: ErrorKind
}

const found =
  (mark: Mark) =>
  <Name extends string>(name: Name, detail: string, mend?: string, kind?: ErrorKind): Finding<Name> =>
    defined({ name, mark, detail, mend, kind }) as Finding<Name>

export const ok = found('ok')
export const note = found('note')

export const wrong = <Name extends string>(
  kind: ErrorKind,
  name: Name,
  detail: string,
  mend?: string,
): Finding<Name> => found('wrong')(name, detail, mend, kind)
