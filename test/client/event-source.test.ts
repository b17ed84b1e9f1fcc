import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerSentEvent } from '../../src/client/event-source.js'

async function* chunks(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

async function read(text: string, cuts: readonly number[] = []): Promise<ServerSentEvent[]> {
  const bytes = Buffer.from(text)
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const parts = [0, ...ends].map((start, at) => bytes.subarray(start, ends[at] ?? bytes.length))
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(chunks(parts))) events.push(event)
  return events
}

test.each([
  ['a whole event', 'id: 1\nevent: state\ndata: {}\n\n', [{ id: '1', event: 'state', data: '{}' }]],
  ['an id alone says where the stream stands', 'id: 1\n\n', [{ id: '1', event: 'message', data: undefined }]],
  ['a comment is nothing', ': \n\n: hello\n\n', []],
  [
    'several lines of data are one text',
    'data: a\ndata: b\n\n',
    [{ id: undefined, event: 'message', data: 'a\nb' }],
  ],
  ['lines may end as they do elsewhere', 'data: a\r\n\r\n', [{ id: undefined, event: 'message', data: 'a' }]],
  [
    'one space after the colon, or none, is no part of it',
    'data:a\ndata:  b\n\n',
    [{ id: undefined, event: 'message', data: 'a\n b' }],
  ],
  [
    'a field that nobody knows is passed over',
    'retry: 5\nfoo\ndata: a\n\n',
    [{ id: undefined, event: 'message', data: 'a' }],
  ],
  [
    'an event that is cut off is none',
    'data: a\n\ndata: b\n',
    [{ id: undefined, event: 'message', data: 'a' }],
  ],
])('%s', async (_, text, events) => {
  expect(await read(text)).toEqual(events)
})

test('however the network cuts the stream, the events are the same', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((given) => given.replace(/[\r\n]/g, ' '))
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat()),
      async (texts, cuts) => {
        const stream = texts.map((data, at) => `id: ${at}\nevent: state\ndata: ${data}\n\n`).join('')
        const events = await read(stream, cuts)
        expect(events).toEqual(texts.map((data, at) => ({ id: String(at), event: 'state', data })))
      },
    ),
    { numRuns: 200 },
  )
})
