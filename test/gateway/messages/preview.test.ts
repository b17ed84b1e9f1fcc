import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Preview } from '../../../src/contract/topics/preview.js'
import { previewOf } from '../../../src/gateway/messages/preview.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import { jsonParts } from '../../../src/kit/text/json-parts.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { B } from '../../../src/secs2/item.js'
import { parseSml } from '../../../src/secs2/sml/parse.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'

const PREVIEWS: readonly Preview[] = [
  { message: { stream: 1, function: 1 } },
  { message: { stream: 1, function: 3, data: { SVID: ['1001', '7'] } } },
  { message: { stream: 9, function: 99, wait_for_reply: false, data: { 'X:F4': '1.5', Y: 'text' } } },
  { message: { stream: 2, function: 15, body: { L: [{ L: [{ U2: [4] }, { A: 'on' }] }] } } },
  { message: { sml: 'S10F3 W <L <B 0> <A "Lot L1 is on hold">>.' } },
  { command: { command: 'START', parameters: { LOTID: 'L1', SLOTS: 25 } } },
  { command: { command: 'START', object: 'CJ1', parameters: { PARTS: { A: [1, 2] } } } },
  { command: { command: 'STOP', style: 'remote', wait_for_reply: false } },
  { recipe: { ppid: 'R/7', body: 'AAEC', item_format: 'U1' } },
  { recipe: { ppid: 'R7', body: 'U1RFUA==' } },
  { recipe: { ppid: 'R7', formatted: { commands: [{ ccode: 'HEAT', parameters: [{ U4: [900] }] }] } } },
]

test.each(PREVIEWS)('the bytes and the W-bit of %j are those that the equipment gets', async (preview) => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted({ item_formats: { SVID: 'U2' } })
  const { equipment: known, naming } = live.gateway
  const shown = await previewOf(preview, known.readingOf(id), naming.of(id).model)
  const seen = equipment.received.length
  const { messages, commands } = live.gateway
  const { message, command, recipe } = preview
  if (message) await messages.send(id, { ...message, wait_for_reply: false })
  if (command) await commands.send(id, { ...command, wait_for_reply: false })
  if (recipe) {
    const { ppid, ...body } = recipe
    equipment.reply = (primary) => ({ function: primary.function + 1, item: B(0) })
    await callsOf(live.gateway).storeRecipe({ id, ppid }, { body })
  }
  const inquiries = recipe?.body === undefined ? 0 : 1
  await expect.poll(() => equipment.received.length).toBe(seen + inquiries + 1)
  const got = equipment.received[seen + inquiries] as DataMessage
  expect(got).toMatchObject({ stream: shown.stream, function: shown.function })
  expect(Buffer.from(got.body).toString('hex')).toBe(shown.hex)
  const [read] = parseSml(shown.sml)
  expect([Buffer.from(encodeBody(read?.item)).toString('hex'), read?.wait]).toEqual([shown.hex, shown.w_bit])
})

test('a long message is shown in parts', async () => {
  const bytes = Buffer.alloc(300_000, 7)
  const recipe = { ppid: 'R7', body: bytes.toString('base64') }
  const shown = await previewOf({ recipe }, plainReading(STANDARD_CATALOGUE), null)
  const parts = [...jsonParts(shown)]
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(100_000)
  expect(JSON.parse(parts.join(''))).toEqual({ ...shown })
  expect(shown.hex).toContain(bytes.toString('hex'))
})

test.each<[Preview, string]>([
  [{ message: { stream: 1, function: 3, data: { NOSUCH: 1 } } }, '/message/data/NOSUCH'],
  [{ message: { stream: 1, function: 2 } }, '/message/function'],
  [{ message: { sml: 'S1F3 <' } }, '/message/sml'],
  [{ command: { command: 'START', parameters: { 'LOT/ID': { L: [1] } } } }, '/command/parameters/LOT~1ID'],
  [{ command: { command: 'STOP', style: 'remote', parameters: { A: 1 } } }, '/command/parameters'],
  [{ recipe: { ppid: 'R7', body: 'AA' } }, '/recipe/body'],
  [{ recipe: { ppid: 'R7' } }, '/recipe/body'],
  [{}, ''],
  [{ message: { stream: 1, function: 1 }, command: { command: 'STOP' } }, ''],
])('what is wrong with %j has its place in the request', async (preview, pointer) => {
  const problem = await previewOf(preview, plainReading(STANDARD_CATALOGUE), null).catch(
    (error: unknown) => error,
  )
  expect(problem).toMatchObject({ extra: { errors: [{ pointer }] } })
})
