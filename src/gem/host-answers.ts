import type { Clock } from '../kit/clock.js'
import { type Answering, hostAnswer } from './role.js'
import { formatTime } from './time.js'

/**
 * What a polite host answers to what GEM lets equipment send (SEMI E30), once communicating. Whoever wants to
 * know what the messages said reads the record of them.
 */
export const hostAnswers = (clock: Clock): readonly Answering[] => [
  hostAnswer('S1F1', () => ({})),
  hostAnswer('S2F17', () => ({ TIME: formatTime(clock.date()) })),
  hostAnswer('S2F25', ({ ABS }) => ({ ABS })),
  hostAnswer('S5F1', () => ({ ACKC5: '0' })),
  hostAnswer('S6F1', () => ({ ACKC6: '0' })),
  hostAnswer('S6F3', () => ({ ACKC6: '0' })),
  hostAnswer('S6F9', () => ({ ACKC6: '0' })),
  hostAnswer('S6F11', () => ({ ACKC6: '0' })),
  hostAnswer('S6F13', () => ({ ACKC6: '0' })),
  hostAnswer('S10F1', () => ({ ACKC10: '0' })),
]
