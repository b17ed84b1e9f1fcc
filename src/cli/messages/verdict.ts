/** Members of every answer of the API that an equipment accepted or refused. */
export interface Answered {
  readonly accepted: boolean
  readonly message_id: string
  readonly reply_id: string
}

/** The answer of an equipment to a request. */
export interface Verdict extends Answered {
  /** The acknowledge code, such as `EAC`. */
  readonly item: string
  readonly code: number
  readonly text: string
}

/** The verdict in an answer of the API: the acknowledge code `EAC` is in `eac` and `eac_text`. */
export function verdictOf(item: string, answered: Answered): Verdict {
  const members = answered as Answered & Readonly<Record<string, unknown>>
  const name = item.toLowerCase()
  return { ...answered, item, code: Number(members[name]), text: String(members[`${name}_text`] ?? '') }
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
