import { Problem } from '../../contract/errors.js'
import type { Tap } from '../../contract/topics/equipment/equipment-tap.js'
import { lengthOf } from '../../secs2/item.js'
import type { Outgoing } from '../link/transactions.js'
import { topicOf } from '../records/message-topics.js'

/** Questions with a short reply, whoever is asked. */
const SHORT: ReadonlySet<string> = new Set(['S1F1', 'S2F17', 'S5F7', 'S16F19'])
/** Questions whose reply has as many values as they have ids. */
const BY_IDS: ReadonlySet<string> = new Set(['S1F3', 'S2F13'])
const MAX_IDS = 20

/**
 * Primaries of a host that change nothing in the equipment (SEMI E5), and whose whole result is in the reply. Not among
 * them: what has a reader or another part act (S3F29, S18F5), and what the equipment sends to its host in messages of
 * its own afterwards (S7F41, S21F15), which that host did not ask for.
 */
const READING: ReadonlySet<string> = new Set(
  Object.entries({
    S1: [1, 3, 5, 7, 9, 11, 19, 21, 23],
    S2: [5, 9, 11, 13, 17, 25, 29, 47, 51, 53, 55, 57, 59, 61, 63],
    S3: [1, 3],
    S5: [5, 7],
    S6: [7, 15, 17, 19, 21, 29],
    S7: [5, 9, 19, 21, 25, 33, 35],
    S8: [1, 3],
    S14: [1, 5, 7, 25, 27],
    S15: [7, 9, 11, 17, 23, 31, 43],
    S16: [19, 21],
    S18: [1],
    S19: [1, 5, 7],
    S20: [3, 11, 17],
    S21: [5, 7, 9, 19],
  }).flatMap(([stream, functions]) => functions.map((fn) => `${stream}F${fn}`)),
)

type Rights = Pick<Tap, 'reads' | 'writes'>

/** Throws `tapped_read_only` for a message that may not be sent beside the other host, and names the setting that allows it. */
export function refuseUnlessPermitted(
  message: Pick<Outgoing, 'stream' | 'function' | 'item'>,
  { reads, writes }: Rights,
  name: string,
): void {
  const topic = topicOf(message.stream, message.function)
  if (isShort(message, topic) || (reads === 'all' && READING.has(topic)) || writes) return
  const refused = (why: string, setting: string): Problem =>
    new Problem('tapped_read_only', `${name} is shared with its host: ${why}. ${setting} allows it.`)
  throw READING.has(topic)
    ? refused(
        BY_IDS.has(topic)
          ? `${topic} may ask for 1 to ${MAX_IDS} ids`
          : `${topic} is not among the short questions that may be asked`,
        'tap.reads all (--tap-reads all)',
      )
    : refused(`${topic} may change it, and only its host may`, 'tap.writes true (--tap-writes)')
}

function isShort({ item }: Pick<Outgoing, 'item'>, topic: string): boolean {
  if (SHORT.has(topic)) return true
  // Without ids it asks for all values.
  if (!item || !BY_IDS.has(topic)) return false
  const ids = item.format === 'A' ? 1 : lengthOf(item)
  return ids > 0 && ids <= MAX_IDS
}
