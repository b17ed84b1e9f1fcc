import type { Clock } from '../kit/clock.js'
import type { PeerView } from './conversation.js'
import { Role } from './role.js'
import { formatTime } from './time.js'

/**
 * What a polite host answers to what GEM lets equipment send (SEMI E30), once communicating. Whoever wants to
 * know what the messages said reads the record of them.
 */
export function hostAnswers(clock: Clock, view: () => PeerView): Role {
  return new Role('host', view)
    .on(1, 1, () => ({}))
    .on(2, 17, () => ({ TIME: formatTime(clock.date()) }))
    .on(2, 25, ({ ABS }) => ({ ABS }))
    .on(5, 1, () => ({ ACKC5: '0' }))
    .on(6, 1, () => ({ ACKC6: '0' }))
    .on(6, 3, () => ({ ACKC6: '0' }))
    .on(6, 9, () => ({ ACKC6: '0' }))
    .on(6, 11, () => ({ ACKC6: '0' }))
    .on(6, 13, () => ({ ACKC6: '0' }))
    .on(10, 1, () => ({ ACKC10: '0' }))
}
