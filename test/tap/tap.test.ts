import { randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeFrame } from '../../src/hsms/frame/frame.js'
import { STYPE } from '../../src/hsms/frame/header.js'
import type { TapSettings } from '../../src/tap/tap-settings.js'
import { Tap } from '../../src/tap/tcp/tap.js'
import { ManualClock } from '../support/manual-clock.js'
import { turns, until, untilLater } from '../support/until.js'

const frame = (sType: number, body: Uint8Array = new Uint8Array()): Uint8Array =>
  encodeFrame({ header: { sessionId: 1, byte2: 0, byte3: 0, pType: 0, sType, systemBytes: 7 }, body })
const SELECT = frame(STYPE.selectReq)
const S1F1 = { sessionId: 1, stream: 1, function: 1, wait: true, body: new Uint8Array() }

/** One end of the link: what came, and how it ended. */
interface End {
  readonly socket: Socket
  readonly came: Buffer[]
  ended: 'no' | 'closed' | 'broken'
}
function endOf(socket: Socket): End {
  const end: End = { socket, came: [], ended: 'no' }
  socket.on('data', (bytes) => end.came.push(bytes))
  socket.on('end', () => {
    end.ended = 'closed'
  })
  socket.on('error', () => {
    end.ended = 'broken'
  })
  return end
}
const bytesAt = ({ came }: End): Buffer => Buffer.concat(came)

let equipment: Server
let tools: End[]
let tap: Tap
let port: number
let clock: ManualClock
let events: string[]
let sockets: Socket[]

async function begin(change: Partial<TapSettings> = {}): Promise<void> {
  const at = { host: '127.0.0.1', port: (equipment.address() as { port: number } | null)?.port ?? 0 }
  const listen = { host: '127.0.0.1', port: 0 }
  const noted: string[] = []
  events = noted
  tap = new Tap(
    { caller: 'host', listen, callerAddress: '127.0.0.1', dial: at, pause: 0, ...change },
    clock,
    {
      paired: () => noted.push('paired'),
      over: (first, how) => noted.push(`over ${first} ${how}`),
      notDialled: (detail) => noted.push(detail),
      refused: (_, why) => noted.push(why),
      whole: () => {},
      control: () => {},
      data: () => {},
      begun: () => {},
      body: () => {},
      ended: () => {},
      unreadable: (from) => noted.push(`unreadable ${from}`),
      sent: () => {},
      took: () => {},
      held: () => {},
      replied: () => {},
    },
  )
  port = await tap.start()
}
beforeEach(async () => {
  clock = new ManualClock()
  tools = []
  events = []
  sockets = []
  equipment = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    tools.push(endOf(socket))
  })
  await new Promise<void>((resolve) => equipment.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  tap.stop()
  equipment.close()
  for (const socket of sockets) socket.destroy()
})

function dial(): End {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  return endOf(socket)
}
/** Time goes on by itself: the tap waits for the end of its pause. */
const eventually = (look: () => boolean): Promise<true> => untilLater(clock, look)
const toolAt = async (at: number): Promise<End> => {
  await eventually(() => tools.length > at)
  return tools[at] as End
}

describe('a pair', () => {
  test('passes what either side sends, and the end of each side once the other has got it all', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    const long = Buffer.alloc(3_000_000, 7)
    host.socket.write(SELECT)
    host.socket.end(long)
    await until(() => tool.ended === 'closed')
    expect(bytesAt(tool).equals(Buffer.concat([SELECT, long]))).toBe(true)
    // The other direction is open until it ends, too.
    tool.socket.end(frame(STYPE.selectRsp))
    await until(() => host.ended === 'closed')
    expect(bytesAt(host)).toEqual(Buffer.from(frame(STYPE.selectRsp)))
    await until(() => events.length === 2)
    expect(events).toEqual(['paired', 'over host closed'])
  })

  test('passes whatever either side sends, frames or not, while both send and the gateway asks', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    await until(() => tap.line !== undefined)
    const random = { host: Buffer.alloc(0), tool: Buffer.alloc(0) }
    const ours: number[] = []
    for (let turn = 0; turn < 300; turn++) {
      // Mostly frames, so that there are borders; then bytes that are none.
      const chunk = (): Buffer =>
        turn < 250
          ? Buffer.from(frame(turn % 6 === 0 ? turn % 11 : 0, randomBytes(turn * 40)))
          : randomBytes(turn)
      const [one, other] = [chunk(), chunk()]
      random.host = Buffer.concat([random.host, one])
      random.tool = Buffer.concat([random.tool, other])
      host.socket.write(one)
      tool.socket.write(other)
      if (turn < 250 && turn % 50 === 25) ours.push(tap.line?.send({ ...S1F1, stream: 99 }) ?? 0)
      if (turn % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    host.socket.end()
    tool.socket.end()
    await until(() => host.ended === 'closed' && tool.ended === 'closed')
    await until(() => events.some((event) => event.startsWith('over')))
    expect(bytesAt(host).equals(random.tool)).toBe(true)
    // Without ours, each of which stands between two frames of the host.
    let toTool = bytesAt(tool)
    for (const systemBytes of ours) {
      const header = { sessionId: 1, byte2: 0x80 | 99, byte3: 1, pType: 0, sType: 0, systemBytes }
      const at = toTool.indexOf(encodeFrame({ header, body: S1F1.body }))
      expect(at).toBeGreaterThan(0)
      toTool = Buffer.concat([toTool.subarray(0, at), toTool.subarray(at + 14)])
    }
    expect(toTool.equals(random.host)).toBe(true)
  })

  test('that one side breaks off is broken off at the other', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    tool.socket.write('last words')
    await until(() => bytesAt(host).length === 10)
    tool.socket.resetAndDestroy()
    await until(() => host.ended === 'broken')
    await until(() => events.includes('over equipment broken'))
  })

  test('of which both sides end at once is over', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    host.socket.end()
    tool.socket.end()
    await until(() => host.ended !== 'no' && tool.ended !== 'no' && events.length === 2)
    expect([host.ended, tool.ended]).toEqual(['closed', 'closed'])
  })

  test('waits for a side that does not read, and holds little of what the other sends', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    tool.socket.pause()
    const before = process.memoryUsage().external
    const chunk = Buffer.alloc(64 * 1024, 1)
    let sent = 0
    let isFull = false
    // The buffers of both connections, and of the tap, are full some time.
    while (sent < 256 * 1024 * 1024 && !isFull) {
      sent += chunk.length
      if (!host.socket.write(chunk)) {
        const drained = new Promise<boolean>((resolve) => host.socket.once('drain', () => resolve(true)))
        const late = turns(300).then(() => false)
        isFull = !(await Promise.race([drained, late]))
      }
    }
    expect(isFull).toBe(true)
    expect(process.memoryUsage().external - before).toBeLessThan(200 * 1024 * 1024)
    tool.socket.resume()
    await until(() => tool.came.reduce((sum, { length }) => sum + length, 0) === sent)
  })

  test('whose one side has ended does not last longer than 10 s', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    host.socket.end()
    await until(() => tool.ended === 'closed')
    clock.advance(9_000)
    expect(events).toEqual(['paired'])
    clock.advance(2_000)
    await until(() => events.length === 2)
  })

  test('lasts as long as a slow side takes what was sent to it', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    tool.socket.pause()
    const long = Buffer.alloc(20_000_000, 3)
    host.socket.end(long)
    await turns(300)
    const came = (): number => bytesAt(tool).length
    // The pair holds some of it by now; each 9 s the slow side takes a little.
    for (let turn = 0; came() < long.length && turn < 2000; turn++) {
      const before = came()
      tool.socket.resume()
      await until(() => came() > before || tool.ended !== 'no')
      tool.socket.pause()
      if (turn < 20) clock.advance(9_000)
    }
    expect(came()).toBe(long.length)
  })
})

describe('who calls', () => {
  test('from another address is refused', async () => {
    await begin({ callerAddress: '127.0.0.2' })
    const host = dial()
    await until(() => host.ended !== 'no')
    expect([events, tools.length]).toEqual([['stranger'], 0])
  })

  test('is broken off where nothing listens at the other side', async () => {
    const free = (equipment.address() as { port: number }).port
    await new Promise((resolve) => equipment.close(resolve))
    await begin({ dial: { host: '127.0.0.1', port: free } })
    const host = dial()
    await eventually(() => host.ended === 'broken')
    expect(events).toEqual([`nothing listens at 127.0.0.1:${free}`])
  })

  test('a second time, and is silent, does not disturb the pair', async () => {
    await begin()
    const host = dial()
    const tool = await toolAt(0)
    const second = dial()
    await new Promise((resolve) => second.socket.once('connect', resolve))
    const third = dial()
    await until(() => third.ended !== 'no')
    second.socket.write('GET / HTTP/1.1\r\n')
    await until(() => second.ended !== 'no')
    host.socket.write(SELECT)
    await until(() => bytesAt(tool).length === SELECT.length)
    expect([events, tools.length]).toEqual([['paired', 'in_use', 'in_use'], 1])
  })

  test('a second time with Select.req is the host that has started again: the equipment is dialled anew after the pause', async () => {
    await begin({ pause: 3_000 })
    clock.advance(3_000)
    dial()
    const tool = await toolAt(0)
    const second = dial()
    second.socket.write(SELECT)
    await until(() => tool.ended === 'closed')
    tool.socket.end()
    await until(() => events.some((event) => event.startsWith('over')))
    expect(tools.length).toBe(1)
    clock.advance(3_000)
    const again = await toolAt(1)
    await until(() => bytesAt(again).length === SELECT.length)
    again.socket.write(frame(STYPE.selectRsp))
    await until(() => bytesAt(second).length > 0)
  })
})

test('a second caller that the pair ends before it has sent anything takes its place, and its bytes come once', async () => {
  await begin()
  const host = dial()
  const tool = await toolAt(0)
  const second = dial()
  await new Promise((resolve) => second.socket.once('connect', resolve))
  // It is looked at by now: a third one has no place.
  const third = dial()
  await until(() => third.ended !== 'no')
  host.socket.end()
  tool.socket.end()
  const again = await toolAt(1)
  second.socket.write(SELECT)
  second.socket.write(frame(STYPE.linktestReq))
  await until(() => bytesAt(again).length >= 2 * SELECT.length)
  await turns()
  clock.advance(6_000)
  expect(bytesAt(again)).toEqual(Buffer.concat([SELECT, frame(STYPE.linktestReq)]))
  again.socket.write(SELECT)
  await until(() => bytesAt(second).length > 0)
})

test('a port that is opened dials after the pause: one that was killed may have had a connection a moment ago', async () => {
  await begin({ pause: 2_000 })
  const host = dial()
  host.socket.write(SELECT)
  await turns()
  clock.advance(1_999)
  await turns()
  expect(tools.length).toBe(0)
  clock.advance(1)
  await until(() => tools.length === 1)
})

test('a host that has started again and hung up before its turn is not dialled for', async () => {
  await begin({ pause: 1_000 })
  clock.advance(1_000)
  dial()
  const tool = await toolAt(0)
  const second = dial()
  second.socket.write(SELECT)
  await until(() => tool.ended === 'closed')
  second.socket.resetAndDestroy()
  tool.socket.end()
  await until(() => events.some((event) => event.startsWith('over')))
  await turns()
  clock.advance(2_000)
  const third = dial()
  third.socket.write(SELECT)
  const again = await toolAt(1)
  await eventually(() => bytesAt(again).length === SELECT.length)
  expect(events).not.toContain('in_use')
})

test('equipment that dials its host is the caller, and the host is dialled', async () => {
  await begin({ caller: 'equipment' })
  const caller = dial()
  const host = await toolAt(0)
  await until(() => tap.line !== undefined)
  tap.line?.send(S1F1)
  await until(() => bytesAt(caller).length === 14)
  expect(bytesAt(host).length).toBe(0)
})
