import { expect, test } from 'vitest'
import { Gateway } from '../../src/client/package/connect.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

test.each([
  ['equipment_unowned', 2],
  ['gateway_busy', 2],
  ['store_unavailable', 1],
])('a call that is refused with %s is made %i times', async (code, times) => {
  let asked = 0
  const clock = new ManualClock()
  const refusal = JSON.stringify({ status: 503, code, detail: 'Nothing was done.' })
  const send = async (): Promise<Response> => {
    asked += 1
    return asked < times || times === 1
      ? new Response(refusal, { status: 503, headers: { 'retry-after': '5' } })
      : new Response('{"id":"eq_2"}', { status: 201 })
  }
  const gateway = new Gateway({ url: 'http://gateway', fetch: send as typeof fetch }, clock)
  const outcome = gateway.call('createEquipment', { body: { name: 'etcher' } }).catch((error) => error.code)
  if (times > 1) {
    await until(() => clock.scheduled === 1)
    expect(asked).toBe(1)
    clock.advance(5000)
  }
  expect(await outcome).toEqual(times === 1 ? code : { id: 'eq_2' })
  expect(asked).toBe(times)
})
