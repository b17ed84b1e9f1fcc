import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrame, type Frame, FrameError, FrameReader } from '../../../src/hsms/frame/frame.js'
import { dataHeader, dataMessage } from '../../../src/hsms/frame/header.js'
import vectors from '../../vectors/frames.json' with { type: 'json' }

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/** The frames that these bytes complete, and the fault behind them, if there is one. */
function readAll(reader: FrameReader, bytes: Uint8Array): { frames: Frame[]; fault?: string } {
  const frames: Frame[] = []
  try {
    for (const frame of reader.read(bytes)) frames.push(frame)
  } catch (error) {
    if (!(error instanceof FrameError)) throw error
    return { frames, fault: error.fault.code }
  }
  return { frames }
}

const anyFrame: fc.Arbitrary<Frame> = fc.record({
  header: fc.record({
    sessionId: fc.nat(0xffff),
    byte2: fc.nat(0xff),
    byte3: fc.nat(0xff),
    pType: fc.nat(0xff),
    sType: fc.nat(0xff),
    systemBytes: fc.nat(0xffffffff),
  }),
  body: fc.uint8Array({ maxLength: 600 }),
})

describe.each(vectors)('$why', ({ hex, header, body }) => {
  const frame = { header, body: bytesOf(body) }

  test('is read', () => {
    expect([...new FrameReader(1000).read(bytesOf(hex))]).toEqual([frame])
  })

  test('is written', () => {
    expect(new Uint8Array(encodeFrame(frame))).toEqual(bytesOf(hex))
  })
})

const messages = vectors.flatMap(({ why, header, body, message }) =>
  message ? [{ why, header, message: { ...message, body: bytesOf(body) } }] : [],
)

test.each(messages)('$why, as a data message', ({ header, message }) => {
  expect(dataMessage(header, message.body)).toEqual(message)
  expect(dataHeader(message)).toEqual(header)
})

test('any chunking of any frames gives the same frames', () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 400 })),
      (frames, sizes) => {
        const stream = Buffer.concat(frames.map(encodeFrame))
        const reader = new FrameReader(1 << 16)
        const got: Frame[] = []
        let at = 0
        for (const size of [...sizes, stream.length]) {
          got.push(...reader.read(stream.subarray(at, at + size)))
          at += size
        }
        expect(got).toEqual(frames)
        expect(reader.midFrame).toBe(false)
      },
    ),
  )
})

test('any bytes give the frames that they begin with, and then our error or less than a frame', () => {
  const most = 30
  const rubbish = fc.uint8Array({ maxLength: 40 })
  const fitting = anyFrame.map(({ header, body }) => ({ header, body: body.subarray(0, most - 10) }))
  const piece = fc.oneof(
    { weight: 6, arbitrary: fitting.map(encodeFrame) },
    anyFrame.map(encodeFrame),
    rubbish,
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), fc.integer({ min: 1, max: 60 }), (pieces, size) => {
      const stream = Buffer.concat(pieces)
      const reader = new FrameReader(most)
      const got: Frame[] = []
      let fault: string | undefined
      for (let at = 0; at < stream.length && fault === undefined; at += size) {
        const read = readAll(reader, stream.subarray(at, at + size))
        got.push(...read.frames)
        fault = read.fault
      }
      const framed = Buffer.concat(got.map(encodeFrame))
      expect(Buffer.compare(framed, stream.subarray(0, framed.length))).toBe(0)
      if (fault !== undefined) expect(['bad_frame', 'not_hsms']).toContain(fault)
      else expect(stream.length - framed.length).toBeLessThan(4 + most)
    }),
  )
})

test('midFrame is true from the first length byte to the last of the body', () => {
  const bytes = bytesOf('0000000c 0001 81 0d 00 00 00000003 0100')
  const reader = new FrameReader(1000)
  const seen = [...bytes].map((byte) => {
    const frames = [...reader.read(Uint8Array.of(byte))]
    return [frames.length, reader.midFrame]
  })
  expect(seen).toEqual([...Array.from({ length: 15 }, () => [0, true]), [1, false]])
})

test('a frame in front of a length that cannot be mended is given first', () => {
  const bytes = Buffer.concat([bytesOf('0000000a ffff 00 00 00 05 00000001'), bytesOf('00000009')])
  expect(readAll(new FrameReader(1000), bytes)).toMatchObject({
    fault: 'bad_frame',
    frames: [{ header: { sType: 5 } }],
  })
})

test('a frame keeps its bytes when the chunk they came in is used again', () => {
  const chunk = Buffer.from(bytesOf('0000000c 0001 81 0d 00 00 00000003 0100'))
  const [frame] = new FrameReader(1000).read(chunk)
  chunk.fill(0xee)
  expect(frame?.body).toEqual(Uint8Array.of(1, 0))
})

test('an announced length makes nobody allocate it', () => {
  const readers = Array.from({ length: 200 }, () => new FrameReader(16 << 20))
  const before = process.memoryUsage().arrayBuffers
  for (const reader of readers) [...reader.read(bytesOf('01000000 0001'))] // 16 MiB each, 3.2 GB in all
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20)
  expect(readers.every(({ midFrame }) => midFrame)).toBe(true)
})

// Joining anew at every piece would copy 500 GB, for which no test has the time.
test('a frame of 4 MiB in pieces of 16 bytes is read in linear time', () => {
  const body = new Uint8Array(4 << 20).map((_, at) => at % 253)
  const header = { sessionId: 1, byte2: 6, byte3: 11, pType: 0, sType: 0, systemBytes: 1 }
  const bytes = encodeFrame({ header, body })
  const reader = new FrameReader(16 << 20)
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; at += 16) frames.push(...reader.read(bytes.subarray(at, at + 16)))
  expect(frames).toHaveLength(1)
  expect(Buffer.compare(frames[0]?.body ?? new Uint8Array(), body)).toBe(0)
})
