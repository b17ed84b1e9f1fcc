// What stands at both ends of bench/long-messages.ts, in a process of its own: a caller of the API, and equipment.
import { request } from 'node:http'
import { HsmsDriver } from '../src/hsms/driver.js'
import { Listeners } from '../src/hsms/listener.js'
import { HSMS_DEFAULTS } from '../src/hsms/settings.js'
import { systemClock } from '../src/kit/clock.js'
import { encodeBody } from '../src/secs2/encode.js'
import { A, B, type Item, L } from '../src/secs2/item.js'

/** Values of the longest items here. */
export const LENGTH = 0xff_ff_00

export interface Call {
  readonly port: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The start of a body, and the end; between them so many values of a B item. */
  readonly body?: readonly [string, number, string]
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
    sent.end(body && `${body[0]}${bytesOf(body[1]).join(',')}${body[2]}`)
  })
}

/** Equipment that answers S7F5 with the longest recipe, and sends one when it is told to. */
export async function beEquipment(): Promise<{ readonly port: number; send(): void }> {
  const settings = { ...HSMS_DEFAULTS, role: 'passive', host: '127.0.0.1', port: 0, deviceId: 0 } as const
  const driver = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
  const recipe: Item = L(A('RECIPE'), { format: 'B', value: bytesOf(LENGTH) })
  driver.received.on(({ message }) => {
    const { stream, function: fn } = message
    if (!message.wait) return
    const item = stream === 7 && fn === 5 ? recipe : stream === 1 ? L(B(0), L(A('M'), A('1'))) : B(0)
    driver.send({ ...message, function: fn + 1, wait: false, body: encodeBody(item) })
  })
  await driver.start()
  return {
    port: driver.boundPort ?? 0,
    send() {
      const systemBytes = driver.reserve() ?? 0
      const body = encodeBody(recipe)
      void driver.request({ sessionId: 0, stream: 7, function: 3, wait: true, systemBytes, body })
    },
  }
}
