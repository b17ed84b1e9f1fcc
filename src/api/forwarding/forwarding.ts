import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyTooLarge } from '../../contract/body-limit.js'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { BASE_PATH } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import { isOfSite, keyOfCall } from '../../gateway/nodes/key-of-call.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { upToDate } from '../../gateway/up-to-date.js'
import type { Cancel } from '../../kit/clock.js'
import { addressOf, PASSED_ON_HEADER, requestWords } from '../request/passed-on.js'
import { type ConfirmedChanges, POSITION_HEADER } from './confirmed-changes.js'
import { Ending } from './ending.js'
import { requestHeaders, responseHeaders } from './forwarded-headers.js'
import { type NodeClient, NotConnected } from './node-client.js'
import { RelayedResponse } from './relayed-response.js'

/** Seconds after which a caller may try again: a takeover needs a few. */
const RETRY_AFTER = 2
/** Milliseconds in which a daemon that gives equipment to another may still finish the calls that it has begun. */
const HANDOVER_MS = 2000

/** Milliseconds between two looks whether the daemons that were asked still have what they were asked about. */
const LOOK_MS = 250
/** The most times that one call is forwarded: to an owner, and to daemons that took over from it. */
const MAX_TRIES = 3
/** The longest body that is kept for another attempt, in bytes, and what all that are kept may have. */
const MAX_KEPT = 1024 * 1024
const MAX_ALL_KEPT = 32 * 1024 * 1024

/** The longest body that is read before the other daemon is asked, in bytes: it takes no stream. */
const MAX_WHOLE = 64 * 1024

/** How forwarding a request may end. */
export const FORWARD_RESULTS = ['answered', 'not_connected', 'lost', 'left'] as const
export type ForwardResult = (typeof FORWARD_RESULTS)[number]

/** A request that another daemon carries out. */
interface UnderWay {
  readonly key: string
  readonly node: StoreNode
  readonly isStream: boolean
  readonly ending: Ending
  /** When it was seen that the daemon does not have the key any more: a response is waited for a moment longer. */
  lostAt: number | undefined
}

type StoreNode = ReturnType<Gateway['ownership']['nodes']>[number]
type Known = Pick<Gateway, 'ownership' | 'equipment' | 'accounts' | 'clock' | 'ready' | 'standby' | 'catchUp'>

/** Passes requests on to the daemon that carries them out. */
export class Forwarding {
  /** Forwarded requests, by their result. */
  readonly counts = new Map<ForwardResult, number>()
  readonly #underWay = new Set<UnderWay>()
  /** Bodies that were read already, of requests that this daemon carries out after all. */
  readonly #kept = new WeakMap<FastifyRequest, readonly Uint8Array[]>()
  readonly #allKept: AllKept = { bytes: 0 }
  #cancelLook: Cancel | undefined
  /** Of this daemon; '' before it is known. */
  #name = ''

  constructor(
    private readonly gateway: Known,
    private readonly client: NodeClient,
    private readonly confirmed: ConfirmedChanges,
  ) {}

  /** Passes on what other daemons carry out, before its body is read. Added after the hooks that authenticate. */
  serve(app: FastifyInstance): void {
    const { ownership, standby } = this.gateway
    // In standby no daemon has anything to carry out.
    if (ownership.self === null || standby) return
    app.addHook('onRequest', (request, reply, done) => {
      const { endpoint } = request.routeOptions.config
      const key = endpoint && keyOfCall(endpoint, request.params, request.caller, this.gateway)
      if (endpoint === undefined || key === undefined || ownership.owns(key)) return done()
      // One that is too long is refused here, before it is read.
      if (Number(request.headers['content-length'] ?? 0) > endpoint.bodyLimit) return done()
      // A response of another daemon ends the request: no hook that follows runs.
      this.#passOn(key, endpoint, request, reply).then((isOwn) => isOwn && done(), done)
    })
    app.addHook('preParsing', (request, _, payload, done) => {
      const kept = this.#kept.get(request)
      done(null, kept ? (Readable.from(kept) as typeof payload) : payload)
    })
    app.addHook('onClose', async () => {
      this.#cancelLook?.()
      await this.client.close()
    })
  }

  /** Ends the responses that do not end by themselves: the server is closing. */
  endStreams(): void {
    for (const { isStream, ending } of this.#underWay) if (isStream) ending.end()
  }

  /** Ends calls that were forwarded to a daemon that has lost the key, or whose lease has ended. */
  #look(): void {
    const { ownership, clock } = this.gateway
    const now = clock.now()
    for (const passed of this.#underWay) {
      const hasIt = ownership.ownerOf(passed.key)?.id === passed.node.id
      passed.lostAt = hasIt ? undefined : (passed.lostAt ?? now)
      if (passed.lostAt !== undefined && now >= passed.lostAt + HANDOVER_MS) passed.ending.end()
    }
    this.#cancelLook = this.#underWay.size > 0 ? clock.at(now + LOOK_MS, () => this.#look()) : undefined
  }

  /** True where this daemon has taken the key meanwhile, and is to carry the call out. */
  async #passOn(
    key: string,
    endpoint: AnyEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const kept = keptBody(request, reply, this.#allKept)
    let lost: unknown
    for (let tries = 1; ; tries++) {
      const node = await this.#ownerUpToDate(key, request, lost)
      if (node === undefined) {
        // Before the first attempt nothing of the body has been read.
        if (kept?.isWhole) this.#kept.set(request, kept.chunks)
        return true
      }
      const isStream = endpoint.media[0] !== 'application/json'
      const underWay: UnderWay = { key, node, isStream, ending: new Ending(), lostAt: undefined }
      this.#underWay.add(underWay)
      if (!this.#cancelLook) this.#look()
      let result: ForwardResult = 'left'
      try {
        result = await this.#exchange(underWay, endpoint, request, reply, kept)
        return false
      } catch (error) {
        result = error instanceof Problem && error.code === 'owner_lost' ? 'lost' : 'not_connected'
        const isLost = underWay.lostAt !== undefined
        if (!isLost || tries >= MAX_TRIES || reply.raw.closed || !mayRepeat(request, kept)) throw error
        lost = error
      } finally {
        this.#underWay.delete(underWay)
        this.counts.set(result, (this.counts.get(result) ?? 0) + 1)
      }
    }
  }

  /** The same; where equipment that has no owner was removed meanwhile, it is this one that says so. */
  async #ownerUpToDate(key: string, request: FastifyRequest, lost: unknown): Promise<StoreNode | undefined> {
    try {
      return this.#owner(key, request, lost)
    } catch (error) {
      if (isOfSite(key) || !(error instanceof Problem) || error.code !== 'equipment_unowned') throw error
      await upToDate(this.gateway)
      if (this.gateway.equipment.isRegistered(key)) throw error
      return undefined
    }
  }

  /**
   * The daemon that carries out calls about the key; undefined where it is this one. Throws where there is none; `lost`, if
   * an owner before it may have carried out the call.
   */
  #owner(key: string, { passedOn }: FastifyRequest, lost: unknown): StoreNode | undefined {
    const { ownership, ready } = this.gateway
    if (ownership.owns(key)) return undefined
    const node = ownership.ownerOf(key)
    if (lost !== undefined && !node?.url) throw lost
    if (passedOn) throw unowned(key, `${passedOn.node} takes this daemon for its owner, and it is not`)
    if (!node && !ready) throw noDatabase()
    if (!node) throw unowned(key, 'another one takes over within seconds')
    if (node.url === null || node.id === ownership.self)
      throw unowned(key, `${node.name} is just taking over`)
    return node
  }

  async #exchange(
    { key, node, isStream, ending }: UnderWay,
    endpoint: AnyEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    kept: KeptBody | undefined,
  ): Promise<ForwardResult> {
    const { method, raw, id } = request
    const { accounts, ownership } = this.gateway
    // To list the daemons is to count what each of them drives.
    this.#name ||= ownership.nodes().find((one) => one.id === ownership.self)?.name ?? ''
    const path = pathOf(endpoint, request)
    const said = { address: addressOf(request), node: this.#name }
    const token = accounts.tokens.issuePassedOn(said, requestWords(id, method, path))
    const response = reply.raw
    response.once('close', () => ending.end())
    if (response.closed) ending.end()
    const begin = (status: number, headers: IncomingHttpHeaders): void => {
      this.confirmed.forwarded(endpoint, headers[POSITION_HEADER])
      reply.hijack()
      response.writeHead(status, {
        ...(reply.getHeaders() as Record<string, string>),
        ...responseHeaders(headers),
        // What the caller has not sent of a body that was not wanted is not waited for.
        ...(!raw.complete && { connection: 'close' }),
      })
      if (!isStream) return
      raw.socket.setKeepAlive(true, HANDOVER_MS)
      raw.socket.setTimeout(0)
      response.flushHeaders()
    }
    try {
      const asked = {
        origin: new URL(node.url ?? '').origin,
        method,
        path,
        headers: {
          ...requestHeaders(request.headers),
          ...this.confirmed.headers(endpoint),
          'x-request-id': id,
          [PASSED_ON_HEADER]: token,
        },
        body: hasBody(request) ? await sentBody(raw, endpoint.bodyLimit, kept) : null,
        isStream,
      }
      // The owner was lost while the body came: it was not asked.
      if (ending.isOver) throw new NotConnected('it was lost before it was asked')
      const relayed = new RelayedResponse({ to: response, begin, ending })
      this.client.send(asked, relayed)
      return await relayed.ended
    } catch (error) {
      if (!response.closed) throw withoutResponse(error, key, node, method)
      reply.hijack()
      return 'left'
    }
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Of all bodies that are kept. */
interface AllKept {
  bytes: number
}

/** What has come of a body, for another attempt. */
interface KeptBody {
  readonly all: AllKept
  readonly chunks: Uint8Array[]
  /** Of the chunks. */
  bytes: number
  /** It has become too long, or there is no room for it. */
  isDropped: boolean
  isWhole: boolean
}

/** A body is kept where the call may be repeated: with an Idempotency-Key nothing is done twice. */
function keptBody(request: FastifyRequest, reply: FastifyReply, all: AllKept): KeptBody | undefined {
  if (request.headers['idempotency-key'] === undefined || !hasBody(request)) return undefined
  const kept = { all, chunks: [], bytes: 0, isDropped: false, isWhole: false }
  reply.raw.once('close', () => drop(kept))
  return kept
}

function drop(kept: KeptBody): void {
  kept.all.bytes -= kept.bytes
  kept.bytes = 0
  kept.isDropped = true
}

function mayRepeat(request: FastifyRequest, kept: KeptBody | undefined): boolean {
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (!hasBody(request)) return isSafe || request.headers['idempotency-key'] !== undefined
  return kept?.isWhole === true
}

/** A body as it is sent to another daemon: a short one as a whole. */
async function sentBody(
  request: IncomingMessage,
  limit: number,
  kept: KeptBody | undefined,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  if (kept?.isWhole) return Buffer.concat(kept.chunks)
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (length > MAX_WHOLE) return bodyOf(request, limit, kept)
  const body = await wholeBody(request)
  if (kept) {
    keep(kept, body)
    kept.isWhole = !kept.isDropped
  }
  return body
}

const wholeBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
  })

/** The bytes of a body as they come. The request stays open until its response is sent. */
async function* bodyOf(
  request: IncomingMessage,
  limit: number,
  kept: KeptBody | undefined,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > limit) throw new Problem('body_too_large', bodyTooLarge(limit))
    if (kept) keep(kept, chunk)
    yield chunk
  }
  if (kept) kept.isWhole = !kept.isDropped
}

function keep(kept: KeptBody, chunk: Uint8Array): void {
  if (kept.isDropped) return
  kept.chunks.push(chunk)
  kept.bytes += chunk.length
  kept.all.bytes += chunk.length
  if (kept.bytes <= MAX_KEPT && kept.all.bytes <= MAX_ALL_KEPT) return
  drop(kept)
  kept.chunks.length = 0
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
    'The database does not respond, so it is not known which daemon carries this out. Nothing was done.',
  )

/** Such as a login during a takeover, which is about no equipment. */
const dutyOf = (key: string): string =>
  isOfSite(key)
    ? 'No daemon has the duties of the site, such as logins and sinks, at the moment'
    : 'No daemon drives the equipment at the moment'

const unowned = (key: string, why: string, cause?: unknown): Problem =>
  new Problem(
    'equipment_unowned',
    `${dutyOf(key)}: ${why}. Nothing was done.`,
    { retry_after: RETRY_AFTER },
    cause,
  )

/** A call that only reads may be repeated, whatever became of it. */
function withoutResponse(error: unknown, key: string, { name, url }: StoreNode, method: string): Problem {
  if (error instanceof Problem) return error
  if (error instanceof NotConnected) return unowned(key, `${name} is not reached at ${url}`, error)
  if (method === 'GET' || method === 'HEAD') return unowned(key, `${name} did not respond`, error)
  return new Problem(
    'owner_lost',
    `${name}, which carried out the call, was lost before it responded. The call may have had its effect.`,
    {},
    error,
  )
}
