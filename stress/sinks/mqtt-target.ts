import { connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectMqtt } from 'mqtt'
import { parser } from 'mqtt-packet'
import { type Arrival, ArrivalLog, arrivalOf } from './arrivals.js'

const TOPIC = 'secsctl/events/#'
const SESSION_S = 86_400

/** A message that the broker has acknowledged, and when, in milliseconds since 1970. */
export interface Accepted {
  readonly arrival: Arrival
  readonly at: number
}

/** Stands between the gateway and the broker, and notes what the broker acknowledges: that is what it is answerable for. */
export class RecordingProxy {
  readonly accepted: Accepted[] = []

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(brokerPort: number): Promise<RecordingProxy> {
    const server = createServer({ noDelay: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = new RecordingProxy(server, (server.address() as { readonly port: number }).port)
    server.on('connection', (gateway) => proxy.#pair(gateway, brokerPort))
    return proxy
  }

  close(): void {
    this.server.close()
  }

  #pair(gateway: Socket, port: number): void {
    const broker = connect({ host: '127.0.0.1', port, noDelay: true })
    const open = new Map<number, Arrival>()
    const [sent, answered] = [parser({ protocolVersion: 5 }), parser({ protocolVersion: 5 })]
    sent.on('packet', (packet) => {
      if (packet.cmd !== 'publish' || packet.qos !== 1 || packet.retain) return
      open.set(packet.messageId ?? 0, arrivalOf(packet.payload.toString()))
    })
    answered.on('packet', (packet) => {
      if (packet.cmd !== 'puback') return
      const arrival = open.get(packet.messageId ?? 0)
      open.delete(packet.messageId ?? 0)
      if (arrival && (packet.reasonCode ?? 0) < 0x80) this.accepted.push({ arrival, at: Date.now() })
    })
    gateway.on('data', (bytes) => {
      sent.parse(bytes)
      broker.write(bytes)
    })
    broker.on('data', (bytes) => {
      answered.parse(bytes)
      gateway.write(bytes)
    })
    const end = (): void => {
      gateway.destroy()
      broker.destroy()
    }
    for (const socket of [gateway, broker]) socket.on('error', end).on('close', end)
  }
}

export interface ConsumerOptions {
  readonly url: string
  readonly log: string
}

/** Receives in this process, with a session that the broker keeps, for the process that started it. */
export function serveConsumer({ url, log }: ConsumerOptions): void {
  const arrivals = new ArrivalLog(log)
  const client = connectMqtt(url, {
    protocolVersion: 5,
    reconnectPeriod: 200,
    clientId: 'consumer',
    clean: false,
    properties: { sessionExpiryInterval: SESSION_S },
  })
  // The broker is answered after the message is written.
  client.handleMessage = ({ payload }, done) => {
    arrivals.write([arrivalOf(payload.toString())])
    done()
  }
  client.on('error', () => {})
  client.on('connect', async () => {
    await client.subscribeAsync(TOPIC, { qos: 1 }).catch(() => {})
    process.send?.('ready')
  })
  process.on('disconnect', () => process.exit())
}
