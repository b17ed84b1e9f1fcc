import {
  A,
  type AbstractSecs2Item,
  B,
  HsmsActiveCommunicator,
  type HsmsCommunicator,
  type HsmsCommunicatorConfig,
  type HsmsMessage,
  HsmsPassiveCommunicator,
  L,
  type Secs2ItemAscii,
  type SecsMessage,
  U1,
  U4,
} from 'secs4js'
import { freePort } from './free-port.js'

/** A message as the foreign peer tells it. */
export interface ForeignMessage {
  readonly stream: number
  readonly function: number
  readonly wait: boolean
  /** Its own SML, on one line. */
  readonly sml: string
}

export interface ForeignOptions {
  /** Passive: where to listen, any free port when left out. Active: where to dial. */
  readonly port?: number
  readonly deviceId?: number
  /** Who opens the connection; passive unless said. */
  readonly role?: 'active' | 'passive'
  /** Seconds after which it dials again when it has lost its connection; 0.2 when left out. */
  readonly t5?: number
}

/** What a foreign peer replies; undefined for nothing at all. */
export type Reply = (
  message: SecsMessage,
) => { readonly function: number; readonly body?: AbstractSecs2Item } | undefined

const messageOf = (message: SecsMessage): ForeignMessage => ({
  stream: message.stream,
  function: message.func,
  wait: message.wBit,
  sml: message.toSml().replace(/\s+/g, ' '),
})

/** Tells of each Linktest.req that comes, which secs4js keeps to itself. */
class TellingPassive extends HsmsPassiveCommunicator {
  readonly #tell: () => void

  constructor(config: HsmsCommunicatorConfig, tell: () => void) {
    super(config)
    this.#tell = tell
  }

  protected override handleLinkTestReq(message: HsmsMessage): void {
    this.#tell()
    super.handleLinkTestReq(message)
  }
}

/** A peer whose HSMS and SECS-II are somebody else's: secs4js. */
export class ForeignPeer {
  /** The primaries that came, in order. */
  readonly received: ForeignMessage[] = []
  /** Faults that it found in what it was sent. */
  readonly errors: Error[] = []
  readonly #communicator: HsmsCommunicator
  #linktests = 0

  private constructor(config: HsmsCommunicatorConfig, { role = 'passive' }: ForeignOptions, reply: Reply) {
    const communicator =
      role === 'passive'
        ? new TellingPassive(config, () => {
            this.#linktests += 1
          })
        : new HsmsActiveCommunicator(config)
    this.#communicator = communicator
    communicator.on('error', (error) => this.errors.push(error))
    communicator.on('message', (message) => {
      this.received.push(messageOf(message))
      const answer = message.wBit ? reply(message) : undefined
      if (!answer) return
      communicator
        .reply(message, message.stream, answer.function, answer.body ?? null)
        .catch((error: Error) => this.errors.push(error))
    })
  }

  static async start(options: ForeignOptions, isEquip: boolean, reply: Reply): Promise<ForeignPeer> {
    const config = {
      ip: '127.0.0.1',
      port: options.port ?? (await freePort()),
      deviceId: options.deviceId ?? 0,
      isEquip,
      log: { enabled: false },
      timeoutT3: 10,
      timeoutT5: options.t5 ?? 0.2,
      timeoutT6: 5,
    }
    const peer = new ForeignPeer(config, options, reply)
    await peer.#communicator.open()
    return peer
  }

  get port(): number {
    return this.#communicator.port
  }

  /** How many Linktest.req came; counted while passive. */
  get linktests(): number {
    return this.#linktests
  }

  get selected(): boolean {
    return this.#communicator.connectionState === 'Selected'
  }

  /** Sends a primary with W-bit and resolves with what it takes for the reply. */
  async request(stream: number, fn: number, body?: AbstractSecs2Item): Promise<ForeignMessage> {
    const reply = await this.#communicator.send(stream, fn, true, body ?? null)
    if (!reply) throw new Error('no reply')
    return messageOf(reply)
  }

  /** Resolves when Linktest.rsp came. */
  linktest(): Promise<void> {
    return this.#communicator.sendLinkTestReq()
  }

  separate(): Promise<void> {
    return this.#communicator.sendSeparateReq()
  }

  async stop(): Promise<void> {
    // Its server is closed by two of its parts; the second complains.
    await this.#communicator.close().catch(() => {})
  }
}

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
