import type { Finding } from '../../inspection/finding.js'
import type { Column } from '../output/output.js'

const OK = { ok: true, note: null, wrong: false } as const

/** `note`: the word for a finding that is neither right nor wrong. */
export function checkColumns(note: string): readonly Column<Finding>[] {
  const results = { ok: 'ok', note, wrong: 'not ok' } as const
  return [
    { title: 'CHECK', text: ({ name }) => name },
    { title: 'RESULT', text: ({ mark }) => results[mark] },
    { title: 'WHAT', text: ({ detail }) => detail, wraps: true },
  ]
}

/** A finding for programs; `ok` is null where it is neither. */
export const checkObject = ({ name: check, mark, detail, mend }: Finding) => ({
  check,
  ok: OK[mark],
  detail,
  next: mend ?? null,
})
