import { both, stream } from '../message-row.js'

/** Stream 8: the programs that control an equipment. */
export const STREAM_8 = stream(
  'ifab, hume',
  both('S8F1 W', 'Boot Program Request'),
  both('S8F2', 'Boot Program Data', '<BPD>'),
  both('S8F3 W', 'Executive Program Request'),
  both('S8F4', 'Executive Program Data', '<EPD>'),
)
