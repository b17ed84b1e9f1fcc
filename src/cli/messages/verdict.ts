/** The answer of an equipment to a request. */
export interface Verdict {
  readonly accepted: boolean
  /** The item of the code, such as `EAC`. */
  readonly item: string
  readonly code: number
  readonly text: string
  readonly message_id: string
  readonly reply_id: string
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
