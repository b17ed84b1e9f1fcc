import { GatewayClient } from '../../client/client.js'
import { Unreachable } from '../../client/failures.js'
import { endpoints } from '../../contract/endpoints.js'
import type { BaseCommand } from '../base-command.js'
import { gatewayWords, type TemporaryPlace } from '../demo/temporary-place.js'

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
