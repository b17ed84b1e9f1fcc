import type { ErrorKind } from '../../contract/errors.js'
import { defined } from '../../kit/defined.js'
import { isUnreachable } from '../errors/report.js'

/** `note`: works, and is worth knowing. `wrong`: something does not work, or is not safe. */
export type Mark = 'ok' | 'note' | 'wrong'

export const AREAS = ['settings', 'files', 'server', 'daemon', 'equipment', 'sinks'] as const
export type Area = (typeof AREAS)[number]

export interface Finding {
  readonly area: Area
  readonly name: string
  readonly mark: Mark
  readonly detail: string
  /** The command that mends it, or shows more. */
  readonly mend?: string
  readonly kind?: ErrorKind
}

export function inArea(area: Area) {
  const found = (mark: Mark, name: string, detail: string, mend?: string, kind?: ErrorKind): Finding => ({
    ...defined({ area, name, mark, detail, mend, kind }),
  })
  return {
    ok: (name: string, detail: string, mend?: string) => found('ok', name, detail, mend),
    note: (name: string, detail: string, mend?: string) => found('note', name, detail, mend),
    wrong: (kind: ErrorKind, name: string, detail: string, mend?: string) =>
      found('wrong', name, detail, mend, kind),
    /** An error, as a finding that is wrong. */
    failed(name: string, error: unknown, mend?: string): Finding {
      const { hint, kind = 'unexpected' } = error as { readonly hint?: unknown; readonly kind?: ErrorKind }
      const message = error instanceof Error ? error.message : String(error)
      const next = mend ?? (typeof hint === 'string' ? hint : undefined)
      return found('wrong', name, message, next, isUnreachable(error) ? 'unreachable' : kind)
    },
  }
}
