import {
  ERRORS,
  type ErrorCode,
  type Fault,
  NEXT_OPERATIONS,
  type NextCall,
  Problem,
} from '../contract/errors.js'
import { isJsonObject, type Json, type JsonObject } from '../kit/text/json.js'

/** No gateway responds at the address. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly kind = 'unreachable'

  constructor(
    readonly url: string,
    detail: string,
    cause?: unknown,
    /** The request may have arrived. */
    readonly asked = false,
  ) {
    super(detail, { cause })
  }
}

export class ResponseProblem extends Problem {
  constructor(
    code: ErrorCode,
    detail: string,
    extra: Problem['extra'],
    /** As the gateway sent it, also where the code is not one that this client knows. */
    readonly httpStatus: number,
    /** The whole problem object, with members that this client does not know. */
    readonly body: JsonObject,
  ) {
    super(code, detail, extra)
  }

  override get status(): number {
    return this.httpStatus
  }
}
const isCode = (word: Json | undefined): word is ErrorCode =>
  typeof word === 'string' && Object.hasOwn(ERRORS, word)

const faultsIn = (value: Json | undefined): readonly Fault[] =>
  Array.isArray(value)
    ? value
        .filter(isJsonObject)
        .map(({ pointer, detail }) => ({ pointer: String(pointer), detail: String(detail) }))
    : []

const nextIn = (value: Json | undefined): readonly NextCall[] =>
  (Array.isArray(value) ? value.filter(isJsonObject) : []).flatMap(({ operation, parameters }) => {
    const known = NEXT_OPERATIONS.find((one) => one === operation)
    const id = isJsonObject(parameters) ? parameters['id'] : undefined
    return known ? [{ operation: known, ...(typeof id === 'string' && { parameters: { id } }) }] : []
  })

/** The problem in a response, or undefined where the body is none. */
export function problemInResponse(
  status: number,
  body: Json,
  retryAfter?: string,
): ResponseProblem | undefined {
  if (!isJsonObject(body) || typeof body['code'] !== 'string') return undefined
  const { code, detail, errors, more_errors, next, message_id, reply_id, s9 } = body
  const seconds = Number(retryAfter)
  return new ResponseProblem(
    isCode(code) ? code : 'internal_error',
    typeof detail === 'string' ? detail : `The gateway responded with ${status} ${String(code)}.`,
    {
      ...(errors !== undefined && { errors: faultsIn(errors) }),
      ...(typeof more_errors === 'number' && { more_errors }),
      ...(next !== undefined && { next: nextIn(next) }),
      ...(typeof message_id === 'string' && { message_id }),
      ...(typeof reply_id === 'string' && { reply_id }),
      ...(typeof s9 === 'string' && { s9 }),
      ...(seconds > 0 && { retry_after: seconds }),
    },
    status,
    body,
  )
}

/** What `text` says as JSON; null for what is none. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

const NOT_TRUSTED =
  'its certificate is not trusted: give that of its authority to the profile (--ca-file of profiles add and profiles update)'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'it does not respond in time',
  ECONNRESET: 'it hung up',
  EPIPE: 'it hung up',
  UND_ERR_SOCKET: 'it hung up',
  UND_ERR_CONNECT_TIMEOUT: 'it does not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'it does not respond in time',
  UND_ERR_BODY_TIMEOUT: 'nothing has come from it for a while',
  EPROTO: 'it does not speak TLS',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP',
  CERT_HAS_EXPIRED: 'its certificate, or that of its authority, has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed: give it to the profile (--ca-file of profiles add and profiles update)',
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  CERT_SIGNATURE_FAILURE: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
}

/** The error for a failed connection, with its reason in words. */
export function unreachable(url: string, error: unknown, asked = false): Unreachable {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  const reason = REASONS[code ?? ''] ?? message ?? String(error)
  return new Unreachable(url, `No gateway responds at ${url}: ${reason}.`, error, asked)
}

/** What a request does: it sends a message to equipment, it changes something else, or it only reads. */
export type Effect = 'message' | 'change' | 'none'

const MAY_HAVE: Readonly<Record<Exclude<Effect, 'none'>, string>> = {
  message: 'The message may have been sent, and the equipment may have acted on it.',
  change: 'The request may have been carried out.',
}

/** No response came to a request that is more than a question. */
export class NoResponse extends Unreachable {
  /** The equipment may have acted. */
  readonly mayHaveActed: boolean

  constructor({ url, message, cause }: Unreachable, effect: keyof typeof MAY_HAVE) {
    super(url, `${message} ${MAY_HAVE[effect]}`, cause, true)
    this.mayHaveActed = effect === 'message'
  }
}
