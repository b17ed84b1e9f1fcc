import { expect, onTestFinished, test } from 'vitest'
import { failuresOf, hostileCalls } from '../daemon/hostile-calls.js'
import { NodeProcess } from './node-process.js'
import { PostgresServer } from './postgres-server.js'

test('no value in a path or a query is a fault of the gateway on PostgreSQL, and none fails the calls beside it', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const { client } = await NodeProcess.start('gateway-1', server.flags(await server.database()))
  const { body } = await client.post('/equipment', { name: 'etcher', ip_address: '127.0.0.1', port: 1 })
  expect(await failuresOf(client.url, client.token ?? '', hostileCalls(body.id))).toEqual([])
}, 240_000)
