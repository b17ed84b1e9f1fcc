import type { LeafReader } from '../../catalogue/values/read.js'
import type { PeerView, Primary } from '../conversation.js'
import { inUsualFormats, type Verdict } from '../role.js'

/** Whether the body fits is all that matters of it: its values may be megabytes. */
const unread: LeafReader = () => ''

/** What a site's file has the host answer to its equipment; undefined where it says nothing of the message. */
export function siteReply(primary: Primary, peer: PeerView): Verdict | undefined {
  const { stream, function: fn, wait } = primary
  const { catalogue } = peer
  const data = catalogue.find(stream, fn, 'equipment')?.answer
  if (data === undefined) return undefined
  // Only now: the item of a primary may be decoded when it is asked for.
  const { item, fault, values } = primary
  const read = (): typeof values =>
    values === undefined
      ? catalogue.readAny(stream, fn, item, { ...peer, sender: 'equipment' }, unread)
      : values
  if (fault !== undefined || read() === null) return { kind: 'fault', fault: 'illegal_data' }
  if (!wait) return { kind: 'none' }
  const body = inUsualFormats({ ...peer, sender: 'host' }, (view) =>
    catalogue.buildAny(stream, fn + 1, data, view),
  )
  return { kind: 'reply', message: { stream, function: fn + 1, item: body } }
}
