import type { Socket } from 'node:net'
import type { IClientOptions, IClientPublishOptions, MqttClient } from 'mqtt'
import type { Clock } from '../../../../kit/clock.js'
import type { Rejection } from '../kind.js'
import { connectTarget } from '../target-socket.js'
import { untilAborted } from '../until-aborted.js'

/** Seconds without a packet until the connection is probed; the broker ends it after one and a half times as long. */
const KEEP_ALIVE_S = 15
/** Milliseconds until the broker has accepted the connection, and until it has acknowledged what was sent. */
const CONNECT_TIMEOUT_MS = 10_000
const ACK_TIMEOUT_MS = 60_000
/** Reason codes of MQTT 5 after which the same message would be rejected again. */
const PERMANENT: ReadonlySet<number> = new Set([0x87, 0x90, 0x95, 0x99])
const NEVER = new AbortController().signal
/** Bytes of a PUBLISH packet beside its topic, content and properties: a generous bound. */
const PACKET_OVERHEAD = 64
/** Bytes of a topic: MQTT gives its length in two. */
const MAX_TOPIC = 65_535

export interface BrokerAddress {
  /** `mqtt://host[:1883]` or `mqtts://host[:8883]`. */
  readonly url: string
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** PEM of the authorities that are trusted instead of Node's. */
  readonly ca?: string | undefined
}

interface Settings extends BrokerAddress {
  readonly clientId: string
  readonly will: NonNullable<IClientOptions['will']>
  readonly localTargets: boolean
  readonly clock: Clock
  /** Messages of the topics that are subscribed to. */
  readonly received?: (topic: string, payload: Uint8Array) => void
}

export interface Publication {
  readonly topic: string
  readonly payload: string | Buffer
  readonly qos: 0 | 1
  readonly retain?: boolean
  readonly contentType?: string
}

/** One connection to an MQTT 5 broker with a session of its own. When it ends it stays so. */
export class Broker {
  /** Aborts, with the reason, when the connection has ended. */
  readonly ended: AbortSignal
  #pingsSent = 0
  #pingResponses = 0

  private constructor(
    private readonly client: MqttClient,
    ended: AbortSignal,
    private readonly clock: Clock,
  ) {
    this.ended = ended
    client.on('packetsend', ({ cmd }) => {
      if (cmd === 'pingreq') this.#pingsSent++
    })
    client.on('packetreceive', ({ cmd }) => {
      if (cmd === 'pingresp') this.#pingResponses++
    })
  }

  /** Rejects when the broker cannot be reached, or refuses, or `signal` aborts. */
  static async connect(settings: Settings, signal: AbortSignal = NEVER): Promise<Broker> {
    // Loaded when it is used. CommonJS: bundled, it has no names but `default`.
    const { default: mqtt } = await import('mqtt')
    const { clientId, will, user, password, clock, received } = settings
    const over = new AbortController()
    const ended = over.signal
    const end = (reason: Error): void => over.abort(reason)
    const stream = (): Socket => socketTo(settings).on('error', end)
    const client = new mqtt.MqttClient(stream, {
      protocolVersion: 5,
      clean: true,
      clientId,
      keepalive: KEEP_ALIVE_S,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      will,
      ...(user !== undefined && { username: user }),
      ...(password !== undefined && { password }),
    })
    client.on('error', end)
    client.on('disconnect', ({ reasonCode = 0 }) =>
      end(new Error(`the broker ended the connection (reason code ${reasonCode})`)),
    )
    client.on('close', () => end(new Error('the broker closed the connection')))
    if (received) client.on('message', received)
    ended.addEventListener('abort', () => client.end(true))
    const late = clock.at(clock.now() + CONNECT_TIMEOUT_MS, () =>
      end(new Error('the broker did not accept the connection in time')),
    )
    try {
      const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()))
      await untilAborted(connected, ended, signal)
    } catch (error) {
      end(error as Error)
      throw error
    } finally {
      late()
    }
    return new Broker(client, ended, clock)
  }

  /** The quality of service that the broker offers. */
  get offersQos1(): boolean {
    return (this.client.serverProperties?.maximumQoS ?? 2) >= 1
  }

  /** Resolves once the broker has acknowledged it. Rejects as `publish` does. */
  async subscribe(topic: string, signal: AbortSignal): Promise<void> {
    await this.#acknowledged(this.client.subscribeAsync(topic, { qos: 1 }), signal)
  }

  /**
   * Sends messages in their order. With QoS 1 resolves once the broker has acknowledged all, with the first rejection
   * where it did not accept one. With QoS 0 resolves once the broker has responded to a ping that followed them.
   * Rejects when the connection ends first, or `signal` aborts.
   */
  async publish(
    messages: readonly Publication[],
    signal: AbortSignal = NEVER,
  ): Promise<Rejection | undefined> {
    if (messages.length === 0) return undefined
    const sent = messages.map((one) => this.#publish(one))
    const awaited = messages.some(({ qos }) => qos === 0) ? [...sent, this.#ping()] : sent
    const results = await this.#acknowledged(Promise.all(awaited), signal)
    return results.find((one) => one !== undefined)
  }

  /** Says goodbye to the broker, which then does not publish the will, or drops the connection when `signal` aborts. */
  async close(signal: AbortSignal): Promise<void> {
    const gone = new Promise<void>((resolve) => this.client.end(false, {}, () => resolve()))
    await untilAborted(gone, this.ended, signal).catch(() => {})
    this.drop()
  }

  /** Ends the connection at once; the broker publishes the will. */
  drop(): void {
    this.client.end(true)
  }

  /** What the broker responds, as long as the connection lasts, for a limited time. */
  async #acknowledged<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const late = new AbortController()
    const cancel = this.clock.at(this.clock.now() + ACK_TIMEOUT_MS, () =>
      late.abort(new Error('the broker did not acknowledge in time')),
    )
    try {
      return await untilAborted(work, this.ended, late.signal, signal)
    } finally {
      cancel()
    }
  }

  #publish({
    topic,
    payload,
    qos,
    retain = false,
    contentType,
  }: Publication): Promise<Rejection | undefined> {
    const topicBytes = Buffer.byteLength(topic)
    if (topicBytes > MAX_TOPIC)
      return Promise.resolve({ isPermanent: true, detail: `its topic has more than ${MAX_TOPIC} bytes` })
    const largest = this.client.serverProperties?.maximumPacketSize
    const size = Buffer.byteLength(payload) + topicBytes + PACKET_OVERHEAD
    if (largest !== undefined && size > largest)
      return Promise.resolve({ isPermanent: true, detail: `the broker accepts ${largest} bytes at most` })
    const properties = {
      payloadFormatIndicator: typeof payload === 'string',
      ...(contentType !== undefined && { contentType }),
    }
    const options: IClientPublishOptions = { qos, retain, ...(qos === 1 && { properties }) }
    return new Promise((resolve, reject) => {
      this.client.publish(topic, payload, options, (error) => {
        if (!error) return resolve(undefined)
        const code = 'code' in error && typeof error.code === 'number' ? error.code : undefined
        if (code === undefined) return reject(error)
        const detail = `the broker rejected it: ${error.message} (reason code ${code})`
        resolve({ isPermanent: PERMANENT.has(code), detail })
      })
    })
  }

  /** A broker works through what it receives in order: after the response it has what was sent before. */
  async #ping(): Promise<undefined> {
    this.client.sendPing()
    const needed = this.#pingsSent
    while (this.#pingResponses < needed)
      await new Promise<void>((resolve) => this.client.once('packetreceive', () => resolve()))
    return undefined
  }
}

function socketTo({ url, ca, localTargets }: Settings): Socket {
  const { protocol, hostname, port } = new URL(url)
  const isTls = protocol === 'mqtts:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return connectTarget({ host, port: Number(port || (isTls ? 8883 : 1883)), isTls, ca, localTargets })
}
