import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Cancel, Clock } from '../../kit/clock.js'

/** The most that is read, and thrown away, of a body that was refused before its end. */
const MAX_BYTES = 64 * 1024 * 1024
/** Milliseconds for which it is read at most, and after which a client that sends nothing is not waited for. */
const MAX_MS = 10_000
const SILENT_MS = 2000

/** Whether a part of the body of a request is still to come. */
export const isStillSent = ({ complete, destroyed, headers }: IncomingMessage): boolean =>
  complete === false &&
  !destroyed &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/**
 * A response to a request whose body is still being sent: the text at once, and its end when the body has been read,
 * or too much of it. Were the connection closed before, what is on its way would reset it, and the client could not read
 * the response.
 */
export const whileReadingOn = (text: string, request: IncomingMessage, clock: Clock): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from(text)
      if (!(await isReadToItsEnd(request, clock))) request.destroy()
    })(),
    { objectMode: false },
  )

function isReadToItsEnd(request: IncomingMessage, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const end = clock.now() + MAX_MS
    let bytes = 0
    let cancel: Cancel = () => {}
    const over = (isRead: boolean): void => {
      cancel()
      request.off('data', take).off('end', atEnd).off('close', atEnd).off('error', atEnd)
      resolve(isRead)
    }
    const atEnd = (): void => over(true)
    const wait = (): void => {
      cancel()
      cancel = clock.at(Math.min(end, clock.now() + SILENT_MS), () => over(false))
    }
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) over(false)
      else wait()
    }
    if (request.complete || request.destroyed) return atEnd()
    wait()
    request.on('data', take).on('end', atEnd).on('close', atEnd).on('error', atEnd).resume()
  })
}
