import { primary, secondary } from '../message-row.js'

/** Stream 8: the programs that control an equipment. */
export const STREAM_8 = [
  primary(8, 1, 'Boot Program Request', 'both', 'required', {
    structure: '',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(8, 2, 'Boot Program Data', 'both', { structure: '<BPD>', source: 'ifab', confirmedBy: ['hume'] }),
  primary(8, 3, 'Executive Program Request', 'both', 'required', {
    structure: '',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
  secondary(8, 4, 'Executive Program Data', 'both', {
    structure: '<EPD>',
    source: 'ifab',
    confirmedBy: ['hume'],
  }),
] as const
