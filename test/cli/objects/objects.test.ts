import { expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const path = `/equipment/${etcher.id}/objects`
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`GET ${path}`]: () => ({ body: REPLIES.getObjects }),
  [`GET ${path}/types`]: () => ({ body: REPLIES.listObjectTypes }),
  [`PUT ${path}`]: () => ({ body: { ...REPLIES.setObjects, accepted: false } }),
  [`POST ${path}`]: () => ({ body: REPLIES.createObject }),
  [`DELETE ${path}`]: () => ({ body: REPLIES.deleteObject }),
})
served(gateway)

const run = (...args: string[]) => runCommand(['objects', ...args], { gateway })
const last = () => gateway.calls.at(-1)

test('Types and objects are shown', async () => {
  expect((await run('types', etcher.name)).stdout).toBe('Substrate\tObjID SubstState\n')
  const given = ['--object', 'W1', '--object', 'W2', '--attribute', 'SubstState', '--specifier', 'Equipment']
  expect((await run('get', etcher.name, 'Substrate', ...given)).stdout).toContain('SubstState')
  expect(last()?.query.getAll('object')).toEqual(['W1', 'W2'])
  expect(last()?.query.get('type')).toBe('Substrate')
  expect(last()?.query.get('specifier')).toBe('Equipment')
  const filters = ['SubstState>=1', 'CarrierInputSpec~A,B']
  await run('get', etcher.name, 'Substrate', ...filters.flatMap((filter) => ['--filter', filter]))
  expect(last()?.query.getAll('filter')).toEqual(filters)
})

test('Attributes follow the object as KEY=VALUE, and a refusal is exit code 8', async () => {
  const set = await run('set', etcher.name, 'Substrate', 'W1', 'LotID=L1', 'Count:=3')
  expect(set.exitCode).toBe(8)
  expect(last()?.body).toEqual({ type: 'Substrate', objects: ['W1'], attributes: { LotID: 'L1', Count: 3 } })
  await run('create', etcher.name, 'Substrate', 'ObjID=W1', '--specifier', 'Equipment')
  expect(last()?.body).toEqual({ type: 'Substrate', attributes: { ObjID: 'W1' }, specifier: 'Equipment' })
})

test('An object is deleted once that is confirmed', async () => {
  expect(await run('delete', etcher.name, 'ControlJob:CJ-1')).toMatchObject({ exitCode: 2 })
  expect(last()?.method).not.toBe('DELETE')
  expect(await run('delete', etcher.name, 'ControlJob:CJ-1', '--yes')).toMatchObject({ exitCode: 0 })
  expect(last()?.query.get('specifier')).toBe('ControlJob:CJ-1')
})
