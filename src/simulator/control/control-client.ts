import { connect } from 'node:net'
import type { Clock } from '../../kit/clock.js'
import { lineOf } from './arguments.js'
import type { ControlAnswer } from './control-desk.js'
import { linesOf } from './lines.js'

/** No simulator answered at the control port. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

export interface ControlAddress {
  readonly host: string
  readonly port: number
}

/**
 * Gives a running simulator a command by its control port, and resolves with its answer. Throws `NoAnswerError`.
 */
export async function askSimulator(
  { host, port }: ControlAddress,
  words: readonly string[],
  clock: Clock,
  timeoutMs: number,
): Promise<ControlAnswer> {
  const socket = connect({ host, port, noDelay: true })
  const late = new NoAnswerError(`${host}:${port} did not answer within ${timeoutMs / 1000} s`)
  const cancel = clock.at(clock.now() + timeoutMs, () => socket.destroy(late))
  try {
    socket.write(`${words.length === 1 ? words[0]?.replaceAll('\n', ' ') : lineOf(words)}\n`)
    for await (const line of linesOf(socket)) return answerIn(line, host, port)
  } catch (error) {
    if (error instanceof NoAnswerError) throw error
    throw new NoAnswerError(`${host}:${port}: ${(error as Error).message}`)
  } finally {
    cancel()
    socket.destroy()
  }
  throw new NoAnswerError(`${host}:${port} ended the connection without an answer`)
}

function answerIn(line: string, host: string, port: number): ControlAnswer {
  try {
    const answer: unknown = JSON.parse(line)
    if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer as ControlAnswer
  } catch {
    // Not JSON: not an answer, either.
  }
  throw new NoAnswerError(`${host}:${port} is no control port of a simulator`)
}
