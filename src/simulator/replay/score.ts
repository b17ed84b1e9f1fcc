/** How a host that meets a replay compares with the one that was recorded, in the names of its JSON. */
export interface ReplayScore {
  /** Primaries of the equipment that were recorded, and that were sent. */
  readonly recorded: number
  readonly sent: number
  /** Answers of the host that are as recorded, that are others, and that did not come. */
  readonly matched: number
  readonly differed: number
  readonly missing: number
  /** Messages that the equipment's were recorded behind and that the host did not send, once for each name. */
  readonly unprompted: number
  /** Primaries of the host with a recorded answer; with one to another body; and unknown ones. */
  readonly answered: number
  readonly answered_nearly: number
  readonly unknown: number
}

/** What a person has to be told of while it goes on. */
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
