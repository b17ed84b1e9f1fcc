import { connect } from 'node:net'
import type { Clock } from '../../kit/clock.js'
import { lineOf } from './arguments.js'
import type { ControlReply } from './control-desk.js'
import { linesOf } from './lines.js'

/** No simulator answered at the control port. */
export class NoReplyError extends Error {
  override readonly name = 'NoAnswerError'
}

export interface ControlAddress {
  readonly host: string
  readonly port: number
}

/**
 * Gives a running simulator a command by its control port, and resolves with its reply. Throws `NoReplyError`.
 */
export async function askSimulator(
  { host, port }: ControlAddress,
  words: readonly string[],
  clock: Clock,
  timeoutMs: number,
): Promise<ControlReply> {
  const socket = connect({ host, port, noDelay: true })
  const late = new NoReplyError(`${host}:${port} did not respond within ${timeoutMs / 1000} s`)
  const cancel = clock.at(clock.now() + timeoutMs, () => socket.destroy(late))
  try {
    socket.write(`${words.length === 1 ? words[0]?.replaceAll('\n', ' ') : lineOf(words)}\n`)
    for await (const line of linesOf(socket)) return replyIn(line, host, port)
  } catch (error) {
    if (error instanceof NoReplyError) throw error
    throw new NoReplyError(`${host}:${port}: ${(error as Error).message}`)
  } finally {
    cancel()
    socket.destroy()
  }
  throw new NoReplyError(`${host}:${port} ended the connection without a reply`)
}

function replyIn(line: string, host: string, port: number): ControlReply {
  try {
    const reply: unknown = JSON.parse(line)
    if (typeof reply === 'object' && reply !== null && 'ok' in reply) return reply as ControlReply
  } catch {
    // Not JSON: not a reply, either.
  }
  throw new NoReplyError(`${host}:${port} is no control port of a simulator`)
}
