import { expect, test } from 'vitest'
import { connectFleet, disconnectFleet, type FleetMember } from '../../src/cli/simulator/fleet.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'
import { LOOPBACK } from '../support/tcp.js'

const folderOf = scratchFolders()
const member = (name: string, port: number): FleetMember => ({
  name,
  ip_address: LOOPBACK,
  port,
  mode: 'passive',
  device_id: 0,
})

test('a fleet is registered once, connected, and refused where a name stands for another address', async () => {
  const { client } = await daemonHere(folderOf())
  const listed = async () =>
    (await client.call(endpoints.listEquipment, { query: {} })).items
      .map(({ name, enabled }) => `${name} ${enabled}`)
      .sort()
  const fleet = [member('etcher-001', 1), member('etcher-002', 2)]
  const ids = await connectFleet(client, fleet)
  expect([...(await connectFleet(client, fleet))].sort()).toEqual([...ids].sort())
  expect(await listed()).toEqual(['etcher-001 true', 'etcher-002 true'])
  const moved = connectFleet(client, [member('etcher-003', 3), member('etcher-002', 4)])
  await expect(moved).rejects.toMatchObject({
    kind: 'state',
    message: 'etcher-002 is registered already, at 127.0.0.1:2 (passive)',
  })
  const respoken = connectFleet(client, [{ ...member('etcher-002', 2), transport: 'secs1-tcp' }])
  await expect(respoken).rejects.toMatchObject({ kind: 'state' })
  await disconnectFleet(client, ids)
  expect(await listed()).toEqual(['etcher-001 false', 'etcher-002 false'])

  const over = AbortSignal.abort()
  expect(await connectFleet(client, [member('etcher-004', 4)], over)).toEqual([])
})
