import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { delay } from '../../kit/clock.js'
import type { Session } from '../profile/server.js'

/** How long the gateway may take, in milliseconds: the command that asks does without it. */
const ANSWER_TIMEOUT_MS = 1_500

/**
 * What the gateway of the profile has registered at `port`, when it runs on this machine and can be asked: never
 * a question, never an error, and never long.
 */
export async function registeredAt(session: Session, port: number): Promise<readonly Equipment[]> {
  const over = new AbortController()
  try {
    const late = delay(session.clock, ANSWER_TIMEOUT_MS, over.signal).then(() => [])
    return await Promise.race([asked(session, port, over.signal), late])
  } catch {
    return []
  } finally {
    over.abort()
  }
}

async function asked(session: Session, port: number, signal: AbortSignal): Promise<readonly Equipment[]> {
  const server = await session.server()
  if (!/^https?:\/\/(127\.|localhost|\[::1\])/.test(server.url)) return []
  const found = await session.token(server)
  if (found?.token === undefined) return []
  const client = new GatewayClient({ url: server.url, token: found.token })
  const { items } = await client.call(endpoints.listEquipment, { query: {} }, { signal })
  return items.filter((equipment) => equipment.port === port)
}
