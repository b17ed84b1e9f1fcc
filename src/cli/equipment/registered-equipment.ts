import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { withTimeout } from '../../kit/clock.js'
import type { Session } from '../profile/server.js'

/** How long the gateway may take, in milliseconds: the command that asks does without it. */
const ANSWER_TIMEOUT_MS = 1_500

/**
 * What the gateway of the profile has registered, when it runs on this machine and can be asked: never a question, never
 * an error, and never long.
 */
export const registeredHere = async (session: Session): Promise<readonly Equipment[]> =>
  (await withTimeout(session.clock, ANSWER_TIMEOUT_MS, asked(session)).catch(() => [])) ?? []

async function asked(session: Session): Promise<readonly Equipment[]> {
  const server = await session.server()
  if (!/^https?:\/\/(127\.|localhost|\[::1\])/.test(server.url)) return []
  const found = await session.token(server)
  if (found?.token === undefined) return []
  const client = new GatewayClient({ url: server.url, token: found.token, timeout: ANSWER_TIMEOUT_MS })
  return (await client.call(endpoints.listEquipment, { query: {} })).items
}
