import type { ObjectKind } from './object-states.js'

/** What equipment has told of one of its objects. */
export interface ToldObject {
  readonly kind: ObjectKind
  readonly id: string
  /** By the names of `KINDS`. */
  readonly states: Readonly<Record<string, string>>
  readonly details?: Readonly<Record<string, string>>
  /** The object is not there any more. */
  readonly isGone?: boolean
}
