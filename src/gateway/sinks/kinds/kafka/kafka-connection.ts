import type { Socket } from 'node:net'
import type { KafkaTarget } from '../../../../contract/topics/sinks/targets.js'
import { connectTarget } from '../target-socket.js'
import { untilAborted } from '../until-aborted.js'
import { scram } from './scram.js'

/** Loaded when it is used. */
export type Library = typeof import('@platformatic/kafka')
type Writer = InstanceType<Library['Writer']>
type Reader = InstanceType<Library['Reader']>

/** Bytes of a response, at most: of the metadata of a topic with 50,000 partitions. */
const MAX_RESPONSE = 4 * 1024 * 1024
const MECHANISMS = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
} as const

/** A request in a version of the protocol that all brokers since Kafka 2.1 have. */
interface Call<Response> {
  readonly key: number
  readonly version: number
  readonly body: Writer
  readonly response: (correlationId: number, key: number, version: number, reader: Reader) => Response
}

export interface Settings extends Pick<KafkaTarget, 'tls' | 'ca' | 'user' | 'mechanism'> {
  readonly library: Library
  readonly password: string | null
  readonly localTargets: boolean
  readonly clientId: string
  readonly connect?: typeof connectTarget
}

/** A connection to one broker, one request at a time. When it ends it stays so. */
export class KafkaConnection {
  readonly #ended = new AbortController()
  #received: Buffer[] = []
  #size = 0
  #arrived: () => void = () => {}
  #correlationId = 0

  private constructor(
    private readonly socket: Socket,
    private readonly settings: Settings,
  ) {
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      this.#received.push(bytes)
      this.#size += bytes.length
      if (this.#size > MAX_RESPONSE) return this.drop(new Error('the response of the broker is too long'))
      this.#arrived()
    })
    socket.on('error', (error) => this.drop(error))
    socket.on('close', () => this.drop(new Error('the broker closed the connection')))
  }

  /** Connects, and logs in where there is a user. Rejects when `signal` aborts. */
  static async connect(
    { host, port }: { readonly host: string; readonly port: number },
    settings: Settings,
    signal: AbortSignal,
  ): Promise<KafkaConnection> {
    const { tls = false, ca, localTargets, user, connect = connectTarget } = settings
    const socket = connect({ host, port, isTls: tls || ca !== undefined, ca, localTargets })
    const connection = new KafkaConnection(socket, settings)
    try {
      // A connection over TLS takes what is written before it is secure, and sends it then.
      if (user !== undefined) await connection.#login(user, signal)
      return connection
    } catch (error) {
      connection.drop()
      throw error
    }
  }

  get isOpen(): boolean {
    return !this.#ended.signal.aborted
  }

  async request<Response>(
    { key, version, body, response }: Call<Response>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { library, clientId } = this.settings
    const correlationId = ++this.#correlationId
    const frame = library.Writer.create()
      .appendInt16(key)
      .appendInt16(version)
      .appendInt32(correlationId)
      .appendString(clientId, false)
      .appendFrom(body)
      .prependLength()
    this.#received = []
    this.#size = 0
    this.socket.write(frame.buffer)
    const reader = library.Reader.from(await untilAborted(this.#frame(), this.#ended.signal, signal))
    if (reader.readInt32() !== correlationId) throw new Error('the peer is not a Kafka broker')
    return response(correlationId, key, version, reader)
  }

  drop(reason: Error = new Error('the connection was closed')): void {
    this.#ended.abort(reason)
    this.socket.destroy()
  }

  /** The next response, without its length. */
  async #frame(): Promise<Buffer> {
    const length = (await this.#bytes(4)).readInt32BE(0)
    if (length < 4 || length > MAX_RESPONSE) throw new Error('the peer is not a Kafka broker')
    return (await this.#bytes(length + 4)).subarray(4, length + 4)
  }

  /** So many bytes of what was received, or more. */
  async #bytes(count: number): Promise<Buffer> {
    while (this.#size < count)
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    const bytes = Buffer.concat(this.#received)
    this.#received = [bytes]
    return bytes
  }

  async #login(user: string, signal: AbortSignal): Promise<void> {
    const { library, mechanism = 'scram-sha-512', password } = this.settings
    const { Writer } = library
    const wanted = MECHANISMS[mechanism]
    const { error, offered } = await this.request(
      {
        key: 17,
        version: 1,
        body: Writer.create().appendString(wanted, false),
        response: (_id, _key, _version, reader) => ({
          error: reader.readInt16(),
          offered: reader.readArray((one) => one.readString(false), false, false),
        }),
      },
      signal,
    )
    if (error !== 0) throw new Error(`the broker does not offer ${wanted}, but ${offered.join(', ')}`)
    const exchange = (message: string): Promise<string> =>
      this.request(
        {
          key: 36,
          version: 0,
          body: Writer.create().appendBytes(Buffer.from(message), false),
          response: (_id, _key, _version, reader) => {
            const [code, text] = [reader.readInt16(), reader.readNullableString(false)]
            if (code !== 0) throw new Error(`the broker refuses the user: ${text ?? `error ${code}`}`)
            return reader.readBytes(false).toString()
          },
        },
        signal,
      )
    if (mechanism === 'plain') await exchange(`\0${user}\0${password ?? ''}`)
    else
      await scram(
        mechanism === 'scram-sha-256' ? 'sha256' : 'sha512',
        { user, password: password ?? '' },
        exchange,
      )
  }
}
