import { type AbstractSecs2Item, B, L, A as text } from 'secs4js'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { RunningDaemon } from '../../src/daemon/daemon.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'
import { ForeignPeer } from '../support/foreign-peer.js'
import { type PlainBody, PlainClient } from '../support/plain-client.js'
import { LOOPBACK } from '../support/tcp.js'

/** What is answered, by the name of the primary: a body, or what makes one of the body that came; none is aborted, null is an answer without a body. */
export type ForeignAnswers = Readonly<
  Record<
    string,
    null | AbstractSecs2Item | ((asked: AbstractSecs2Item | undefined) => AbstractSecs2Item | undefined)
  >
>

/** Bytes. */
export const bytes = (...values: number[]): AbstractSecs2Item => B(Buffer.from(values))

/** The items of a list, none for anything else. */
export const itemsOf = (item: AbstractSecs2Item | undefined): AbstractSecs2Item[] =>
  Array.isArray(item?.value) ? item.value.filter((inner) => typeof inner === 'object') : []

/** Answers a list of identifiers with a value for each, and `<L>` for one that is not there. */
export const valuesBy =
  (values: Readonly<Record<string, AbstractSecs2Item>>) => (asked: AbstractSecs2Item | undefined) =>
    L(...itemsOf(asked).map(({ value }) => values[String(value)] ?? L()))

/** A daemon for the tests of a file, and its administrator. */
export function daemonForFile(): () => { readonly url: string; readonly client: PlainClient } {
  const folder = scratchFolders()
  let daemon: RunningDaemon
  let client: PlainClient
  beforeAll(async () => {
    daemon = await startDaemonHere(folder())
    client = await new PlainClient(daemon.url).login(DAEMON_ADMIN)
  })
  afterAll(() => daemon.stop())
  return () => ({ url: daemon.url, client })
}

/** What connects foreign equipment to the daemon of a file. */
export function foreignTools(): (answers: ForeignAnswers, given?: object) => Promise<ForeignTool> {
  const daemon = daemonForFile()
  return (answers, given) => ForeignTool.connect(daemon().client, answers, given)
}

/** An equipment that secs4js speaks for, registered at a gateway and driven over REST alone. */
export class ForeignTool {
  private constructor(
    readonly peer: ForeignPeer,
    readonly id: string,
    readonly name: string,
    private readonly client: PlainClient,
  ) {}

  /** Connects one that aborts whatever `answers` does not have, until the test is over. */
  static async connect(
    client: PlainClient,
    answers: ForeignAnswers,
    given: object = {},
  ): Promise<ForeignTool> {
    const peer = await ForeignPeer.start({}, true, ({ stream, func, body }) => {
      if (stream === 1 && func === 13)
        return { function: 14, body: L(bytes(0), L(text('FOREIGN'), text('1'))) }
      const answer = answers[`S${stream}F${func}`]
      const made = typeof answer === 'function' ? answer(body ?? undefined) : answer
      if (made === undefined) return { function: 0 }
      return { function: func + 1, ...(made && { body: made }) }
    })
    const name = `tool ${peer.port}`
    const at = { name, ip_address: LOOPBACK, port: peer.port, gem_startup: false }
    const { body } = await client.post('/equipment', { ...at, ...given })
    onTestFinished(async () => {
      await client.delete(`/equipment/${body.id}`)
      await peer.stop()
    })
    const { body: connected } = await client.post(`/equipment/${body.id}/connect`)
    if (connected.communication_state !== 'COMMUNICATING') throw new Error(JSON.stringify(connected))
    return new ForeignTool(peer, body.id, name, client)
  }

  /** The primaries that came behind S1F13, in its own SML: `S1F3 W <L [1] <U4 [1] 7> >`. */
  get asked(): string[] {
    return this.peer.received
      .filter(({ stream, function: fn }) => stream !== 1 || fn !== 13)
      .map(({ sml }) => sml.replace(/\.$/, '').trim())
  }

  get = (path: string): Promise<PlainBody> => this.#call('GET', path)
  post = (path: string, body?: unknown): Promise<PlainBody> => this.#call('POST', path, body)
  put = (path: string, body?: unknown): Promise<PlainBody> => this.#call('PUT', path, body)
  delete = (path: string): Promise<PlainBody> => this.#call('DELETE', path)

  /** What a list of the whole gateway has of this equipment. */
  async list(path: string): Promise<PlainBody> {
    return (await this.client.get(`${path}?equipment_id=${this.id}`)).body.items
  }

  /** The body of the answer, which may be a problem. */
  async #call(method: string, path: string, body?: unknown): Promise<PlainBody> {
    return (await this.client.call(method, `/equipment/${this.id}${path}`, body)).body
  }
}
