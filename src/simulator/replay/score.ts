/** The comparison of a host with the recorded one, named as in its JSON. */
export interface ReplayScore {
  /** Primaries of the equipment: recorded, and sent. */
  readonly recorded: number
  readonly sent: number
  /** Answers of the host: as recorded, different, and missing. */
  readonly matched: number
  readonly differed: number
  readonly missing: number
  /** Messages of the host that messages of the equipment were recorded after, and that this host did not send; one for each name. */
  readonly unprompted: number
  /** Primaries of the host: with a recorded answer, with one to another body, and without. */
  readonly answered: number
  readonly answered_nearly: number
  readonly unknown: number
}

/** A difference that is shown while the replay runs. */
export type ReplayRemark =
  | { readonly kind: 'unknown' | 'nearly'; readonly message: string; readonly body: Uint8Array }
  | {
      readonly kind: 'differed'
      readonly message: string
      readonly id: number
      readonly expected: Uint8Array | undefined
      readonly got: Uint8Array | undefined
    }
  | {
      readonly kind: 'unprompted'
      readonly message: string
      readonly id: number
      /** The host's primary that did not come. */
      readonly cause: { readonly message: string; readonly id: number }
    }
  | { readonly kind: 'missing'; readonly message: string; readonly id: number; readonly why: string }

type Counts = { -readonly [Name in keyof ReplayScore]: ReplayScore[Name] }

export const noScore = (recorded: number): Counts => ({
  recorded,
  sent: 0,
  matched: 0,
  differed: 0,
  missing: 0,
  unprompted: 0,
  answered: 0,
  answered_nearly: 0,
  unknown: 0,
})
