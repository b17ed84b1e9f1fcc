import type { OutMessage, Rejection, SinkKind } from '../kind.js'
import type { connectTarget } from '../target-socket.js'
import { composed } from '../unsendable.js'
import { untilAborted } from '../until-aborted.js'
import { type BrokerAddress, brokersOf } from './brokers.js'
import { KafkaConnection, type Library } from './kafka-connection.js'
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

/**
 * Appends messages to a topic, each to the partition of its equipment, and waits until all replicas in sync have them.
 * `connect`: another one in tests.
 */
export const kafka =
  (connect?: typeof connectTarget): SinkKind =>
  (record, { localTargets, clock }) => {
    const { kafka: target, secret } = record
    if (!target) throw new Error('The sink has no kafka.')
    const { topic, client_id: clientId = 'secsctl', ...settings } = target
    const bootstrap = brokersOf(target.brokers)
    /** By `host:port`. */
    const connections = new Map<string, KafkaConnection>()
    let layout: { readonly of: Layout; readonly until: number } | undefined

    const close = (): void => {
      for (const connection of connections.values()) connection.drop()
      connections.clear()
      layout = undefined
    }
    const connected = async (
      library: Library,
      address: BrokerAddress,
      signal: AbortSignal,
    ): Promise<KafkaConnection> => {
      const key = `${address.host}:${address.port}`
      const known = connections.get(key)
      if (known?.isOpen) return known
      const own = {
        ...settings,
        clientId,
        library,
        password: secret,
        localTargets,
        ...(connect && { connect }),
      }
      const connection = await KafkaConnection.connect(address, own, signal)
      if (signal.aborted) connection.drop()
      connections.set(key, connection)
      return connection
    }
    /** From the first broker that answers. */
    const askedLayout = async (library: Library, signal: AbortSignal): Promise<Layout> => {
      let failure: unknown
      for (const address of bootstrap) {
        try {
          return await layoutOf(await connected(library, address, signal), topic, library, signal)
        } catch (error) {
          signal.throwIfAborted()
          failure = error
        }
      }
      throw failure
    }
    const produced = async (messages: readonly OutMessage[], signal: AbortSignal): Promise<void> => {
      const library = await import('@platformatic/kafka')
      if (!layout || layout.until < clock.now())
        layout = { of: await askedLayout(library, signal), until: clock.now() + LAYOUT_AGE_MS }
      const { partitions } = layout.of
      const timestamp = BigInt(clock.date().getTime())
      const recordOf = ({ id, type, text, event }: OutMessage) => {
        const key = event && Buffer.from(event.equipment_id)
        // As the Java client does it. A message about the sink itself has an empty key.
        const partition = key ? (library.murmur2(key) & 0x7fffffff) % partitions.length : 0
        const headers = { 'content-type': CONTENT_TYPE, ce_id: id, ce_type: type }
        return {
          topic,
          partition,
          timestamp,
          ...(key && { key }),
          value: Buffer.from(text),
          headers: new Map(
            Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]),
          ),
        }
      }
      const records = composed(() => messages.map(recordOf))
      const byLeader = new Map<BrokerAddress, typeof records>()
      for (const record of records) {
        const leader = partitions[record.partition]
        if (!leader) throw new Error(`partition ${record.partition} has no leader`)
        byLeader.set(leader, [...(byLeader.get(leader) ?? []), record])
      }
      for (const [leader, own] of byLeader) {
        const connection = await connected(library, leader, signal)
        const { createRequest, parseResponse: answer } = library.produceV7
        const body = createRequest(ALL_REPLICAS, ACK_TIMEOUT_MS, own, { compression: 'none' })
        await connection.request({ key: 0, version: 7, body, answer }, signal)
      }
    }

    return {
      maxMessages: MAX_MESSAGES,
      async send(messages, signal) {
        const late = new AbortController()
        const cancel = clock.at(clock.now() + CALL_TIMEOUT_MS, () =>
          late.abort(new Error('the brokers did not answer in time')),
        )
        const until = AbortSignal.any([signal, late.signal])
        try {
          await untilAborted(produced(messages, until), until)
          return undefined
        } catch (error) {
          const rejection = rejectionOf(error)
          if (!rejection?.isPermanent) close()
          if (rejection) return rejection
          throw error
        } finally {
          cancel()
        }
      },
      async close() {
        close()
      },
    }
  }

/** What a broker answered; undefined for other failures. */
function rejectionOf(error: unknown): Rejection | undefined {
  if (!(error instanceof AggregateError) || !('code' in error) || error.code !== 'PLT_KFK_RESPONSE')
    return undefined
  const names = [...new Set(error.errors.map((one: { readonly apiId?: string }) => one.apiId ?? 'UNKNOWN'))]
  const isPermanent = names.length > 0 && names.every((name) => PERMANENT.has(name))
  return { isPermanent, detail: `the broker answered ${names.join(', ')}` }
}
