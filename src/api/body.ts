import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'
import { atOnce, inTurns } from '../kit/turns.js'

/** How deep arrays and objects of a body may nest: twice as deep as the lists of a message. */
const DEEPEST = 512
/** Bytes of a body above which the event loop is given back between the steps of reading it. */
const LONG = 256 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`, `]` and `}` differ in one bit. */
const CASE_BIT = 0x20
const OPENS = 0x7b
const CLOSES = 0x7d

/** Walks the bytes rather than the value, so that nothing deep is ever built. */
function nestsTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (quoted) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if ((byte | CASE_BIT) === OPENS && ++depth > DEEPEST) return true
    else if ((byte | CASE_BIT) === CLOSES) depth--
  }
  return false
}

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

/** Why `text` was refused: fastify's parser keeps that to itself. */
function whyNoJson(text: string): string {
  try {
    JSON.parse(text)
    return 'it has a key that is never taken, `__proto__` or `constructor.prototype`'
  } catch (error) {
    return (error as Error).message
  }
}

/** The steps of reading a body: with 24 MiB each but the first takes a tenth of a second or more. */
function* reading(request: FastifyRequest, bytes: Buffer, parseJson: JsonParser): Generator<void, unknown> {
  refuseOtherTypes(request)
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not valid UTF-8.')
  yield
  if (nestsTooDeep(bytes)) {
    throw new Problem('invalid_request', `The body nests deeper than ${DEEPEST} levels.`)
  }
  yield
  const text = bytes.toString()
  yield
  let value: unknown
  parseJson(request, text, (error, parsed) => {
    if (error) throw new Problem('invalid_json', `The body cannot be read as JSON: ${whyNoJson(text)}.`)
    value = parsed
  })
  yield
  return value
}

/** Reads bodies: nothing is no body, whatever its type is said to be; all else has to be JSON. */
export function readBodies(app: FastifyInstance): void {
  // Refuses `__proto__` and `constructor.prototype`, which would reach into what is built from the body.
  const parseJson = app.getDefaultJsonParser('error', 'error') as JsonParser
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, given, done) => {
    const bytes = given as Buffer
    if (bytes.length === 0) return done(null, undefined)
    const steps = reading(request, bytes, parseJson)
    if (bytes.length > LONG) {
      inTurns(steps).then((value) => done(null, value), done)
      return
    }
    let value: unknown
    try {
      value = atOnce(steps)
    } catch (error) {
      return done(error as Error)
    }
    done(null, value)
  })
  app.addHook('onRequest', ({ headers }, _, done) => {
    const { 'content-type': type, 'transfer-encoding': encoding, 'content-length': length = 0 } = headers
    if (type !== undefined && encoding === undefined && Number(length) === 0) delete headers['content-type']
    done()
  })
}
