import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'
import { failuresOf, hostileCalls } from './hostile-calls.js'
import { NodeProcess } from './node-process.js'
import { PostgresServer } from './postgres-server.js'

const folderOf = scratchFolders()
const ETCHER = { name: 'etcher', ip_address: '127.0.0.1', port: 1 }

test('no value in a path or a query is a fault of the gateway, in any endpoint', async () => {
  const { client } = await daemonHere(folderOf())
  const { id } = await client.call(endpoints.createEquipment, { body: ETCHER })
  const { url, token = '' } = client.options
  const calls = hostileCalls(id)
  expect(calls.length).toBeGreaterThan(1000)
  expect(await failuresOf(url, token, calls)).toEqual([])
})

test('none is on PostgreSQL, and none fails the calls beside it', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const { client } = await NodeProcess.start('gateway-1', server.flags(await server.database()))
  const { body } = await client.post('/equipment', ETCHER)
  expect(await failuresOf(client.url, client.token ?? '', hostileCalls(body.id))).toEqual([])
})
