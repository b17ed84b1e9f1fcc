import { expect, test } from 'vitest'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'

const AT = { name: 'etcher', ip_address: '127.0.0.1', port: 5000 }

test.each<[given: object, pointer: string | undefined]>([
  [{ ...AT, tap: { listen_port: 5000, host_address: '10.0.0.9' } }, '/tap/listen_port'],
  [{ ...AT, tap: { listen_port: 6000, host_address: '10.0.0.9' } }, undefined],
  [{ ...AT, ip_address: '192.0.2.7', tap: { listen_port: 5000, host_address: '10.0.0.9' } }, undefined],
  [{ ...AT, mode: 'active', tap: { host_address: '127.0.0.1', host_port: 5000 } }, '/tap/host_port'],
  [{ ...AT, mode: 'active', tap: { host_address: '127.0.0.1', host_port: 5001 } }, undefined],
])('A tap by %j that would dial itself is refused at %s', async (body, pointer) => {
  const live = await LiveGateway.open()
  const call = callsOf(live.gateway)
  const added = call.createEquipment({}, { body: body as never })
  if (pointer === undefined) return expect((await added).tap).not.toBeNull()
  await expect(added).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer, detail: expect.stringContaining('dial itself') }] },
  })
})

test('A change that makes a tap dial itself is refused, and other equipment stays changeable', async () => {
  const live = await LiveGateway.open()
  const call = callsOf(live.gateway)
  const tap = { listen_port: 6000, host_address: '10.0.0.9' }
  const { id } = await call.createEquipment({}, { body: { ...AT, tap } })
  await expect(call.updateEquipment({ id }, { body: { port: 6000 } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await expect(call.updateEquipment({ id }, { body: { tap: { listen_port: 5000 } } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(await call.updateEquipment({ id }, { body: { port: 5001 } })).toMatchObject({ port: 5001 })
})
