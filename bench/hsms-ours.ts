import { HsmsDriver } from '../src/hsms/hsms-driver.js'
import { HSMS_DEFAULTS, type HsmsSettings } from '../src/hsms/settings.js'
import { Listeners } from '../src/hsms/tcp/listener.js'
import { systemClock } from '../src/kit/clock.js'
import { decodeBody } from '../src/secs2/decode.js'
import { encodeBody } from '../src/secs2/encode.js'
import { A, B, type Item, L } from '../src/secs2/item.js'
import {
  EXCHANGES,
  type ExchangeName,
  eventReport,
  MODEL,
  type Requester,
  rateOf,
  SOFTWARE,
} from './hsms-exchange.js'

const PRIMARIES: Readonly<Record<ExchangeName, () => Item | undefined>> = {
  S1F1: () => undefined,
  S6F11: eventReport,
}

function driver(given: Pick<HsmsSettings, 'role' | 'port'>): HsmsDriver {
  const settings: HsmsSettings = { ...HSMS_DEFAULTS, host: '127.0.0.1', deviceId: 1, ...given }
  return new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
}

/** Decodes each primary and replies to it. */
export async function serveOurs(): Promise<number> {
  const peer = driver({ role: 'passive', port: 0 })
  peer.received.on(({ message }) => {
    const { stream, function: fn, body } = message
    decodeBody(body)
    const item = stream === 1 ? L(A(MODEL), A(SOFTWARE)) : B(0)
    peer.send({ ...message, function: fn + 1, wait: false, body: encodeBody(item) })
  })
  await peer.start()
  if (peer.boundPort === undefined) throw new Error('the port is not bound')
  return peer.boundPort
}

export async function dialOurs(port: number): Promise<Requester> {
  const peer = driver({ role: 'active', port })
  const selected = new Promise<void>((resolve) => {
    peer.changed.on(({ to }) => {
      if (to === 'SELECTED') resolve()
    })
  })
  await peer.start()
  await selected
  return {
    rate: (exchange, depth, milliseconds) => rateOf(() => ask(peer, exchange), depth, milliseconds),
    close: () => peer.stop(),
  }
}

/** Encodes the primary, and decodes the reply. */
async function ask(peer: HsmsDriver, exchange: ExchangeName): Promise<void> {
  const { stream, function: fn } = EXCHANGES[exchange]
  const systemBytes = peer.reserve()
  if (systemBytes === undefined) throw new Error('too many are open')
  const body = encodeBody(PRIMARIES[exchange]())
  const outcome = await peer.request({ sessionId: 1, stream, function: fn, wait: true, systemBytes, body })
  if (outcome.kind !== 'replied') throw new Error(`S${stream}F${fn} ended as ${outcome.kind}`)
  decodeBody(outcome.reply.body)
}
