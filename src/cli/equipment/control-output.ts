import type { Column } from '../output/output.js'

/** An equipment's answer to the request to go online or offline. */
export interface ControlVerdict {
  readonly equipment_id: string
  readonly equipment: string
  readonly accepted: boolean
  readonly control_state: string
}

/** `said` gives the code and its meaning. */
export const controlColumns = <Verdict extends ControlVerdict>(
  said: (verdict: Verdict) => string,
): readonly Column<Verdict>[] => [
  { title: 'NAME', text: ({ equipment }) => equipment },
  { title: 'RESULT', text: ({ accepted }) => (accepted ? 'accepted' : 'refused') },
  { title: 'CONTROL', text: ({ control_state }) => control_state },
  { title: 'SAID', text: said },
]
