import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { withTimeout } from '../../kit/clock.js'
import { wrongUsage } from '../errors/failure.js'
import type { Session } from '../profile/server.js'

/** How long the gateway may take, in milliseconds: the command that asks does without it. */
const RESPONSE_TIMEOUT_MS = 1_500

/**
 * What the gateway of the profile has registered, when it runs on this machine and can be asked: never a question, never
 * an error, and never long.
 */
export const registeredHere = async (session: Session): Promise<readonly Equipment[]> =>
  (await withTimeout(session.clock, RESPONSE_TIMEOUT_MS, asked(session)).catch(() => [])) ?? []

async function asked(session: Session): Promise<readonly Equipment[]> {
  const server = await session.server()
  if (!/^https?:\/\/(127\.|localhost|\[::1\])/.test(server.url)) return []
  const found = await session.token(server)
  if (found?.token === undefined) return []
  const client = new GatewayClient({ url: server.url, token: found.token, timeout: RESPONSE_TIMEOUT_MS })
  return (await client.call(endpoints.listEquipment, { query: {} })).items
}

interface TestFlags {
  readonly listen?: number | undefined
  readonly transport?: string | undefined
  readonly master?: string | undefined
  readonly 'baud-rate'?: number | undefined
  readonly 'try-baud-rates'?: boolean
}

/** What a person types to test registered equipment; flags that are given stay. */
export function typedFor(
  { name, mode, ip_address, port, serial_port, transport, master, baud_rate }: Equipment,
  flags: TestFlags,
): TestFlags & { readonly address?: string } {
  if (flags.listen !== undefined)
    throw wrongUsage(`--listen waits for anybody: no name goes with it, and ${name} is one`)
  const line = { ...flags, master: flags.master ?? master }
  if ((serial_port ?? null) !== null)
    return {
      ...line,
      address: String(serial_port),
      'baud-rate': flags['baud-rate'] ?? (flags['try-baud-rates'] ? undefined : baud_rate),
    }
  const given = transport === 'secs1-tcp' ? { ...line, transport } : flags
  return mode === 'active' ? { ...given, listen: port ?? 0 } : { ...given, address: `${ip_address}:${port}` }
}
