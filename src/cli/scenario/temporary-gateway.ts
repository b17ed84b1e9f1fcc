import { GatewayClient } from '../../client/client.js'
import { Unreachable } from '../../client/failures.js'
import { endpoints } from '../../contract/endpoints.js'
import type { BaseCommand } from '../base-command.js'
import { gatewayWords, type TemporaryPlace } from '../demo/temporary-place.js'
import { EQUIPMENT_FLAGS } from '../equipment/equipment-flags.js'

/** How the gateway and the equipment talk to each other. */
export const TALK_FLAGS = {
  'device-id': EQUIPMENT_FLAGS['device-id'],
  'session-id': EQUIPMENT_FLAGS['session-id'],
  timer: EQUIPMENT_FLAGS.timer,
  format: EQUIPMENT_FLAGS.format,
  encoding: EQUIPMENT_FLAGS.encoding,
}

/** Ends the link of a gateway that may have ended before, by the same Ctrl-C in the terminal. */
export async function disconnected(client: GatewayClient, id: string): Promise<void> {
  await client.call(endpoints.disconnectEquipment, { params: { id } }).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error
  })
}

/** A gateway in a temporary folder, and its administrator as its client. `hsmsHost`: where equipment reaches it that connects to it. */
export async function gatewayIn(
  on: BaseCommand,
  { start, admin }: TemporaryPlace,
  hsmsHost?: string,
): Promise<{ readonly client: GatewayClient; readonly stop: () => Promise<unknown> }> {
  const daemon = start('gateway', gatewayWords(hsmsHost))
  const url = (await daemon.line(/^listening on /)).replace('listening on ', '')
  const { token } = await new GatewayClient({ url }).call(endpoints.login, { body: admin })
  return { client: new GatewayClient({ url, token }), stop: () => daemon.stop(on.clock) }
}
