import type { NewMessage, Sent } from '../../contract/topics/messages.js'

type Ask = (message: NewMessage) => Promise<Sent>

/** Asks each question once: a second time it gives the same answer or failure. */
export function remembering(ask: Ask): Ask {
  const known = new Map<string, Promise<Sent>>()
  return (message) => {
    const key = JSON.stringify([message.stream, message.function, message.data ?? {}])
    const asked = known.get(key) ?? ask(message)
    known.set(key, asked)
    return asked
  }
}
