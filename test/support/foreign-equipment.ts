import { A, B, L, type Secs2ItemAscii, U1, U4 } from 'secs4js'
import { type ForeignMessage, type ForeignOptions, ForeignPeer, type Reply } from './foreign-peer.js'

export const FOREIGN_MDLN = 'FOREIGN'
export const FOREIGN_SOFTREV = '4.7'

const identity = () => L(A(FOREIGN_MDLN), A(FOREIGN_SOFTREV))

const reply: Reply = (message) => {
  switch (`S${message.stream}F${message.func}`) {
    case 'S1F1':
      return { function: 2, body: identity() }
    case 'S1F13':
      return { function: 14, body: L(B(Buffer.from([0])), identity()) }
    case 'S2F41': {
      const command = (message.body?.[0] as Secs2ItemAscii | undefined)?.value
      return { function: 42, body: L(B(Buffer.from([command === 'START' ? 0 : 1])), L()) }
    }
    default:
      return { function: 0 }
  }
}

/** An equipment that is not ours: answers S1F1, S1F13 and S2F41 (START), aborts everything else. */
export interface RemoteEquipment {
  readonly port: number
  readonly peer: ForeignPeer
  /** The primaries that came, in order. */
  readonly received: readonly ForeignMessage[]
  /** S5F1 of alarm 7; resolves with S5F2. */
  sendAlarm(set?: boolean): Promise<ForeignMessage>
  /** S6F11 of event 42 with report 1; resolves with S6F12. */
  sendEvent(): Promise<ForeignMessage>
  /** S1F13 from its side; resolves with S1F14. */
  establish(): Promise<ForeignMessage>
  /** From now on no primary is answered. */
  mute(): void
  /** True once the host has gone, in order or not. */
  readonly separated: boolean
  stop(): Promise<void>
}

/** Passive unless `role` says active; then `port` is where it dials. */
export async function startForeignEquipment(options: ForeignOptions = {}): Promise<RemoteEquipment> {
  let muted = false
  const peer = await ForeignPeer.start(options, true, (message) => (muted ? undefined : reply(message)))
  return {
    port: peer.port,
    peer,
    received: peer.received,
    sendAlarm: (set = true) =>
      peer.request(5, 1, L(B(Buffer.from([set ? 0x84 : 0x04])), U4(7), A('Foreign alarm'))),
    sendEvent: () => peer.request(6, 11, L(U4(1), U4(42), L(L(U4(1), L(A('LOT-1'), U1(3)))))),
    establish: () => peer.request(1, 13, identity()),
    mute: () => {
      muted = true
    },
    get separated() {
      return !peer.selected
    },
    stop: () => peer.stop(),
  }
}
