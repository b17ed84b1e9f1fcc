/** One word that may stand at the cursor. */
export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
}
