// What stands at both ends of bench/long-messages.ts, in a process of its own: a caller of the API, and equipment.
import { request } from 'node:http'
import { HsmsDriver } from '../src/hsms/hsms-driver.js'
import { HSMS_DEFAULTS } from '../src/hsms/settings.js'
import { Listeners } from '../src/hsms/tcp/listener.js'
import { systemClock } from '../src/kit/clock.js'
import { encodeBody } from '../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../src/secs2/item.js'
import { MAX_ITEMS } from '../src/secs2/limits.js'

/** Values of the longest items here. */
export const LENGTH = 0xff_ff_00

/** Names of variables that equipment has. */
const NAMES = 20_000

export interface Call {
  readonly port: number
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The start of a body, and the end; between them so many values of a B item, or so many times a text. */
  readonly body?: readonly [start: string, count: number, end: string, text?: string]
  /** Goes away once it has seen this many bytes. */
  readonly enough?: number
}

export interface Answer {
  readonly status: number
  readonly bytes: number
}

export const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 2654435761) >>> 13)

/** Calls, and counts what comes. */
export function call({
  port,
  method,
  path,
  headers,
  body,
  enough = Number.POSITIVE_INFINITY,
}: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers, agent: false }, (response) => {
      let bytes = 0
      const over = (): void => resolve({ status: response.statusCode ?? 0, bytes })
      response.on('error', reject).on('close', over)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes < enough) return
        over()
        response.destroy()
      })
    })
    sent.on('error', reject)
    if (!body) return void sent.end()
    const [start, count, end, text] = body
    sent.end(`${start}${text === undefined ? bytesOf(count).join(',') : text.repeat(count)}${end}`)
  })
}

export type Sends = 'S2F25' | 'S5F1' | 'S6F11' | 'S7F3'

/** Equipment that answers S7F5, S1F3, S1F11 and S5F5 with the longest messages, and sends them when it is told to. */
export async function beEquipment(): Promise<{ readonly port: number; send(what: Sends): void }> {
  const settings = { ...HSMS_DEFAULTS, role: 'passive', host: '127.0.0.1', port: 0, deviceId: 0 } as const
  const driver = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
  const recipe: Item = L(A('RECIPE'), { format: 'B', value: bytesOf(LENGTH) })
  const values: Item = { format: 'L', items: Array.from({ length: MAX_ITEMS - 1 }, (_, at) => U4(at)) }
  const { items } = values
  const report: Item = L(U4(1), U4(2), L(L(U4(3), { format: 'L', items: items.slice(0, MAX_ITEMS - 8) })))
  const alarms: Item = {
    format: 'L',
    items: Array.from({ length: MAX_ITEMS / 4 - 1 }, (_, at) => L(B(0), U4(at), A('Hot'))),
  }
  const sends: Readonly<Record<Sends, Item>> = {
    S2F25: { format: 'B', value: bytesOf(LENGTH) },
    S5F1: L(B(0x84), U4(7), { format: 'L', items: items.slice(0, MAX_ITEMS - 4) }),
    S6F11: report,
    S7F3: recipe,
  }
  const names: Item = {
    format: 'L',
    items: Array.from({ length: NAMES }, (_, at) =>
      L(U4(at), A(`Chamber${at % 7}.Variable${at}`), A('mTorr')),
    ),
  }
  driver.received.on(({ message }) => {
    const { stream, function: fn } = message
    if (!message.wait) return
    const answers: Readonly<Record<string, Item>> = {
      S7F5: recipe,
      S1F3: values,
      S1F11: names,
      S5F5: alarms,
      S1F13: L(B(0), L(A('M'), A('1'))),
    }
    const item = answers[`S${stream}F${fn}`] ?? B(0)
    driver.send({ ...message, function: fn + 1, wait: false, body: encodeBody(item) })
  })
  await driver.start()
  return {
    port: driver.boundPort ?? 0,
    send(what) {
      const systemBytes = driver.reserve() ?? 0
      const [stream = 0, fn = 0] = what.slice(1).split('F').map(Number)
      const body = encodeBody(sends[what])
      void driver.request({ sessionId: 0, stream, function: fn, wait: true, systemBytes, body })
    },
  }
}
