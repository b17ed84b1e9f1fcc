import type { ErrorKind } from '../../contract/errors.js'
import { Failure } from '../errors/failure.js'
import { isUnreachable } from '../errors/report.js'

/** `note`: works, and is worth knowing. `wrong`: something does not work, or is not safe. */
export type Mark = 'ok' | 'note' | 'wrong'

export const AREAS = ['settings', 'files', 'server', 'daemon', 'equipment'] as const
export type Area = (typeof AREAS)[number]

/** One thing that was looked at. */
export interface Finding {
  readonly area: Area
  readonly name: string
  readonly mark: Mark
  /** In a sentence. */
  readonly detail: string
  /** The command that mends it, or shows more. */
  readonly mend?: string
  /** Of what is wrong. */
  readonly kind?: ErrorKind
}

type Said = readonly [name: string, detail: string, mend?: string | undefined]

const found = (area: Area, mark: Mark, [name, detail, mend]: Said): Finding => ({
  area,
  name,
  mark,
  detail,
  ...(mend !== undefined && { mend }),
})

/** Findings of one area. */
export const inArea = (area: Area) => ({
  ok: (...said: Said): Finding => found(area, 'ok', said),
  note: (...said: Said): Finding => found(area, 'note', said),
  wrong: (kind: ErrorKind, ...said: Said): Finding => ({ ...found(area, 'wrong', said), kind }),
  /** What an error says, as what is wrong. */
  failed(name: string, error: unknown, mend?: string): Finding {
    const { message, hint, kind } = told(error)
    return { ...found(area, 'wrong', [name, message, mend ?? hint]), kind }
  },
})

interface Told {
  readonly message: string
  readonly hint: string | undefined
  readonly kind: ErrorKind
}

function told(error: unknown): Told {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Failure) return { message, hint: error.hint, kind: error.kind }
  if (isUnreachable(error)) {
    const { hint } = error as { readonly hint?: unknown }
    return { message, hint: typeof hint === 'string' ? hint : undefined, kind: 'unreachable' }
  }
  const { kind, hint } = error as { readonly kind?: ErrorKind; readonly hint?: unknown }
  return { message, hint: typeof hint === 'string' ? hint : undefined, kind: kind ?? 'unexpected' }
}
