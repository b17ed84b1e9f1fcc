import type { BrokerAddress } from './brokers.js'
import type { KafkaConnection, Library } from './kafka-connection.js'

/** The partitions of a topic. */
export interface Layout {
  /** By their numbers: the broker that leads each; undefined while there is none. */
  readonly partitions: readonly (BrokerAddress | undefined)[]
}

/** All brokers have version 1, those of Kafka 4 included. */
const METADATA = { key: 3, version: 1 }
const UNKNOWN_TOPIC = 3

/** Asks a broker for the partitions of a topic. Rejects when there are none. */
export function layoutOf(
  connection: KafkaConnection,
  topic: string,
  library: Library,
  signal: AbortSignal,
): Promise<Layout> {
  const body = library.Writer.create().appendArray(
    [topic],
    (writer, name) => writer.appendString(name, false),
    false,
    false,
  )
  const call = {
    ...METADATA,
    body,
    response: (
      _id: number,
      _key: number,
      _version: number,
      reader: InstanceType<Library['Reader']>,
    ): Layout => {
      const brokers = reader.readArray(
        () => {
          const [id, host, port] = [reader.readInt32(), reader.readString(false), reader.readInt32()]
          reader.readNullableString(false) // rack
          return [id, { host, port }] as const
        },
        false,
        false,
      )
      reader.readInt32() // controller
      const addresses = new Map(brokers)
      const topics = reader.readArray(
        () => {
          const [error, name] = [reader.readInt16(), reader.readString(false)]
          reader.readBoolean() // internal
          const leaders = reader.readArray(
            () => {
              reader.readInt16() // error
              const [partition, leader] = [reader.readInt32(), reader.readInt32()]
              const ids = (): number[] => reader.readArray(() => reader.readInt32(), false, false)
              ids() // replicas
              ids() // in sync
              return [partition, addresses.get(leader)] as const
            },
            false,
            false,
          )
          return { error, name, leaders }
        },
        false,
        false,
      )
      const found = topics.find(({ name }) => name === topic)
      if (found?.error !== 0 || found.leaders.length === 0)
        throw new library.ResponseError(
          METADATA.key,
          METADATA.version,
          { topic: found?.error || UNKNOWN_TOPIC },
          topics,
        )
      const byNumber = new Map(found.leaders)
      return { partitions: found.leaders.map((_, number) => byNumber.get(number)) }
    },
  }
  return connection.request(call, signal)
}
