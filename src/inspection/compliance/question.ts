import type { NamedData } from '../../contract/messages.js'

/** What an equipment has told of itself so far: ids of what further questions can be about. */
export interface Told {
  variables: readonly string[]
  constants: readonly string[]
  events: readonly string[]
  programs: readonly string[]
  /** TIME, as the equipment told it. */
  time?: string
  /** Messages that were answered, such as `S2F41`. */
  readonly answered: ReadonlySet<string>
}

/** One message of a capability, such as S1F11. */
export interface Question {
  readonly stream: number
  readonly function: number
  /** It changes something at the equipment, or might. */
  readonly writes?: true
  /** Named items; undefined where the equipment told nothing that it could be asked about. */
  readonly data?: (told: Told) => NamedData | undefined
  /** Takes what the reply's named items tell, and says it in a few words. */
  readonly read?: (reply: NamedData, told: Told) => string
  /** The right answer is a stream 9 message. */
  readonly wantsFault?: true
}

/** GEM's fundamental requirements and additional capabilities (SEMI E30), and what goes beyond or belongs to one. */
export type CapabilityKind = 'fundamental' | 'additional' | 'other'

export interface Capability {
  readonly name: string
  readonly kind: CapabilityKind
  readonly questions: readonly Question[]
}
