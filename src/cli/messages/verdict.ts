/** What an equipment said to something that was asked of it. */
export interface Verdict {
  readonly accepted: boolean
  /** The item that tells, such as `EAC`. */
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
