import type { SinkTarget } from '../../../../contract/topics/sinks/targets.js'
import type { Clock } from '../../../../kit/clock.js'
import type { SinkRecord } from '../../sink-record.js'
import type { OpenTarget, OutMessage, Rejection, SinkKind, SinkWorld } from '../kind.js'
import { invalid, refuseAuthorities, refuseHost, refusePassword } from '../target-rules.js'
import type { connectTarget } from '../target-socket.js'
import { composed } from '../unsendable.js'
import { untilAborted } from '../until-aborted.js'
import { type BrokerAddress, brokersOf } from './brokers.js'
import { KafkaConnection, type Library, type Settings } from './kafka-connection.js'
import { type Layout, layoutOf } from './layout.js'

const MAX_MESSAGES = 500
/** Milliseconds that one call of `send` may take, and that the broker may wait for its replicas. */
const CALL_TIMEOUT_MS = 60_000
const ACK_TIMEOUT_MS = 30_000
/** Milliseconds after which the partitions and their leaders are asked for again. */
const LAYOUT_AGE_MS = 300_000
/** Errors after which the same message would be rejected again. */
const PERMANENT: ReadonlySet<string> = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
])
const ALL_REPLICAS = -1
const CONTENT_TYPE = 'application/cloudevents+json; charset=utf-8'

/** The brokers of one target: their connections, and which of them leads which partition. */
class Brokers {
  readonly #bootstrap: readonly BrokerAddress[]
  readonly #clock: Clock
  readonly #topic: string
  readonly #settings: Omit<Settings, 'library'>
  /** By `host:port`. */
  readonly #connections = new Map<string, KafkaConnection>()
  #layout: { readonly of: Layout; readonly until: number } | undefined

  constructor(
    { kafka: target, secret }: SinkRecord,
    { localTargets, clock }: SinkWorld,
    connect: typeof connectTarget | undefined,
  ) {
    this.#clock = clock
    if (!target) throw new Error('The sink has no kafka.')
    const { topic, brokers, client_id: clientId = 'secsctl', ...settings } = target
    this.#topic = topic
    this.#bootstrap = brokersOf(brokers)
    this.#settings = { ...settings, clientId, password: secret, localTargets, ...(connect && { connect }) }
  }

  /** Appends messages, and waits until all replicas in sync have them. */
  async produce(messages: readonly OutMessage[], signal: AbortSignal): Promise<void> {
    const library = await import('@platformatic/kafka')
    const clock = this.#clock
    if (!this.#layout || this.#layout.until < clock.now())
      this.#layout = { of: await this.#askLayout(library, signal), until: clock.now() + LAYOUT_AGE_MS }
    const { partitions } = this.#layout.of
    const about = {
      topic: this.#topic,
      partitions: partitions.length,
      timestamp: BigInt(clock.date().getTime()),
    }
    const records = composed(() => messages.map((message) => recordOf(message, about, library)))
    const byLeader = new Map<BrokerAddress, typeof records>()
    for (const record of records) {
      const leader = partitions[record.partition]
      if (!leader) throw new Error(`partition ${record.partition} has no leader`)
      byLeader.set(leader, [...(byLeader.get(leader) ?? []), record])
    }
    for (const [leader, own] of byLeader) {
      const connection = await this.#connected(library, leader, signal)
      const { createRequest, parseResponse: response } = library.produceV7
      const body = createRequest(ALL_REPLICAS, ACK_TIMEOUT_MS, own, { compression: 'none' })
      await connection.request({ key: 0, version: 7, body, response }, signal)
    }
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.drop()
    this.#connections.clear()
    this.#layout = undefined
  }

  async #connected(library: Library, address: BrokerAddress, signal: AbortSignal): Promise<KafkaConnection> {
    const key = `${address.host}:${address.port}`
    const known = this.#connections.get(key)
    if (known?.isOpen) return known
    const connection = await KafkaConnection.connect(address, { ...this.#settings, library }, signal)
    if (signal.aborted) connection.drop()
    this.#connections.set(key, connection)
    return connection
  }

  /** From the first broker that responds. */
  async #askLayout(library: Library, signal: AbortSignal): Promise<Layout> {
    let failure: unknown
    for (const address of this.#bootstrap) {
      try {
        return await layoutOf(await this.#connected(library, address, signal), this.#topic, library, signal)
      } catch (error) {
        signal.throwIfAborted()
        failure = error
      }
    }
    throw failure
  }
}

function recordOf(
  { id, type, text, event }: OutMessage,
  about: { readonly topic: string; readonly partitions: number; readonly timestamp: bigint },
  { murmur2 }: Library,
) {
  const { topic, partitions, timestamp } = about
  const key = event?.equipment_id ? Buffer.from(event.equipment_id) : undefined
  // As the Java client does it. A message about the sink or the gateway itself has an empty key.
  const partition = key ? (murmur2(key) & 0x7fffffff) % partitions : 0
  const headers = { 'content-type': CONTENT_TYPE, ce_id: id, ce_type: type }
  return {
    topic,
    partition,
    timestamp,
    ...(key && { key }),
    value: Buffer.from(text),
    headers: new Map(Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)])),
  }
}

/**
 * Appends messages to a topic, each to the partition of its equipment.
 * `connect`: another one in tests.
 */
export const kafka =
  (connect?: typeof connectTarget): OpenTarget =>
  (record, world) => {
    const { clock } = world
    const brokers = new Brokers(record, world, connect)
    return {
      maxMessages: MAX_MESSAGES,
      async send(messages, signal) {
        const late = new AbortController()
        const cancel = clock.at(clock.now() + CALL_TIMEOUT_MS, () =>
          late.abort(new Error('the brokers did not respond in time')),
        )
        const until = AbortSignal.any([signal, late.signal])
        try {
          await untilAborted(brokers.produce(messages, until), until)
          return undefined
        } catch (error) {
          const rejection = rejectionOf(error)
          if (!rejection?.isPermanent) brokers.close()
          if (rejection) return rejection
          throw error
        } finally {
          cancel()
        }
      },
      async close() {
        brokers.close()
      },
    }
  }

export const KAFKA: SinkKind<SinkTarget<'kafka'>> = {
  open: kafka(),
  refuseTarget({ brokers, ca, user, mechanism }, world) {
    let addresses: ReturnType<typeof brokersOf>
    try {
      addresses = brokersOf(brokers)
    } catch (error) {
      throw invalid('/kafka/brokers', `is not a list of host:port: ${(error as Error).message}`)
    }
    for (const { host } of addresses) refuseHost('/kafka/brokers', host, world)
    refuseAuthorities('/kafka', ca)
    if (mechanism && user === undefined) throw invalid('/kafka/mechanism', 'needs a user')
  },
  refuseSecret: refusePassword('kafka'),
  destinations({ brokers, tls = false, ca, mechanism = 'scram-sha-512' }) {
    const protection = `${mechanism} ${tls || ca !== undefined ? 'TLS' : 'plain'}`
    return brokersOf(brokers).map(({ host, port }) => `${host}:${port} ${protection}`)
  },
}

/** The error codes of a broker's response; undefined for other failures. */
function rejectionOf(error: unknown): Rejection | undefined {
  if (!(error instanceof AggregateError) || !('code' in error) || error.code !== 'PLT_KFK_RESPONSE')
    return undefined
  const names = [...new Set(error.errors.map((one: { readonly apiId?: string }) => one.apiId ?? 'UNKNOWN'))]
  const isPermanent = names.length > 0 && names.every((name) => PERMANENT.has(name))
  return { isPermanent, detail: `the broker responded with ${names.join(', ')}` }
}
