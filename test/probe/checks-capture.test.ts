import { expect, test } from 'vitest'
import { FrameReader } from '../../src/hsms/frame/frame.js'
import { HEADER_LENGTH, STYPE } from '../../src/hsms/frame/header.js'
import { checksCapture } from '../../src/probe/hsms-checks/checks-capture.js'
import type { LinkRecord, PassedBytes } from '../../src/probe/hsms-checks/raw-link.js'

const AT = 1_700_000_000_000
const link = (port: number, times: Pick<LinkRecord, 'opened' | 'closed'>): LinkRecord => ({
  local: `127.0.0.1:${port}`,
  remote: '127.0.0.1:5000',
  closedBy: 'the equipment',
  ...times,
})

/** The packets of a capture: the time, ports and payload of each. */
function packetsOf(capture: Buffer) {
  const found: { at: number; from: number; to: number; flags: number; payload: Buffer }[] = []
  for (let at = 0; at < capture.length; at += capture.readUInt32LE(at + 4)) {
    if (capture.readUInt32LE(at) !== 6) continue
    const length = capture.readUInt32LE(at + 20)
    const tcp = capture.subarray(at + 28 + 20, at + 28 + length)
    found.push({
      at: (capture.readUInt32LE(at + 12) * 2 ** 32 + capture.readUInt32LE(at + 16)) / 1000,
      from: tcp.readUInt16BE(0),
      to: tcp.readUInt16BE(2),
      flags: tcp.readUInt8(13),
      payload: tcp.subarray(20),
    })
  }
  return found
}

test('a capture of checks has each connection with its beginning and end, and what passed on it, in order of time', () => {
  const [one, other] = [link(4001, { opened: AT, closed: AT + 50 }), link(4002, { opened: AT + 20 })]
  const header = {
    sessionId: 0xffff,
    byte2: 0,
    byte3: 0,
    pType: 0,
    sType: STYPE.selectReq,
    systemBytes: 7,
  }
  const frame = { header, body: new Uint8Array() }
  const passed: PassedBytes[] = [
    { link: one, at: AT + 10, direction: 'sent', frame },
    { link: other, at: AT + 30, direction: 'sent', bytes: Uint8Array.of(0, 0, 0, 9) },
    {
      link: one,
      at: AT + 40,
      direction: 'received',
      frame: { ...frame, header: { ...header, sType: STYPE.selectRsp } },
    },
  ]
  const parts = [...checksCapture([{ links: [one, other], passed }], 'secsctl', 'etcher')]
  const packets = packetsOf(Buffer.concat(parts))
  const carried = packets.filter(({ payload }) => payload.length > 0)
  expect(carried.map(({ at, from, to, payload }) => [at - AT, from, to, payload.length])).toEqual([
    [10, 4001, 5000, 4 + HEADER_LENGTH],
    [30, 4002, 5000, 4],
    [40, 5000, 4001, 4 + HEADER_LENGTH],
  ])
  const [read] = new FrameReader(1000).read(carried[2]?.payload ?? new Uint8Array())
  expect(read?.header).toMatchObject({ sType: STYPE.selectRsp, systemBytes: 7 })
  // SYN of both, also where nothing came back; FIN of the one that has ended.
  expect(packets.filter(({ flags }) => flags === 2).map(({ from }) => from)).toEqual([4001, 4002])
  expect(packets.filter(({ flags }) => (flags & 1) === 1).map(({ at }) => at - AT)).toEqual([50, 50])
})
