import type { ReadValue } from '../catalogue/structure/structure-data.js'
import { unpadded } from './content.js'

/** One alarm as equipment reports it, in S5F1 or in a list of its alarms. */
export interface ReportedAlarm {
  /** ALCD: the top bit is 1 for set and 0 for clear, the other seven are the category. */
  readonly alcd: number
  readonly alid: string
  readonly text: string
}

interface Row {
  readonly ALCD: ReadValue
  readonly ALID: ReadValue
  readonly ALTX: ReadValue
}

/** Undefined where ALCD or ALID is not exactly one value: such a row is not an alarm. */
export const reportedAlarm = ({ ALCD, ALID, ALTX }: Row): ReportedAlarm | undefined =>
  isOneValue(ALCD) && isOneValue(ALID) ? { alcd: Number(ALCD), alid: ALID, text: unpadded(ALTX) } : undefined

/** A text without a character names nothing, as a number without a value does. */
const isOneValue = (value: ReadValue): value is string => typeof value === 'string' && value !== ''
