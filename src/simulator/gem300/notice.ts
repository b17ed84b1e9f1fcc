import type { TypedValue } from '../../gem/typed-value.js'
import type { Move } from './machine.js'

/** What happens beside the transitions of machines. */
export type Occurrence = 'carrier_placed' | 'carrier_taken' | 'id_read' | 'id_not_read'

/** The values of data variables, by the variable's name. */
export type NoticeValues = Readonly<Record<string, TypedValue>>

/** What a tool tells its host by a collection event. */
export interface Notice {
  readonly what: Move | Occurrence
  /** The object's ID; of a port its number. */
  readonly subject: string
  /** Where it has one. */
  readonly port: number | undefined
  readonly values: NoticeValues
}
