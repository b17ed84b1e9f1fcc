import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type ZlibOptions,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { quality } from '../request/media-type.js'

/** The encodings that responses can have, the better first. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

/** Bytes that fit in one packet, with the header: fewer are not worth it. */
const MIN_BYTES = 1024
/** Responses that are compressed at the same time. Those beyond are sent as they are. */
const MAX_AT_ONCE = 16
const COMPRESSIBLE = /^(application\/([\w.-]+\+)?(json|yaml)|text\/(html|plain|css|javascript))\b/

/** Fast: a response is compressed while its caller waits. */
const GZIP: ZlibOptions = { level: 4 }
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressed: Readonly<Record<Encoding, (content: string | Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, BROTLI),
  gzip: (content) => promisify(gzip)(content, GZIP),
}
const opened = {
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(GZIP),
}

/** The encoding that `Accept-Encoding` likes best; undefined where it names none of ours. */
function encodingFor({ headers }: FastifyRequest): Encoding | undefined {
  const given = headers['accept-encoding']
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const [best] = ENCODINGS.map((encoding) => ({ encoding, wish: wishFor(given, encoding) }))
    .filter(({ wish }) => wish > 0 && wish >= wishFor(given, 'identity', 0))
    .sort((one, other) => other.wish - one.wish)
  return best?.encoding
}

/** As for `Accept`, whose grammar is the same but for the word that means any. */
function wishFor(given: string, encoding: string, otherwise?: number): number {
  const named = given
    .split(',', 64)
    .some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === encoding)
  if (!named && otherwise !== undefined) return otherwise
  return quality(given.replace(/(^|,)\s*\*(?=\s*[;,]|\s*$)/g, '$1*/*'), encoding)
}

export const vary = (reply: FastifyReply, name: string): void => {
  const names = [reply.getHeader('vary'), name].filter(Boolean).join(', ')
  if (!String(reply.getHeader('vary') ?? '').includes(name)) reply.header('vary', names)
}

/** Without its bytes, which nobody needs who takes it as it is. */
const isShort = (content: string | Buffer): boolean =>
  content.length < MIN_BYTES && Buffer.byteLength(content) < MIN_BYTES

/**
 * Compresses JSON and text for callers who take that. Records with an `ETag` are short and stay as they are, so that a tag
 * means the same bytes; streams of events go to their caller at once and never come here.
 */
export function compressResponses(app: FastifyInstance): void {
  let underWay = 0
  // Most responses are not compressed: they wait for no promise.
  app.addHook('onSend', (request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '')
    if (
      !payload ||
      !COMPRESSIBLE.test(type) ||
      reply.hasHeader('etag') ||
      reply.hasHeader('content-encoding')
    )
      return done(null, payload)
    const whole = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : undefined
    // What is a stream and has its length is short.
    if (whole === undefined ? reply.hasHeader('content-length') : isShort(whole)) return done(null, payload)
    vary(reply, 'Accept-Encoding')
    const encoding = encodingFor(request)
    if (!encoding || request.method === 'HEAD' || underWay >= MAX_AT_ONCE) return done(null, payload)
    underWay++
    reply.raw.once('close', () => underWay--)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (whole !== undefined) return void compressed[encoding](whole).then((bytes) => done(null, bytes), done)
    const packing = opened[encoding]()
    const source = payload as Readable
    source.on('error', (error) => packing.destroy(error))
    packing.on('close', () => source.destroy())
    done(null, source.pipe(packing))
  })
}

/** A document that stays the same, and its compressed forms, each made once. */
export class KeptDocument {
  readonly #forms = new Map<Encoding, Promise<Buffer>>()

  constructor(
    readonly type: string,
    readonly bytes: Buffer,
    /** The beginning of its tag: each form has one of its own. */
    readonly tag: string,
    gzipped?: Buffer,
  ) {
    if (gzipped) this.#forms.set('gzip', Promise.resolve(gzipped))
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    vary(reply, 'Accept-Encoding')
    const isShort = this.bytes.length < MIN_BYTES && this.#forms.size === 0
    const encoding = isShort ? undefined : encodingFor(request)
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    const own = [undefined, ...ENCODINGS].map((form) => this.#etag(form))
    const etag = this.#etag(encoding)
    reply.header('etag', etag)
    if (known?.some((tag) => tag === '*' || own.includes(tag))) return reply.code(304).send()
    reply.type(this.type)
    if (!encoding) return reply.send(this.bytes)
    return reply.header('content-encoding', encoding).send(await this.#form(encoding))
  }

  #etag(encoding: Encoding | undefined): string {
    return `"${this.tag}${encoding ? `-${encoding}` : ''}"`
  }

  #form(encoding: Encoding): Promise<Buffer> {
    let form = this.#forms.get(encoding)
    if (!form) {
      form = compressed[encoding](this.bytes)
      this.#forms.set(encoding, form)
    }
    return form
  }
}
