import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrame, type Frame, FrameReader } from '../../src/hsms/frame/frame.js'
import { type Header, readHeader, STYPE } from '../../src/hsms/frame/header.js'
import type { Side } from '../../src/tap/side.js'
import { TappedLine } from '../../src/tap/tapped-line.js'

/** A line, and what came out of it. */
function tapped() {
  const written: Record<Side, Uint8Array[]> = { host: [], equipment: [] }
  const passed: Frame[] = []
  const parts: Partial<Record<Side, Uint8Array[]>> = {}
  const replies: { systemBytes: number; reply: Frame }[] = []
  const unreadable: Side[] = []
  const controls: Header[] = []
  const data: string[] = []
  const mapped: (number | undefined)[] = []
  const sent: { systemBytes: number; wanted: number }[] = []
  const told = (bytes: Uint8Array): void => void passed.push(...new FrameReader(2 ** 28).read(bytes))
  const line = new TappedLine({
    write: (to, bytes) => written[to].push(Uint8Array.from(bytes)),
    whole: (_, bytes, frames) => {
      const before = passed.length
      told(bytes)
      expect(passed.length).toBe(before + frames)
    },
    begun: (from, head, _, to) => {
      parts[from] = [head]
      mapped.push(to)
    },
    body: (from, bytes) => parts[from]?.push(Uint8Array.from(bytes)),
    ended: (from) => told(Buffer.concat(parts[from] ?? [])),
    control: (_, header) => controls.push(header),
    data: (from, bytes, at) => data.push(`${from} ${readHeader(bytes, at).systemBytes}`),
    unreadable: (from) => unreadable.push(from),
    sent: ({ header: { systemBytes } }, wanted) => sent.push({ systemBytes, wanted }),
    replied: (systemBytes, reply) => replies.push({ systemBytes, reply }),
  })
  const bytesTo = (side: Side): Buffer => Buffer.concat(written[side])
  const framesTo = (side: Side): Frame[] => [...new FrameReader(2 ** 24).read(bytesTo(side))]
  return { line, passed, controls, data, mapped, sent, replies, unreadable, bytesTo, framesTo }
}

const header = (change: Partial<Header> = {}): Header => ({
  ...{ sessionId: 1, byte2: 0x81, byte3: 1, pType: 0, sType: 0, systemBytes: 7 },
  ...change,
})
const frame = (change: Partial<Header> = {}, body: readonly number[] = []): Uint8Array =>
  encodeFrame({ header: header(change), body: Uint8Array.from(body) })
const OURS = { sessionId: 1, stream: 1, function: 1, wait: true, body: new Uint8Array() }
const reply = (systemBytes: number, body: readonly number[] = [1, 0]) =>
  frame({ byte2: 1, byte3: 2, systemBytes }, body)
/** A stream 9 message about the message that has these system bytes. */
const stream9 = (fn: number, systemBytes: number): Uint8Array =>
  frame({ byte2: 9, byte3: fn, systemBytes: 99 }, [
    ...[0x21, 10, 0, 1, 0x81, 1, 0, 0],
    ...[24, 16, 8, 0].map((shift) => (systemBytes >>> shift) & 0xff),
  ])

const anyFrame = fc
  .record({
    byte2: fc.integer({ min: 0, max: 255 }),
    byte3: fc.integer({ min: 0, max: 255 }),
    sType: fc.constantFrom(0, 0, 0, 0, 1, 2, 5, 6, 7, 9, 200),
    pType: fc.constantFrom(0, 0, 0, 3),
    systemBytes: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
    body: fc.uint8Array({ maxLength: 40 }),
  })
  .map(({ body, ...change }) => Buffer.from(encodeFrame({ header: header(change), body })))
/** Frames of a side, cut anywhere. */
const anyStream = fc
  .tuple(
    fc.array(
      fc.oneof(
        { arbitrary: anyFrame, weight: 9 },
        { arbitrary: fc.uint8Array({ maxLength: 12 }), weight: 1 },
      ),
      { maxLength: 8 },
    ),
    fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
  )
  .map(([frames, sizes]) => {
    const bytes = Buffer.concat(frames)
    const chunks: Buffer[] = []
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1
      chunks.push(bytes.subarray(at, at + size))
      at += size
    }
    return { bytes, chunks }
  })

describe('byte for byte', () => {
  test('whatever a side sends, and however it is cut, the other side gets the same bytes, each at once', () => {
    fc.assert(
      fc.property(anyStream, anyStream, (host, equipment) => {
        const { line, bytesTo } = tapped()
        let sent = 0
        for (const chunk of host.chunks) {
          line.take('host', chunk)
          sent += chunk.length
          expect(bytesTo('equipment').length).toBe(sent)
        }
        for (const chunk of equipment.chunks) line.take('equipment', chunk)
        expect(bytesTo('equipment').equals(host.bytes)).toBe(true)
        expect(bytesTo('host').equals(equipment.bytes)).toBe(true)
      }),
    )
  })

  test('the same while a primary of ours is open, but for what is about it', () => {
    fc.assert(
      fc.property(anyStream, anyStream, fc.nat(10), (host, equipment, when) => {
        const { line, bytesTo, replies } = tapped()
        let ours = 0
        for (const [at, chunk] of host.chunks.entries()) {
          if (at === when) ours = line.send(OURS)
          line.take('host', chunk)
        }
        for (const chunk of equipment.chunks) line.take('equipment', chunk)
        line.end('host')
        line.end('equipment')
        // System bytes of ours are far from the host's: by chance alone one of these frames has the same.
        if (replies.length > 0) return
        expect(bytesTo('host').equals(equipment.bytes)).toBe(true)
        const toEquipment = bytesTo('equipment')
        const own =
          ours === 0
            ? Buffer.alloc(0)
            : Buffer.from(encodeFrame({ header: header({ systemBytes: ours }), body: OURS.body }))
        const at = ours === 0 ? 0 : toEquipment.indexOf(own)
        // It waits for a border that may not come.
        const others =
          at < 0
            ? toEquipment
            : Buffer.concat([toEquipment.subarray(0, at), toEquipment.subarray(at + own.length)])
        expect(others.equals(host.bytes)).toBe(true)
      }),
    )
  })

  test('bytes that are no HSMS pass, and nothing of ours is put among them', () => {
    const { line, bytesTo, unreadable } = tapped()
    const web = Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const short = Buffer.from([0, 0, 0, 4, 1, 2, 3, 4])
    line.take('host', frame())
    line.take('host', short)
    line.send(OURS)
    line.take('host', frame())
    line.take('equipment', web)
    expect(bytesTo('equipment')).toEqual(Buffer.concat([frame(), short, frame()]))
    expect(bytesTo('host')).toEqual(web)
    expect(unreadable).toEqual(['host', 'equipment'])
  })

  test('nothing of ours leaves once the equipment cannot be read: the reply would reach the host', () => {
    const { line, sent, unreadable, bytesTo } = tapped()
    line.take('equipment', Uint8Array.of(0, 0, 0, 0))
    expect(unreadable).toEqual(['equipment'])
    line.send(OURS)
    line.take('host', frame())
    expect(sent).toEqual([])
    expect(bytesTo('equipment').equals(frame())).toBe(true)
  })

  test('a frame that a side began and never ended passes as far as it came', () => {
    const { line, bytesTo } = tapped()
    line.send(OURS)
    line.take('equipment', reply(7).subarray(0, 9))
    expect(bytesTo('host').length).toBe(0)
    line.end('equipment')
    expect(bytesTo('host')).toEqual(Buffer.from(reply(7).subarray(0, 9)))
  })
})

describe('a primary of ours', () => {
  test('waits for the end of the frame that the host has begun', () => {
    const { line, framesTo } = tapped()
    const long = frame({ systemBytes: 5 }, [1, 2, 3])
    line.take('host', long.subarray(0, 15))
    const ours = line.send(OURS)
    expect(framesTo('equipment')).toEqual([])
    line.take('host', long.subarray(15))
    expect(framesTo('equipment').map(({ header: { systemBytes } }) => systemBytes)).toEqual([5, ours])
  })

  test('leaves at the first border, also where the bytes that came go on with another frame', () => {
    const { line, bytesTo } = tapped()
    const [one, two] = [frame({ systemBytes: 5 }, [1, 2]), frame({ systemBytes: 6 }, [3])]
    line.take('host', one.subarray(0, 3))
    const ours = line.send(OURS)
    line.take('host', Buffer.concat([one.subarray(3), two.subarray(0, 10)]))
    line.take('host', two.subarray(10))
    const own = encodeFrame({ header: header({ systemBytes: ours }), body: OURS.body })
    expect(bytesTo('equipment')).toEqual(Buffer.concat([one, own, two]))
  })

  test('that is sent while frames are told leaves after the bytes that have passed already', () => {
    const written: Uint8Array[] = []
    const nothing = (): void => {}
    let isFirst = true
    const line = new TappedLine({
      ...{
        body: nothing,
        begun: nothing,
        unreadable: nothing,
        sent: nothing,
        replied: nothing,
        control: nothing,
        data: nothing,
      },
      write: (_, bytes) => written.push(Uint8Array.from(bytes)),
      ended: nothing,
      whole: () => {
        if (isFirst) line.send(OURS)
        isFirst = false
      },
    })
    const both = Buffer.concat([frame(), frame({ systemBytes: 8 }, [1])])
    line.take('host', both.subarray(0, both.length - 1))
    expect(Buffer.concat(written)).toEqual(both.subarray(0, both.length - 1))
    line.take('host', both.subarray(both.length - 1))
    expect(written).toHaveLength(3)
  })

  test.each([
    ['its reply', (ours: number) => reply(ours)],
    ['an abort', (ours: number) => frame({ byte2: 1, byte3: 0, systemBytes: ours })],
    [
      'Reject.req',
      (ours: number) => frame({ sType: STYPE.rejectReq, byte2: 0, byte3: 4, systemBytes: ours }),
    ],
    ['S9F5', (ours: number) => stream9(5, ours)],
  ] as const)('gets %s, of which the host sees nothing', (_, sent) => {
    const { line, bytesTo, replies, passed } = tapped()
    const ours = line.send(OURS)
    line.take('equipment', sent(ours))
    line.take('equipment', reply(7))
    expect(bytesTo('host')).toEqual(Buffer.from(reply(7)))
    expect(replies.map(({ systemBytes }) => systemBytes)).toEqual([ours])
    expect(passed.map((one) => encodeFrame(one))).toEqual([Buffer.from(reply(7))])
    expect(encodeFrame(replies[0]?.reply as Frame)).toEqual(Buffer.from(sent(ours)))
  })

  test('keeps its system bytes until its late reply comes, which the host never sees, or the link ends', () => {
    const { line, mapped: told, bytesTo, framesTo } = tapped()
    const ours = line.send(OURS)
    expect(line.giveUp(ours)).toBe(false)
    line.take('host', frame({ systemBytes: ours }))
    const mapped = framesTo('equipment')[1]?.header.systemBytes ?? 0
    expect(mapped).not.toBe(ours)
    line.take('host', frame({ systemBytes: 3 }))
    expect(told).toEqual([mapped, undefined])
    line.take('equipment', reply(ours))
    expect(bytesTo('host').length).toBe(0)
    line.take('equipment', reply(mapped))
    expect(bytesTo('host')).toEqual(Buffer.from(reply(ours)))
    line.clear()
    line.take('host', frame({ systemBytes: ours }))
    expect(framesTo('equipment')[3]?.header.systemBytes).toBe(ours)
  })

  test('has the system bytes that are wanted, unless they are in use, and is told once it has left', () => {
    const { line, sent, framesTo } = tapped()
    line.take('host', frame({ systemBytes: 40 }))
    line.take('host', frame({ systemBytes: 41 }).subarray(0, 6))
    line.send(OURS, 30)
    const other = line.send(OURS, 40)
    expect(sent).toEqual([])
    line.take('host', frame({ systemBytes: 41 }).subarray(6))
    expect(other).not.toBe(40)
    expect(sent).toEqual([
      { systemBytes: 30, wanted: 30 },
      { systemBytes: other, wanted: 40 },
    ])
    const onLine = framesTo('equipment').map(({ header: { systemBytes } }) => systemBytes)
    expect(onLine).toEqual([40, 41, 30, other])
  })

  test('that has not left is taken back', () => {
    const { line, bytesTo } = tapped()
    line.take('host', frame().subarray(0, 6))
    expect(line.giveUp(line.send(OURS))).toBe(true)
    line.take('host', frame().subarray(6))
    expect(bytesTo('equipment')).toEqual(Buffer.from(frame()))
  })

  test('whose reply is longer than is kept ends without a body', () => {
    const { line, bytesTo, replies } = tapped()
    const ours = line.send(OURS)
    const long = frame({ byte2: 1, byte3: 2, systemBytes: ours }, Array(1_100_000).fill(1))
    for (let at = 0; at < long.length; at += 50_000) line.take('equipment', long.subarray(at, at + 50_000))
    expect(bytesTo('host').length).toBe(0)
    expect(replies[0]?.reply.body.length).toBe(0)
  })
})

test('of each data message its header is told, also where it comes in pieces or is mapped, and not of what is swallowed', () => {
  const { line, data } = tapped()
  line.take(
    'host',
    Buffer.concat([
      frame({ systemBytes: 1 }),
      frame({ sType: STYPE.linktestReq }),
      frame({ systemBytes: 2 }),
    ]),
  )
  line.take('equipment', reply(1).subarray(0, 9))
  line.take('equipment', reply(1).subarray(9))
  const ours = line.send(OURS)
  line.take('host', frame({ systemBytes: ours }))
  line.take('equipment', reply(ours))
  expect(data).toEqual(['host 1', 'host 2', 'equipment 1', `host ${ours}`])
})

describe('system bytes of the host that are ours, too', () => {
  test('are others on the equipment’s side, and its own again in the reply, a reject and stream 9', () => {
    const { line, framesTo, bytesTo } = tapped()
    const ours = line.send(OURS)
    line.take('host', frame({ systemBytes: ours }))
    const mapped = framesTo('equipment')[1]?.header.systemBytes ?? 0
    const back = [
      reply(mapped),
      frame({ sType: STYPE.rejectReq, byte3: 4, systemBytes: mapped }),
      stream9(7, mapped),
    ]
    for (const one of back) line.take('equipment', one)
    // A secondary of the host and a control message have nothing to do with it.
    line.take('host', reply(ours))
    line.take('host', frame({ sType: STYPE.linktestReq, systemBytes: ours }))
    expect(bytesTo('host')).toEqual(
      Buffer.concat([
        reply(ours),
        frame({ sType: STYPE.rejectReq, byte3: 4, systemBytes: ours }),
        stream9(7, ours),
      ]),
    )
    expect(
      framesTo('equipment')
        .slice(2)
        .map(({ header: { systemBytes } }) => systemBytes),
    ).toEqual([ours, ours])
  })

  test('whoever sends when, both get the replies to their own primaries, and nothing else', () => {
    const step = fc.record({ who: fc.constantFrom('host', 'ours', 'reply'), pick: fc.nat(5) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { line, framesTo, replies } = tapped()
        const sentByHost: number[] = []
        const sentByUs: number[] = []
        /** Of the primaries on the equipment's side. */
        const replied = new Set<number>()
        const onLine = () => framesTo('equipment').map(({ header: { systemBytes } }) => systemBytes)
        for (const { who, pick } of steps) {
          // The host chooses the system bytes that we have, as soon as there are some.
          const fresh =
            (sentByUs.at(-1 - pick) ?? pick) + (sentByUs.length === 0 ? 100 * sentByHost.length : 0)
          if (who === 'ours') sentByUs.push(line.send(OURS))
          else if (who === 'host' && !sentByHost.includes(fresh)) {
            sentByHost.push(fresh)
            line.take('host', frame({ systemBytes: fresh }))
          } else if (who === 'reply') {
            const open = [...onLine().entries()].filter(([at]) => !replied.has(at))
            expect(new Set(open.map(([, bytes]) => bytes)).size).toBe(open.length)
            const one = open[pick]
            if (one === undefined) continue
            replied.add(one[0])
            line.take('equipment', reply(one[1]))
          }
        }
        const toHost = framesTo('host').map(({ header: { systemBytes } }) => systemBytes)
        expect(sentByHost).toEqual(expect.arrayContaining(toHost))
        expect(new Set(toHost).size).toBe(toHost.length)
        expect(toHost.length + replies.length).toBe(replied.size)
        expect(sentByUs).toEqual(expect.arrayContaining(replies.map(({ systemBytes }) => systemBytes)))
      }),
    )
  })
})
