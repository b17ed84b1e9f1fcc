/** Members of every response of the API that an equipment accepted or refused. */
export interface Acknowledged {
  readonly accepted: boolean
  readonly message_id: string
  readonly reply_id: string
}

/** The reply of an equipment to a request. */
export interface Verdict extends Acknowledged {
  /** The acknowledge code, such as `EAC`. */
  readonly item: string
  readonly code: number
  readonly text: string
}

/** The verdict in a response of the API: the acknowledge code `EAC` is in `eac` and `eac_text`. */
export function verdictOf(item: string, acknowledged: Acknowledged): Verdict {
  const members = acknowledged as Acknowledged & Readonly<Record<string, unknown>>
  const name = item.toLowerCase()
  return { ...acknowledged, item, code: Number(members[name]), text: String(members[`${name}_text`] ?? '') }
}

export const verdictWord = ({ accepted }: Pick<Verdict, 'accepted'>): string =>
  accepted ? 'accepted' : 'refused'

/** Of a record that is printed. */
export const verdictFields = (verdict: Verdict): (readonly [string, string])[] => [
  ['result', verdictWord(verdict)],
  [verdict.item, `${verdict.code} ${verdict.text}`],
  ['message', verdict.message_id],
  ['reply', verdict.reply_id],
]
