import { afterEach, expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Reading } from '../../../src/gateway/records/reading.js'
import type { Passed } from '../../../src/gateway/wire/wire-reader.js'
import { viewInTurns, viewPassed } from '../../../src/gateway/wire/wire-view.js'
import type { Header } from '../../../src/hsms/frame/header.js'
import { nextTurn } from '../../../src/kit/turns.js'
import { encodeBlock } from '../../../src/secs1/block.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, U4 } from '../../../src/secs2/item.js'
import { ItemReader } from '../../../src/secs2/item-reader.js'
import { controlPassing, dataPassing } from './wire-records.js'

const READING = { catalogue: STANDARD_CATALOGUE } as Reading
const AT = '1970-01-01T00:00:05.000Z'
const ENDS = { local: '10.0.0.1:40000', remote: '10.0.0.5:5000' }

/** A record at five seconds, as the API shows it. */
const shown = (record: object) => viewPassed({ ...record, at: 5_000_000 } as Passed, READING)

afterEach(() => void vi.restoreAllMocks())

test('of a long body the head is shown, its other items are not made, and it is checked in many turns', async () => {
  const body = encodeBody({ format: 'L', items: Array.from({ length: 500_000 }, (_, at) => U4(at)) })
  const record = dataPassing('in', { body })
  const making = [vi.spyOn(ItemReader.prototype, 'inParts'), vi.spyOn(ItemReader.prototype, 'items')]
  const head = vi.spyOn(ItemReader.prototype, 'outermost')
  let isOver = false
  const shown = Promise.all([1, 2, 3].map((at) => viewInTurns({ ...record, at }, READING))).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns += 1) await nextTurn()
  expect(turns).toBeGreaterThan(10)
  for (const made of making) expect(made).not.toHaveBeenCalled()
  expect(head.mock.calls.length).toBeLessThan(3 * 10_000)
  for (const one of await shown)
    expect(one).toMatchObject({
      length: body.length + 10,
      cut: true,
      sml: expect.stringContaining('<L [500000]'),
    })
})

test('of a value of 16 MiB no more bytes are read than are shown', async () => {
  const body = encodeBody({ format: 'B', value: new Uint8Array(0xff_ff_00).fill(7) })
  const copying = vi.spyOn(Uint8Array.prototype, 'set')
  const shown = await viewInTurns({ ...dataPassing('in', { body }), at: 1 }, READING)
  expect(shown).toMatchObject({
    length: body.length + 10,
    cut: true,
    sml: expect.stringMatching(/<B 0x07 0x07/),
  })
  expect(copying).toHaveBeenCalled()
  for (const [copied] of copying.mock.calls) expect(copied.length).toBeLessThan(100_000)
})

test('a long body that is no SECS-II says so, also where the fault is at its end', async () => {
  const long = encodeBody({ format: 'L', items: Array.from({ length: 200_000 }, (_, at) => U4(at)) })
  for (const body of [
    new Uint8Array(100_000).fill(0xff),
    long.subarray(0, -1),
    new Uint8Array([...long, 0]),
  ]) {
    const shown = await viewInTurns({ ...dataPassing('in', { body }), at: 1 }, READING)
    expect(shown).toMatchObject({ sml: null, detail: expect.any(String) })
  }
})

test('a short body is shown the same', async () => {
  const short = { ...dataPassing('in', { body: encodeBody(A('x')) }), at: 1 }
  expect(await viewInTurns(short, READING)).toEqual(viewPassed(short, READING))
})

const BLOCK = encodeBlock({
  header: {
    ...{ toHost: true, deviceId: 3, stream: 6, function: 11, wait: true },
    ...{ isLast: false, number: 2, systemBytes: 77 },
  },
  data: Uint8Array.of(1),
})

test.each([
  [
    { kind: 'state', lost: 3, endpoints: ENDS },
    { kind: 'gap', lost: 3 },
  ],
  [
    { kind: 'state', lost: 0, endpoints: ENDS },
    { kind: 'watching', ...ENDS },
  ],
  [
    { kind: 'state', lost: 0 },
    { kind: 'watching', local: null, remote: null },
  ],
  [
    { kind: 'opened', ...ENDS },
    { kind: 'opened', ...ENDS },
  ],
  [
    { kind: 'closed', detail: 'separated' },
    { kind: 'closed', detail: 'separated' },
  ],
  [
    { kind: 'unreadable', bytes: Uint8Array.of(1, 0xab), detail: 'no frame' },
    { kind: 'unreadable', direction: 'in', detail: 'no frame', length: 2, hex: '01ab', cut: false },
  ],
  [
    { kind: 'line', direction: 'in', bytes: Uint8Array.of(5) },
    { kind: 'line', direction: 'in', name: 'ENQ', block: null, length: 1, hex: '05' },
  ],
  [
    { kind: 'line', direction: 'out', bytes: Uint8Array.of(9) },
    { kind: 'line', direction: 'out', name: 'bytes', block: null, length: 1, hex: '09' },
  ],
  [
    { kind: 'line', direction: 'in', bytes: Uint8Array.of(5, 6) },
    { kind: 'line', direction: 'in', name: 'bytes', block: null, length: 2, hex: '0506' },
  ],
  [
    { kind: 'line', direction: 'in', bytes: BLOCK },
    {
      ...{
        kind: 'line',
        direction: 'in',
        name: 'block',
        length: 14,
        hex: Buffer.from(BLOCK).toString('hex'),
      },
      block: {
        ...{ r_bit: true, device_id: 3, stream: 6, function: 11, w_bit: true },
        ...{ e_bit: false, number: 2, system_bytes: 77 },
      },
    },
  ],
])('%j is shown as %j', (record, expected) => {
  expect(shown(record)).toEqual({ at: AT, ...expected })
})

test.each([
  [16 * 1024, false],
  [16 * 1024 + 1, true],
])('of %i bytes that are no frame the first 16 KiB are shown, and whether there are more', (length, cut) => {
  const view = shown({ kind: 'unreadable', bytes: new Uint8Array(length), detail: '' })
  expect(view).toMatchObject({ length, cut, hex: '00'.repeat(16 * 1024) })
})

test('a data message is shown with its header, its name, its items and its bytes', () => {
  expect(shown(dataPassing('in', { body: encodeBody(A('x.')) }))).toEqual({
    ...{ at: AT, kind: 'frame', direction: 'in', name: 'S1F13 Establish Communications Request' },
    header: {
      ...{ session_id: 0, stream: 1, function: 13, w_bit: true, byte_2: 0x81, byte_3: 13 },
      ...{ p_type: 0, s_type: 0, s_type_name: 'data', system_bytes: 42 },
    },
    ...{ detail: null, length: 14, sml: 'S1F13 W\n<A "x.">.', cut: false },
    hex: '0000000e0000810d00000000002a4102782e',
  })
})

const CONTROL = {
  ...{ session_id: 0xffff, stream: null, function: null, w_bit: null, byte_2: 0, byte_3: 1 },
  ...{ p_type: 0, system_bytes: 1 },
}

test.each<[name: string, Partial<Header>, object]>([
  ['Select.rsp', {}, { s_type: 2, s_type_name: 'Select.rsp' }],
  ['SType 11', { sType: 11 }, { s_type: 11, s_type_name: null }],
  ['PType 9', { pType: 9 }, { p_type: 9, s_type: 2, s_type_name: null }],
  ['PType 9', { pType: 9, sType: 0 }, { p_type: 9, s_type: 0, s_type_name: null }],
])('a message of the kind %s is shown without items: %j', (name, changed, header) => {
  const { frame, ...record } = controlPassing('out', 'selectRsp', 1)
  const view = shown({ ...record, frame: { ...frame, header: { ...frame.header, ...changed } } })
  const detail = name === 'Select.rsp' ? 'status 1: already active' : null
  expect(view).toMatchObject({ name, detail, sml: null, cut: false, length: 10 })
  expect(view).toMatchObject({ header: { ...CONTROL, ...header } })
})

test('a control message with bytes after its header is shown without items, and they are no fault', () => {
  const { frame, ...record } = controlPassing('in', 'linktestReq')
  const view = shown({ ...record, frame: { ...frame, body: Uint8Array.of(0xff) } })
  expect(view).toMatchObject({ name: 'Linktest.req', detail: null, sml: null, cut: false, length: 11 })
})

test('a data message without a body is shown as such', () => {
  const view = shown(dataPassing('out', { stream: 1, function: 1, body: new Uint8Array() }))
  expect(view).toMatchObject({ sml: 'S1F1 W.', detail: null, cut: false, length: 10 })
})

test('a body that is no SECS-II is shown as bytes alone', () => {
  const view = shown(dataPassing('in', { body: Uint8Array.of(0x41, 9) }))
  expect(view).toMatchObject({ sml: null, cut: false, detail: expect.stringMatching(/./), length: 12 })
})

test.each([
  [16 * 1024, false],
  [16 * 1024 + 1, true],
])('a message of %i bytes with its length field is cut: %s', (bytes, cut) => {
  const view = shown(dataPassing('in', { body: encodeBody(A('x'.repeat(bytes - 14 - 3))) }))
  if (view.kind !== 'frame') throw new Error('not what was given')
  expect([view.length, view.cut, view.sml?.slice(-3), view.hex.length]).toEqual([
    ...[bytes - 4, cut, '">.', 2 * 16 * 1024],
  ])
})
