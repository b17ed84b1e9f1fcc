import {
  A,
  type AbstractSecs2Item,
  B,
  F4,
  HsmsActiveCommunicator,
  HsmsPassiveCommunicator,
  L,
  U4,
} from 'secs4js'
import {
  COUNTS,
  EXCHANGES,
  type ExchangeName,
  MODEL,
  REALS,
  type Requester,
  rateOf,
  SOFTWARE,
  TEXTS,
} from './hsms-exchange.js'

const config = (port: number, isEquip: boolean) => ({
  ip: '127.0.0.1',
  port,
  deviceId: 1,
  isEquip,
  log: { enabled: false },
})

const PRIMARIES: Readonly<Record<ExchangeName, () => AbstractSecs2Item | null>> = {
  S1F1: () => null,
  S6F11: () =>
    L(
      U4(1),
      U4(4711),
      L(
        L(
          U4(10),
          L(
            ...REALS.map((value) => F4(value)),
            ...COUNTS.map((value) => U4(value)),
            ...TEXTS.map((text) => A(text)),
          ),
        ),
      ),
    ),
}

/** Its port has to be known beforehand. */
export async function serveSecs4js(port: number): Promise<number> {
  const peer = new HsmsPassiveCommunicator(config(port, false))
  peer.on('error', () => {})
  peer.on('message', (message) => {
    const body = message.stream === 1 ? L(A(MODEL), A(SOFTWARE)) : B(Buffer.of(0))
    void peer.reply(message, message.stream, message.func + 1, body)
  })
  await peer.open()
  return port
}

export async function dialSecs4js(port: number): Promise<Requester> {
  const peer = new HsmsActiveCommunicator(config(port, true))
  peer.on('error', () => {})
  const selected = new Promise((resolve) => peer.once('selected', resolve))
  await peer.open()
  if (peer.connectionState !== 'Selected') await selected
  return {
    rate: (exchange, depth, milliseconds) => {
      const { stream, function: fn } = EXCHANGES[exchange]
      const ask = () => peer.send(stream, fn, true, PRIMARIES[exchange]())
      return rateOf(ask, depth, milliseconds)
    },
    close: () => peer.close().catch(() => {}),
  }
}
