import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { controlFrame } from '../control.js'
import { encodeFrame, FrameError, FrameReader } from '../frame/frame.js'
import { STYPE } from '../frame/header.js'
import { TcpConnection } from './tcp-connection.js'

/** HSMS-SS: the session ID of control messages. */
const SESSION_ID = 0xffff
/** No byte of the request is a character of SECS-I, so that a line takes all of them for noise. */
const SYSTEM_BYTES = 0x40404040
const LONGEST_REPLY = 1024

/** An address to dial. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly localAddress?: string | undefined
}

/**
 * Dials, sends Select.req, and resolves with true where an HSMS entity answers it within the timeout, with any status.
 * A session that comes of it is ended by Separate.req. Never rejects.
 */
export async function speaksHsms(
  { host, port, localAddress }: Address,
  timeoutMs: number,
  clock: Clock,
): Promise<boolean> {
  const answered = deferred<boolean>()
  const no = (): void => answered.resolve(false)
  const cancel = clock.at(clock.now() + timeoutMs, no)
  const ids = { sessionId: SESSION_ID, systemBytes: SYSTEM_BYTES }
  const frames = new FrameReader(LONGEST_REPLY)
  const bytes = (came: Uint8Array): void => {
    try {
      for (const { header } of frames.read(came)) {
        const isReply = header.sType === STYPE.selectRsp || header.sType === STYPE.rejectReq
        if (isReply && header.systemBytes === SYSTEM_BYTES) answered.resolve(true)
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      no()
    }
  }
  const opened = (): void => connection.write(encodeFrame(controlFrame('selectReq', ids)))
  const events = { opened, failed: no, bytes, lost: no }
  const connection = TcpConnection.dial(host, port, events, LONGEST_REPLY, localAddress)
  try {
    const isHsms = await answered.promise
    if (isHsms) connection.write(encodeFrame(controlFrame('separateReq', ids)))
    return isHsms
  } finally {
    cancel()
    await connection.close(clock)
  }
}
