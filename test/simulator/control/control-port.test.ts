import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.js'
import { askSimulator, NoReplyError } from '../../../src/simulator/control/control-client.js'
import { ControlDesk } from '../../../src/simulator/control/control-desk.js'
import { ControlPort } from '../../../src/simulator/control/control-port.js'
import type { Model } from '../../../src/simulator/model.js'
import { shippedModel } from '../../../src/simulator/shipped-models.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { freePort } from '../../support/free-port.js'

let simulator: Simulator
let server: ControlPort
let port: number

const tell = (...words: readonly string[]) =>
  askSimulator({ host: '127.0.0.1', port }, words, systemClock, 5000)

/** All that comes back for these bytes until the other side ends. */
function answerTo(bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    let came = ''
    socket.on('data', (chunk) => {
      came += String(chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(came))
    socket.end(bytes)
  })
}

beforeEach(async () => {
  const options = { role: 'active', host: '127.0.0.1', port: 1 } as const
  simulator = new Simulator(shippedModel('etcher') as Model, options, { clock: systemClock })
  server = new ControlPort(new ControlDesk(simulator))
  port = await server.listen(0)
})

afterEach(() => server.close())

test('a command is carried out, and its answer is told', async () => {
  expect(await tell('set', 'OperatorMessage', 'back at "3"')).toMatchObject({
    ok: true,
    value: 'back at "3"',
  })
  expect(await tell('toast')).toMatchObject({ ok: false, code: 'usage' })
})

test('a port that is taken is reported in words', async () => {
  const second = new ControlPort(new ControlDesk(simulator))
  await expect(second.listen(port)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: another program has the port`,
  )
})

test('each line has an answer, in order, and empty ones have none', async () => {
  const lines = (await answerTo('set LotID L1\n\r\nsilent on\r\nnothing\nstatus')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).ok)).toEqual([true, true, false, true])
})

test.each(['GET /x HTTP/1.1', 'POST / HTTP/1.1', 'OPTIONS * HTTP/2'])(
  'a browser (%s) is not listened to',
  async (head) => {
    expect(await answerTo(`${head}\r\nHost: 127.0.0.1\r\n\r\nsilent on\n`)).toBe('')
    expect(simulator.faults).toEqual({})
  },
)

test('a line without end is refused', async () => {
  const answer = await answerTo(new Uint8Array(2_000_000).fill(0x61))
  expect(['', '{"ok":false,"error":"a line has 1048576 bytes at most","code":"usage"}\n']).toContain(answer)
  expect(await tell('status')).toMatchObject({ ok: true })
})

test('where nothing answers says so', async () => {
  const nowhere = { host: '127.0.0.1', port: await freePort() }
  await expect(askSimulator(nowhere, ['status'], systemClock, 5000)).rejects.toThrow(NoReplyError)
})

test('closing ends the connections that there are', async () => {
  const open = answerTo('')
  const waiting = new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => void server.close())
    socket.on('error', () => {})
    socket.on('close', resolve)
  })
  await Promise.all([open, waiting])
  await expect(tell('status')).rejects.toThrow(NoReplyError)
  port = await server.listen(0).catch(() => 0)
})
