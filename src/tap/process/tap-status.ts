import { connect } from 'node:net'
import type { Clock } from '../../kit/clock.js'
import { encodePacket, type Hello, PacketReader, type StatusTold, TAP_VERSION } from './tap-messages.js'

/** Milliseconds in which the process answers. */
const ANSWER_MS = 2000

/** The process of the taps. Of one whose messages are of another version, or that hangs, no more than that is known. */
export interface TapProcessStatus {
  /** 0 where it does not say. */
  readonly pid: number
  /** Of the messages between process and daemon. */
  readonly protocol: number
  /** This program understands it. */
  readonly isUnderstood: boolean
  /** It takes connections, and does not respond. */
  readonly hangs: boolean
  readonly told: StatusTold | undefined
}

/** Asks the process at a local socket how it is, which disturbs no daemon. Undefined where there is none. */
export function tapProcessStatus(path: string, clock: Clock): Promise<TapProcessStatus | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const reader = new PacketReader()
    let hello: Hello | undefined
    let isThere = false
    let isLate = false
    const end = (told?: StatusTold): void => {
      cancel()
      socket.destroy()
      const { pid = 0, version = 0 } = hello ?? {}
      const isUnderstood = version === TAP_VERSION
      const hangs = isLate && (!hello || isUnderstood)
      resolve(hello || hangs ? { pid, protocol: version, isUnderstood, hangs, told } : undefined)
    }
    const cancel = clock.at(clock.now() + ANSWER_MS, () => {
      isLate = isThere
      end()
    })
    const take = (said: Partial<Hello | StatusTold>): void => {
      if (said.kind === 'status') return end(said as StatusTold)
      if (said.kind !== 'hello') return
      hello = said as Hello
      if (hello.version !== TAP_VERSION) return end()
      socket.write(encodePacket({ head: { kind: 'status' }, body: new Uint8Array() }))
    }
    socket.on('connect', () => {
      isThere = true
    })
    socket.on('error', () => end())
    socket.on('close', () => end())
    socket.on('data', (chunk) => {
      try {
        for (const { head } of reader.read(chunk)) take(Object(head))
      } catch {
        end()
      }
    })
  })
}
