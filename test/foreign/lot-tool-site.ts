import { onTestFinished } from 'vitest'
import type { PlainBody, PlainClient } from '../support/plain-client.js'
import { LOOPBACK } from '../support/tcp.js'
import { daemonForFile } from './foreign-tool.js'
import { LotTool, type LotToolSettings } from './lot-tool.js'

/** A lot tool that a gateway is connected to. */
export interface LotSite {
  readonly tool: LotTool
  readonly id: string
  readonly name: string
  /** What a command of the CLI needs. */
  readonly variables: Readonly<Record<string, string>>
  readonly client: PlainClient
  call(method: string, path: string, body?: unknown): Promise<PlainBody>
}

/** A daemon for the tests of a file, and what connects a tool to it until the test is over. */
export function lotSites(): (settings: Partial<LotToolSettings>, given?: object) => Promise<LotSite> {
  const daemon = daemonForFile()
  return async (settings, given = {}) => {
    const { url, client } = daemon()
    const tool = await LotTool.start({ make: 0, idWaits: true, slotMapWaits: true, ...settings })
    const name = `stranger ${tool.peer.port}`
    const { body } = await client.post('/equipment', {
      ...{ name, ip_address: LOOPBACK, port: tool.peer.port },
      ...given,
    })
    onTestFinished(async () => {
      await client.delete(`/equipment/${body.id}`)
      await tool.stop()
    })
    const { body: connected } = await client.post(`/equipment/${body.id}/connect`)
    if (connected.communication_state !== 'COMMUNICATING') throw new Error(JSON.stringify(connected))
    return {
      ...{ tool, id: body.id, name, client },
      variables: { SECSCTL_URL: url, SECSCTL_TOKEN: client.token ?? '' },
      call: async (method, path, sent) =>
        (await client.call(method, `/equipment/${body.id}${path}`, sent)).body,
    }
  }
}
