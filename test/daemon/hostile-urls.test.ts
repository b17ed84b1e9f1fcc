import { expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'
import { failuresOf, hostileCalls } from './hostile-calls.js'

const folderOf = scratchFolders()

test('no value in a path or a query is a fault of the gateway, in any endpoint', async () => {
  const { client } = await daemonHere(folderOf())
  const body = { name: 'etcher', ip_address: '127.0.0.1', port: 1 }
  const { id } = await client.call(endpoints.createEquipment, { body })
  const { url, token = '' } = client.options
  const calls = hostileCalls(id)
  expect(calls.length).toBeGreaterThan(1000)
  expect(await failuresOf(url, token, calls)).toEqual([])
}, 120_000)
