/** The comparison of a host with the recorded one, named as in its JSON; nothing is compared yet. */
export const noScore = (recorded: number) => ({
  /** Primaries of the equipment: recorded, and sent. */
  recorded,
  sent: 0,
  /** Answers of the host: as recorded, different, and missing. */
  matched: 0,
  differed: 0,
  missing: 0,
  /**
   * Messages of the host that messages of the equipment were recorded after, and that this host did not send; one for
   * each name.
   */
  unprompted: 0,
  /** Primaries of the host: with a recorded reply, with one to another body, and without. */
  answered: 0,
  answered_nearly: 0,
  unknown: 0,
})
export type ReplayScore = Readonly<ReturnType<typeof noScore>>

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
