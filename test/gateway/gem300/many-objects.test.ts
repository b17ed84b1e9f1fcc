import { expect, test } from 'vitest'
import { shownInTurns } from '../../../src/gateway/gem300/objects-in-turns.js'
import { readBody, readBodyInSteps } from '../../../src/gem300/messages/bodies.js'
import { jsonParts } from '../../../src/kit/text/json-parts.js'
import { A, type Item, L, U1 } from '../../../src/secs2/item.js'
import { DEFAULT_VIEW } from '../../gem300/default-view.js'
import { answering } from '../services/answering.js'

const carriers = (count: number) =>
  Array.from({ length: count }, (_, at) => L(A(`FOUP${at}`), L(L(A('SlotMap'), L(U1(3), U1(1))))))
const told = (...objects: ReturnType<typeof L>[]) => L(L(...objects), L(U1(0), L()))

test.each([
  ['items', L(...Array.from({ length: 256 }, () => U1(3)))],
  ['values of one item', U1(...Array.from({ length: 256 }, () => 3))],
  ['letters', A('1'.repeat(256))],
])('A slot map of more %s than a carrier has slots is among the attributes alone', async (_, map) => {
  const { call, id } = await answering({ S14F1: told(L(A('F'), L(L(A('SlotMap'), map)))) })
  expect(await call.getCarrier({ id, carrier: 'F' })).toMatchObject({
    slots: [],
    attributes: [{ name: 'SlotMap' }],
  })
})

test('Thousands of objects are read in steps, with the same result', () => {
  const reply = told(...carriers(2000))
  const steps = readBodyInSteps('S14F2', reply, DEFAULT_VIEW)
  let turns = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) turns++
  expect(turns).toBeGreaterThan(5)
  expect(step.value).toEqual(readBody('S14F2', reply, DEFAULT_VIEW))
})

test('Thousands of objects are shown in many turns of the event loop, and each is written by itself', async () => {
  let others = 0
  let isWorking = true
  const other = (): void => {
    others++
    if (isWorking) setImmediate(other)
  }
  setImmediate(other)
  const objects = Array.from({ length: 2000 }, (_, id) => ({
    id,
    attributes: [{ ATTRID: 'SlotMap', ATTRDATA: L(...Array.from({ length: 9 }, () => U1(3))) }],
  }))
  const shown = await shownInTurns(objects, ({ id }) => ({ id }))
  isWorking = false
  expect(others).toBeGreaterThan(5)
  expect(shown).toEqual(objects.map(({ id }) => ({ id })))
  const parts = [...jsonParts({ items: shown })]
  expect(parts.length).toBeGreaterThan(2000)
  expect(JSON.parse(parts.join(''))).toEqual({ items: shown })
})

test('A reply of more values than are read at once is refused, and says what to do', async () => {
  const values: Item = { format: 'B', value: new Uint8Array(200_001) }
  const { call, id } = await answering({ S14F1: told(L(A('F'), L(L(A('Log'), values)))) })
  for (const list of [
    () => call.listCarriers({ id }),
    () => call.getObjects({ id }, { query: { type: 'Log' } }),
  ])
    await expect(list()).rejects.toMatchObject({
      code: 'equipment_error',
      message: expect.stringMatching(/200,000.*by their IDs/),
      extra: { message_id: expect.any(String), reply_id: expect.any(String) },
    })
})
