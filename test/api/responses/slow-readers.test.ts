import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { JsonResponses } from '../../../src/api/responses/json-responses.js'
import { writtenInParts } from '../../../src/kit/text/json-parts.js'
import { ManualClock } from '../../support/manual-clock.js'

const KiB = 1024
const CHUNK = 32 * KiB

/** A response of 64 MiB that has a place, others that wait for one, and how much the client reads. */
async function scene(isAwaited = true) {
  const clock = new ManualClock()
  const json = new JsonResponses(clock)
  const raw = Object.assign(new EventEmitter(), {
    closed: false,
    destroyed: false,
    destroy() {
      raw.destroyed = true
    },
  })
  let stream: AsyncIterator<Buffer> | undefined
  const reply = {
    raw,
    request: { method: 'GET', caller: { id: 'ann' } },
    send(content: Readable) {
      stream = content[Symbol.asyncIterator]()
    },
  } as unknown as FastifyReply
  const part = 'x'.repeat(CHUNK)
  const body = writtenInParts(
    {},
    function* () {
      for (let at = 0; at < 2048; at++) yield part
    },
    64 * KiB * KiB,
  )
  expect(json.admits(body, reply)).toBe(true)
  if (isAwaited) {
    while (json.places.takeNow(1));
    void json.places.take('bob', 1)
  }
  json.send(body, reply)
  const read = async (bytes: number): Promise<void> => {
    for (let at = 0; at < bytes; at += CHUNK) await stream?.next()
  }
  await read(CHUNK)
  return { clock, raw, read }
}

test.each([
  [64 * KiB, 1000, true],
  [128 * KiB, 1000, false],
  [0, 10_000, true],
  [1024 * KiB, 9000, false],
])('one who reads %i bytes in each %i ms while others wait: disconnected is %s', async (bytes, ms, isOut) => {
  const { clock, raw, read } = await scene()
  for (let at = 0; at < 60_000 && !raw.destroyed; at += ms) {
    clock.advance(ms)
    await read(bytes)
  }
  expect(raw.destroyed).toBe(isOut)
})

test.each([
  ['nobody waits', false, 59_999, false],
  ['nobody waits', false, 60_000, true],
])(
  'one who reads nothing while %s is disconnected after a minute: %s, %i ms, %s',
  async (_, isAwaited, ms, isOut) => {
    const { clock, raw } = await scene(isAwaited)
    clock.advance(ms)
    expect(raw.destroyed).toBe(isOut)
  },
)

test('time in which the process stood still is not counted', async () => {
  const { clock, raw } = await scene()
  clock.standStill(100_000)
  clock.advance(9_999)
  expect(raw.destroyed).toBe(false)
  clock.advance(1)
  expect(raw.destroyed).toBe(true)
})
