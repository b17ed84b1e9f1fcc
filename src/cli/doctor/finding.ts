import type { ErrorKind } from '../../contract/errors.js'
import { type Finding as Found, note, ok, wrong } from '../../inspection/finding.js'
import { isUnreachable, readingFault } from '../errors/report.js'

export const AREAS = ['settings', 'files', 'server', 'daemon', 'equipment', 'sinks'] as const
export type Area = (typeof AREAS)[number]

export interface Finding extends Found {
  readonly area: Area
}

export function inArea(area: Area) {
  const here =
    <Args extends unknown[]>(make: (...args: Args) => Found) =>
    (...args: Args): Finding => ({ area, ...make(...args) })
  return {
    ok: here<[name: string, detail: string, mend?: string]>(ok),
    note: here<[name: string, detail: string, mend?: string]>(note),
    wrong: here<[kind: ErrorKind, name: string, detail: string, mend?: string]>(wrong),
    /** An error, as a finding that is wrong. */
    failed: here((name: string, error: unknown, mend?: string) => {
      const { hint, kind = 'unexpected' } = error as { readonly hint?: unknown; readonly kind?: ErrorKind }
      const message = readingFault(error) ?? (error instanceof Error ? error.message : String(error))
      const next = mend ?? (typeof hint === 'string' ? hint : undefined)
      return wrong(isUnreachable(error) ? 'unreachable' : kind, name, message, next)
    }),
  }
}
