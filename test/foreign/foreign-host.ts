import { A, B, L } from 'secs4js'
import { type ForeignMessage, type ForeignOptions, ForeignPeer, type Reply } from '../support/foreign-peer.js'

const reply: Reply = (message) => {
  switch (`S${message.stream}F${message.func}`) {
    case 'S1F1':
      return { function: 2, body: L() }
    case 'S1F13':
      return { function: 14, body: L(B(Buffer.from([0])), L()) }
    case 'S5F1':
    case 'S6F11':
      return { function: message.func + 1, body: B(Buffer.from([0])) }
    default:
      return { function: 0 }
  }
}

/** A host that is not ours: accepts S1F1, S1F13, S5F1 and S6F11, aborts everything else. */
export interface ForeignHost {
  readonly port: number
  readonly peer: ForeignPeer
  /** The primaries that came, in order. */
  readonly received: readonly ForeignMessage[]
  /** S1F13 from its side; resolves with S1F14. */
  establish(): Promise<ForeignMessage>
  areYouThere(): Promise<ForeignMessage>
  /** S2F41 with a LOTID; resolves with S2F42. */
  command(name: string, lot: string): Promise<ForeignMessage>
  stop(): Promise<void>
}

/** Active unless `role` says passive. */
export async function startForeignHost(options: ForeignOptions = {}): Promise<ForeignHost> {
  const peer = await ForeignPeer.start({ role: 'active', ...options }, false, reply)
  return {
    port: peer.port,
    peer,
    received: peer.received,
    establish: () => peer.request(1, 13, L()),
    areYouThere: () => peer.request(1, 1),
    command: (name, lot) => peer.request(2, 41, L(A(name), L(L(A('LOTID'), A(lot))))),
    stop: () => peer.stop(),
  }
}
