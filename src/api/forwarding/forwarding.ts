import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { BASE_PATH } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import { keyOfCall } from '../../gateway/nodes/key-of-call.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { addressOf, PASSED_ON_HEADER, requestWords } from '../request/passed-on.js'
import { type NodeClient, NotConnected } from './node-client.js'
import { answerHeaders, requestHeaders } from './passed-headers.js'

/** Seconds after which a caller may try again: a takeover needs a few. */
const RETRY_AFTER = 2
/** Milliseconds in which a daemon that gives equipment to another may answer what it has begun. */
const HANDOVER_MS = 2000

/** How passing a request on may end. */
export const PASSINGS = ['answered', 'not_connected', 'lost', 'left'] as const
export type Passing = (typeof PASSINGS)[number]

/** A request that another daemon carries out. */
interface UnderWay {
  readonly key: string
  readonly node: StoreNode
  readonly isStream: boolean
  readonly ending: AbortController
  /** Another daemon has the key now: the answer is waited for a moment longer. */
  isLeft: boolean
}

type StoreNode = ReturnType<Gateway['ownership']['nodes']>[number]
type Known = Pick<Gateway, 'ownership' | 'equipment' | 'accounts' | 'clock' | 'ready'>

/** Passes requests on to the daemon that carries them out. */
export class Forwarding {
  /** Requests that were passed on, by how that ended. */
  readonly counts = new Map<Passing, number>()
  readonly #underWay = new Set<UnderWay>()

  constructor(
    private readonly gateway: Known,
    private readonly client: NodeClient,
  ) {}

  /** Passes on what other daemons carry out, before its body is read. Added after the hooks that authenticate. */
  serve(app: FastifyInstance): void {
    const { ownership, clock } = this.gateway
    if (ownership.self === null) return
    const unwatch = ownership.changed.on((key) => {
      for (const passed of this.#underWay) {
        const { node, ending } = passed
        const hasLost = (): boolean => ownership.ownerOf(key)?.id !== node.id
        if (passed.key !== key || passed.isLeft || !hasLost()) continue
        passed.isLeft = true
        const cancel = clock.at(clock.now() + HANDOVER_MS, () => {
          passed.isLeft = false
          if (hasLost()) ending.abort()
        })
        ending.signal.addEventListener('abort', cancel, { once: true })
      }
    })
    app.addHook('onRequest', (request, reply, done) => {
      const { endpoint } = request.routeOptions.config
      const key = endpoint && keyOfCall(endpoint, request.params, request.caller, this.gateway)
      if (endpoint === undefined || key === undefined || ownership.owns(key)) return done()
      // One that is too long is refused here, before it is read.
      if (Number(request.headers['content-length'] ?? 0) > endpoint.bodyLimit) return done()
      // Its answer ends the request: no hook that follows runs.
      this.#passOn(key, endpoint, request, reply).catch(done)
    })
    app.addHook('onClose', async () => {
      unwatch()
      await this.client.close()
    })
  }

  /** Ends the answers that do not end by themselves: the server is closing. */
  endStreams(): void {
    for (const { isStream, ending } of this.#underWay) if (isStream) ending.abort()
  }

  async #passOn(
    key: string,
    endpoint: AnyEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const node = this.gateway.ownership.ownerOf(key)
    if (request.passedOn)
      throw unowned(`${request.passedOn.node} takes this daemon for its owner, and it is not`)
    if (!node && !this.gateway.ready) throw noDatabase()
    if (!node) throw unowned('another one takes it over within seconds')
    const { url, id } = node
    if (url === null || id === this.gateway.ownership.self)
      throw unowned(`${node.name} is just taking it over`)
    const isStream = endpoint.media[0] !== 'application/json'
    const underWay: UnderWay = { key, node, isStream, ending: new AbortController(), isLeft: false }
    this.#underWay.add(underWay)
    let passing: Passing = 'left'
    try {
      passing = await this.#exchange(underWay, new URL(url).origin, endpoint, request, reply)
    } catch (error) {
      passing = error instanceof Problem && error.code === 'owner_lost' ? 'lost' : 'not_connected'
      throw error
    } finally {
      this.#underWay.delete(underWay)
      underWay.ending.abort()
      this.counts.set(passing, (this.counts.get(passing) ?? 0) + 1)
    }
  }

  async #exchange(
    { node, isStream, ending }: UnderWay,
    origin: string,
    endpoint: AnyEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Passing> {
    const { method, raw, id } = request
    const { accounts, ownership } = this.gateway
    const name = ownership.nodes().find((one) => one.id === ownership.self)?.name ?? ''
    const path = pathOf(endpoint, request)
    const said = { address: addressOf(request), node: name }
    const token = await accounts.tokens.issuePassedOn(said, requestWords(id, method, path))
    const response = reply.raw
    response.once('close', () => ending.abort())
    if (response.closed) ending.abort()
    const answer = await this.client
      .request({
        origin,
        method,
        path,
        headers: { ...requestHeaders(request.headers), 'x-request-id': id, [PASSED_ON_HEADER]: token },
        body: hasBody(request) ? bodyOf(raw, endpoint.bodyLimit) : null,
        signal: ending.signal,
        isStream,
      })
      .catch((error: unknown) => {
        if (response.closed) return undefined
        throw notAnswered(error, node, method)
      })
    reply.hijack()
    if (!answer) return 'left'
    if (isStream) {
      raw.socket.setKeepAlive(true, HANDOVER_MS)
      raw.socket.setTimeout(0)
    }
    response.writeHead(answer.statusCode, {
      ...(reply.getHeaders() as Record<string, string>),
      ...answerHeaders(answer.headers),
      // What the caller has not sent of a body that was not wanted is not waited for.
      ...(!raw.complete && { connection: 'close' }),
    })
    response.flushHeaders()
    try {
      await pipeline(answer.body, response)
      return 'answered'
    } catch {
      const hasLeft = response.destroyed && !ending.signal.aborted
      response.destroy()
      return hasLeft ? 'left' : 'lost'
    }
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The bytes of a body as they come. The request stays open, since it is still to be answered. */
async function* bodyOf(request: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > limit) throw new Problem('body_too_large', 'The body is larger than this call takes.')
    yield chunk
  }
}

/** The path of the row with the parameters as they were read, and the query as it came. */
function pathOf({ path }: AnyEndpoint, { params, url }: FastifyRequest): string {
  const values = params as Readonly<Record<string, string>>
  const at = url.indexOf('?')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  return `${BASE_PATH}${filled}${at < 0 ? '' : url.slice(at)}`
}

const noDatabase = (): Problem =>
  new Problem(
    'store_unavailable',
    'The database does not answer, so no daemon drives the equipment. Nothing was done.',
  )

const unowned = (why: string, cause?: unknown): Problem =>
  new Problem(
    'equipment_unowned',
    `No daemon carries this out at the moment: ${why}. Nothing was done.`,
    { retry_after: RETRY_AFTER },
    cause,
  )

/** A call that only reads may be repeated, whatever became of it. */
function notAnswered(error: unknown, { name, url }: StoreNode, method: string): Problem {
  if (error instanceof Problem) return error
  if (error instanceof NotConnected) return unowned(`${name} is not reached at ${url}`, error)
  if (method === 'GET' || method === 'HEAD') return unowned(`${name} did not answer`, error)
  return new Problem(
    'owner_lost',
    `${name}, which carried out the call, was lost before it answered. The call may have had its effect.`,
    {},
    error,
  )
}
