import type { OutMessage, Producer, Rejection } from './kinds/kind.js'
import { Unsendable } from './kinds/unsendable.js'

/**
 * One call of the target. A failure to reach it is a rejection that may pass; a message that cannot be made for it is
 * rejected for good, since it would fail at each attempt.
 */
export async function attempt(
  producer: Producer,
  messages: readonly OutMessage[],
  signal: AbortSignal,
): Promise<Rejection | undefined> {
  try {
    return await producer.send(messages, signal)
  } catch (error) {
    return { isPermanent: error instanceof Unsendable, detail: detailOf(error) }
  }
}

/** A failure of the network in words: undici and Node hide the reason in `cause`, or leave the message empty. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, code } = error as NodeJS.ErrnoException
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const why = inner instanceof Error ? detailOf(inner) : ''
  return [message, why].filter(Boolean).join(': ') || code || error.name
}
