import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'

/** The claims of a token whose signature, issuer, audience and times have been checked. */
export interface Claims {
  readonly userId: string
  readonly tokenId: string
  /** The generation of the user's tokens that it belongs to. */
  readonly generation: number
  /** The session of company accounts that it belongs to; left out for a token of a local user. */
  readonly session?: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

export interface IssuedToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** What a daemon says of a request that it passes on to another one. */
export interface PassedOn {
  /** The caller's IP address. */
  readonly address: string
  /** The name of the daemon that passes it on. */
  readonly node: string
}

const ISSUER = 'secsctl'
const AUDIENCE = 'secsctl'
/** A token for this audience is no login, and a login is none of these. */
const NODES_AUDIENCE = 'secsctl-nodes'
const NODES_TYPE = 'passed-on+jwt'
/** Daemons of older versions refuse what does not end. */
const PASSING_SECONDS = 60
const ALGORITHM = 'HS256'
/** Longer than any token of ours. */
const MAX_TOKEN_LENGTH = 2048

const expired = (): Problem =>
  new Problem('token_expired', 'The token has expired. Log in again, or refresh tokens before they expire.')
const invalid = (cause?: unknown): Problem =>
  new Problem('unauthenticated', 'The token is not one of this gateway. Log in to get one.', {}, cause)

/** Names a request, so that what is said of it holds for no other one. */
const requestDigest = (request: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('base64url')

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** The JSON object of a part of a token. */
const partOf = (part: string): Readonly<Record<string, unknown>> =>
  Object(JSON.parse(Buffer.from(part, 'base64url').toString()))

const NODES_HEADER = base64url(JSON.stringify({ alg: ALGORITHM, typ: NODES_TYPE }))

function isSame(one: string, other: string): boolean {
  const [given, wanted] = [Buffer.from(one), Buffer.from(other)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Issues and verifies JSON Web Tokens, HS256 and nothing else. */
export class Tokens {
  readonly #key: KeyObject

  /** `key`: 32 random bytes. `seconds`: how long a token is good for. */
  constructor(
    key: Uint8Array,
    readonly clock: Clock,
    readonly seconds: number,
  ) {
    if (key.length < 32) throw new RangeError('the signing key has to have 32 bytes')
    this.#key = createSecretKey(key)
  }

  async issue(user: {
    readonly id: string
    readonly role: string
    readonly generation: number
    /** A session of company accounts, whose tokens are good for `seconds`. */
    readonly session?: { readonly id: string; readonly seconds: number } | undefined
  }): Promise<IssuedToken> {
    const { session } = user
    const issued = Math.floor(this.clock.date().getTime() / 1000)
    const expires = issued + (session?.seconds ?? this.seconds)
    const token = await new SignJWT({
      role: user.role,
      gen: user.generation,
      ...(session && { sid: session.id }),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(user.id)
      .setJti(randomBytes(16).toString('base64url'))
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issued)
      .setExpirationTime(expires)
      .sign(this.#key)
    return { token, expires: expires * 1000 }
  }

  /** Throws `unauthenticated` for a token that is not ours, `token_expired` for one that has expired. */
  async verify(token: string): Promise<Claims> {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid()
    const { payload } = await jwtVerify(token, this.#key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: this.clock.date(),
      requiredClaims: ['iat'],
    }).catch((error: unknown) => {
      throw error instanceof errors.JWTExpired ? expired() : invalid(error)
    })
    const { sub, jti, exp, gen, sid } = payload
    if (
      typeof sub !== 'string' ||
      typeof jti !== 'string' ||
      typeof exp !== 'number' ||
      typeof gen !== 'number'
    ) {
      throw invalid()
    }
    const session = typeof sid === 'string' ? { session: sid } : {}
    return { userId: sub, tokenId: jti, generation: gen, expires: exp * 1000, ...session }
  }

  /**
   * For another daemon with the same key. `request`: its id, method and path with the query. Not signed by jose: jose
   * signs and verifies in the thread pool, which took as long as the forwarded call itself.
   */
  issuePassedOn({ address, node }: PassedOn, request: readonly string[]): string {
    const iat = Math.floor(this.clock.date().getTime() / 1000)
    const registered = { iss: ISSUER, aud: NODES_AUDIENCE, iat, exp: iat + PASSING_SECONDS }
    const claims = { address, node, request: requestDigest(request), ...registered }
    const signed = `${NODES_HEADER}.${base64url(JSON.stringify(claims))}`
    return `${signed}.${this.#signatureOf(signed)}`
  }

  /**
   * Undefined where the token is not one for this request, signed with the same key. Its times are not looked at: the
   * clocks of two daemons may differ by anything, and it is good for one id of a request alone.
   */
  verifyPassedOn(token: string, request: readonly string[]): PassedOn | undefined {
    if (token.length > MAX_TOKEN_LENGTH) return undefined
    const [header = '', claims = '', signature = '', ...more] = token.split('.')
    if (more.length > 0 || !isSame(signature, this.#signatureOf(`${header}.${claims}`))) return undefined
    const { alg, typ } = partOf(header)
    const { iss, aud, address, node, request: about } = partOf(claims)
    if (alg !== ALGORITHM || typ !== NODES_TYPE || iss !== ISSUER || aud !== NODES_AUDIENCE) return undefined
    if (typeof address !== 'string' || typeof node !== 'string' || about !== requestDigest(request))
      return undefined
    return { address, node }
  }

  /** HS256 (RFC 7518). */
  #signatureOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}
