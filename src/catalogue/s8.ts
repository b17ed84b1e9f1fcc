import { type MessageRow, primary, secondary } from './message-row.js'

/** Stream 8: the programs that control an equipment. */
export const STREAM_8: readonly MessageRow[] = [
  primary(8, 1, 'Boot Program Request', 'both', 'required', { structure: '', source: 'ifab' }),
  secondary(8, 2, 'Boot Program Data', 'both', { structure: '<BPD>', source: 'ifab' }),
  primary(8, 3, 'Executive Program Request', 'both', 'required', { structure: '', source: 'ifab' }),
  secondary(8, 4, 'Executive Program Data', 'both', { structure: '<EPD>', source: 'ifab' }),
]
