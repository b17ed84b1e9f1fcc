import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { backUpStored, isLoss, verifyStored } from '../../src/daemon/stored-files.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'

const folderOf = scratchFolders()

/** Each call is an entry of the audit, and each change of the connection an event. */
async function makeEvents(client: GatewayClient, count: number): Promise<void> {
  const { items } = await client.call(endpoints.listEquipment, {})
  const id = items[0]?.id ?? ''
  for (let n = 0; n < count; n++) {
    await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } })
    await client.call(endpoints.disconnectEquipment, { params: { id } })
  }
}

const idsOf = async (client: GatewayClient): Promise<readonly number[]> =>
  (await client.call(endpoints.listEvents, { query: { limit: 1000, order: 'asc' } })).items.map(({ id }) =>
    Number(id),
  )

async function streamStatus(client: GatewayClient, after: number | undefined): Promise<number> {
  const query = after === undefined ? '' : `?after=${after}`
  const url = `${client.options.url}/api/v1/events/stream${query}`
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${client.options.token}` }
  const { status } = await fetch(url, { headers, signal: abort.signal })
  abort.abort()
  return status
}

test('whoever has seen more than the backup that was restored is refused, also once as much has been recorded again', async () => {
  const [data, backup] = [folderOf(), join(folderOf(), 'backup')]
  const first = await daemonHere(data)
  const record = { name: 'etcher', ip_address: '127.0.0.1', port: 1 }
  await first.client.call(endpoints.createEquipment, { body: record })
  await makeEvents(first.client, 4)
  await backUpStored(data, backup)
  const backedUp = await idsOf(first.client)
  await makeEvents(first.client, 5)
  const seen = await idsOf(first.client)
  expect(seen.length).toBeGreaterThan(backedUp.length + 5)
  const pageOf = async (client: GatewayClient, cursor?: string) =>
    client.call(endpoints.listEvents, { query: { limit: 2, order: 'desc', ...(cursor && { cursor }) } })
  const auditOf = async (client: GatewayClient, cursor?: string) =>
    client.call(endpoints.listAudit, { query: { limit: 2, order: 'desc', ...(cursor && { cursor }) } })
  const [events, audit] = [await pageOf(first.client), await auditOf(first.client)]
  await first.stop()

  rmSync(data, { recursive: true })
  execFileSync('cp', ['-a', backup, data])
  let restored = await daemonHere(data)
  for (const round of ['restored', 'restarted']) {
    await makeEvents(restored.client, 10)
    const ids = await idsOf(restored.client)
    expect(ids.slice(0, backedUp.length), round).toEqual(backedUp)
    // No id means two events.
    expect(ids.slice(backedUp.length).filter((id) => seen.includes(id))).toEqual([])
    for (const id of seen.slice(backedUp.length)) expect(await streamStatus(restored.client, id)).toBe(400)
    for (const id of [...ids, undefined]) expect(await streamStatus(restored.client, id)).toBe(200)
    const { client } = restored
    await expect(pageOf(client, events.next_cursor ?? '')).rejects.toMatchObject({ code: 'invalid_cursor' })
    await expect(auditOf(client, audit.next_cursor ?? '')).rejects.toMatchObject({ code: 'invalid_cursor' })
    const again = await pageOf(client)
    expect((await pageOf(client, again.next_cursor ?? '')).items).toHaveLength(2)
    await restored.stop()
    restored = await daemonHere(data)
  }
  const faults = []
  for await (const file of verifyStored(data)) faults.push(...file.faults.filter(isLoss))
  expect(faults).toEqual([])
})
