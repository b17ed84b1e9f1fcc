import { crc32 } from 'node:zlib'
import type { ObjectKind } from '../../../gem300/object-states.js'

/** Parts into which substrates are divided: a topic for each one would fill the memory in which the journal has them. */
const PARTS = 128

/**
 * By what the changes of one object are found among those of all others, which for substrates are many: a topic that it
 * shares with a few. Undefined for kinds of which there are few objects.
 */
export const historyTopic = (kind: ObjectKind, id: string): string | undefined =>
  kind === 'substrate' ? `substrate ${crc32(id) % PARTS}` : undefined
