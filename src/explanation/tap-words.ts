import type { TapLink } from '../contract/topics/equipment/equipment-tap.js'
import { type Entry, entriesOf } from './explanation.js'

const STATE: Readonly<Record<TapLink['state'], string>> = {
  closed: `The tap does not listen: the equipment is not meant to be connected, or another program has its port.
    Connect it. If that was done, its last error says why it does not listen.
    secsctl equipment connect EQ
    secsctl equipment show EQ`,
  waiting: `The tap listens, and nobody is connected. The gateway dials the equipment once its host has dialled the gateway.
    Have the host dial the port of the tap, from the address that the tap knows. A refused address is in the record.
    secsctl equipment show EQ
    secsctl equipment check EQ`,
  unreached: `The host dialled the gateway, and the equipment did not take the connection; or the other way round, where the equipment dials.
    It is off, has another connection, or accepts only the address of its host: then set the address of the gateway there.
    secsctl equipment show EQ
    secsctl equipment test HOST:PORT`,
  connected: `Host and equipment are both connected, and what one sends goes to the other.
    Nothing is wrong here. The connection of the equipment is SELECTED once the two have selected it.
    secsctl equipment show EQ
    secsctl messages ladder EQ`,
}

const TAP: readonly Entry[] = [
  ...entriesOf('setting of an equipment', {
    tap: `The equipment is shared with the host that it already has: the gateway stands between the two, forwards everything unchanged, records it, and lets its clients read.
    The host stays in control. Clients may ask short questions; tap_reads and tap_writes allow more.
    secsctl equipment show EQ
    secsctl equipment update EQ --tap-reads all
    secsctl equipment update EQ --no-tap`,
  }),
  ...entriesOf('event', {
    tap_gap: `Messages passed between tapped equipment and its host, and were not recorded. Both sides got them.
    The event says how many, and from when to when. The daemon was killed, was away for so long that the queue of the taps was full, or its disk took no records. The commands show which of these it was.
    secsctl events list --equipment EQ --type connection
    secsctl doctor
    secsctl daemon logs`,
  }),
]

/** How a tap stands, what a tap is, and the event that it has of its own. */
export const TAP_WORDS: readonly Entry[] = [...TAP, ...entriesOf('state of a tap', STATE)]
