import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'
import { JsonLimitError, jsonSteps } from '../../kit/text/json-steps.js'
import { inTurns, nextTurn } from '../../kit/turns.js'

/** How deep arrays and objects of a body may nest: twice as deep as the lists of a message. */
const MAX_DEPTH = 512

const JSON_TYPE = /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8\b)/i

function refuseOtherTypes(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? ''
  if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) {
    throw new Problem(
      'unsupported_media_type',
      'A body has to be JSON in UTF-8: send Content-Type: application/json.',
    )
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'A body has to be sent as it is, without Content-Encoding.')
  }
}

type JsonParser = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, value?: unknown) => void,
) => void

const FORBIDDEN = 'it has a key that is never taken, `__proto__` or `constructor.prototype`'

const notRead = (why: string): Problem =>
  new Problem('invalid_json', `The body cannot be read as JSON: ${why}.`)

declare module 'fastify' {
  interface FastifyRequest {
    /** Digest of the bytes of a long body that came with an Idempotency-Key. */
    bodyDigest: string | null
  }
}

/** A body of more bytes is compared as it came: to write its value anew would take long. Room is made for all of it. */
const LONG = 256 * 1024

/**
 * Calls `done` with the bytes of a body, or with why there are none. Those of a long one are copied as they come, into
 * room that the system gives when it is written to: to put 20 MiB together at once takes 13 ms, as Fastify does.
 */
function collect(
  { headers, routeOptions }: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const { bodyLimit: limit = 0 } = routeOptions
  const announced = Number(headers['content-length'] ?? Number.NaN)
  const chunks: Buffer[] = []
  let room: Buffer | undefined
  let length = 0
  const add = (chunk: Buffer): void => {
    const at = length
    length += chunk.length
    if (length > limit) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else if (length > announced) end(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    else if (room) room.set(chunk, at)
    else {
      chunks.push(chunk)
      if (length <= LONG) return
      room = Buffer.allocUnsafeSlow(Number.isNaN(announced) ? limit : announced)
      room.set(Buffer.concat(chunks))
    }
  }
  const end = (error?: Error): void => {
    payload.off('data', add).off('end', end).off('error', end)
    if (error) return done(Object.assign(error, { statusCode: 400, ...error }))
    if (length < announced) return done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    done(null, room ? room.subarray(0, length) : Buffer.concat(chunks))
  }
  if (announced > limit) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  payload.on('data', add).on('end', end).on('error', end)
}

function* digestSteps(bytes: Buffer): Generator<void, string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += LONG) {
    hash.update(bytes.subarray(from, from + LONG))
    yield
  }
  return hash.digest('base64url')
}

/** The steps of reading a body. */
function* reading(request: FastifyRequest, bytes: Buffer, parseJson: JsonParser): Generator<void, unknown> {
  refuseOtherTypes(request)
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not valid UTF-8.')
  if (bytes.length > LONG && request.headers['idempotency-key'] !== undefined) {
    request.bodyDigest = yield* digestSteps(bytes)
  }
  const parse = (text: string): unknown => {
    let value: unknown
    parseJson(request, text, (error, parsed) => {
      if (!error) value = parsed
      // Fastify's parser keeps to itself why it refuses a text.
      else if (JSON.parse(text) !== undefined) throw notRead(FORBIDDEN)
    })
    return value
  }
  try {
    return yield* jsonSteps(bytes, { maxDepth: MAX_DEPTH, parse })
  } catch (error) {
    if (error instanceof JsonLimitError)
      throw new Problem('invalid_request', `The body is refused: ${error.message}.`)
    if (!(error instanceof SyntaxError)) throw error
    throw notRead(error.message)
  }
}

/** Reads bodies: nothing is no body, whatever its type is said to be; all else has to be JSON. */
export function readBodies(app: FastifyInstance): void {
  // Refuses `__proto__` and `constructor.prototype`, which would reach into what is built from the body.
  const parseJson = app.getDefaultJsonParser('error', 'error') as JsonParser
  app.decorateRequest('bodyDigest', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    collect(request, payload, (refusal, bytes) => {
      if (!bytes || bytes.length === 0) return done(refusal, undefined)
      const steps = reading(request, bytes, parseJson)
      let first: IteratorResult<void, unknown>
      try {
        first = steps.next()
      } catch (error) {
        return done(error as Error)
      }
      if (first.done) return done(null, first.value)
      nextTurn()
        .then(() => inTurns(steps))
        .then((value) => done(null, value), done)
    })
  })
  app.addHook('onRequest', ({ headers }, _, done) => {
    const { 'content-type': type, 'transfer-encoding': encoding, 'content-length': length = 0 } = headers
    if (type !== undefined && encoding === undefined && Number(length) === 0) delete headers['content-type']
    done()
  })
}
