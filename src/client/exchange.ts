import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { Problem } from '../contract/errors.js'
import type { Cancel } from '../kit/clock.js'
import { Unreachable, unreachable } from './failures.js'
import { trustOf } from './trust.js'

export interface HttpRequest {
  readonly method: string
  /** Path and query, below the path of the gateway's URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Milliseconds without a byte after which the call is given up. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Watches while there is no whole response, and may give the call up. */
  readonly watch?: ((giveUp: () => void) => Cancel) | undefined
}

export interface HttpReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The most bytes of a response that are read: a page of 1,000 messages with 100 KiB each and more. */
const MAX_REPLY_LENGTH = 256 * 1024 * 1024

/** The URL of a gateway. Throws `invalid_request` for what is none. */
export function gatewayUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Problem('invalid_request', `${text} is no URL of a gateway; one is http://127.0.0.1:7327.`)
  }
  return url
}

/** The path of `path` at the gateway, which may itself be below a path of its host. */
export const pathAt = (gateway: URL, path: string): string =>
  gateway.pathname.replace(/(?<!\/)\/+$/, '') + path

async function start(url: URL, options: RequestOptions): Promise<ClientRequest> {
  if (url.protocol !== 'https:') return (await import('node:http')).request(options)
  const [{ request }, trust] = await Promise.all([import('node:https'), trustOf(url.origin)])
  return request({ ...options, ...trust })
}

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

async function textOf(url: URL, reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_REPLY_LENGTH)
      throw new Unreachable(url.origin, `The response of ${url.origin} has no end.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * One request and its response over a connection of its own. Rejects with `Unreachable`, or with the reason
 * of `signal`. (undici would take 200 ms for its first request, node:http takes 2.)
 */
export async function exchange(url: URL, given: HttpRequest): Promise<HttpReply> {
  const { method, path, body, timeout, signal, watch } = given
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  signal?.throwIfAborted()
  const request = await start(url, {
    ...urlToHttpOptions(url),
    method,
    path: pathAt(url, path),
    headers: { ...given.headers, ...length },
    agent: false,
    ...(timeout !== undefined && { timeout }),
    ...(signal && { signal }),
  })
  let asked = false
  let silence: Error | undefined
  const giveUp = (): void => {
    silence = Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })
    request.destroy(silence)
  }
  const endWatch = watch?.(giveUp)
  try {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      // The whole request is with the operating system: from then on it may have arrived.
      request.on('finish', () => {
        asked = request.socket?.connecting === false
      })
      request.on('response', resolve)
      request.on('error', reject)
      request.on('timeout', giveUp)
      request.end(body)
    })
    return { status: reply.statusCode ?? 0, headers: flat(reply.headers), text: await textOf(url, reply) }
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof Unreachable ? error : unreachable(url.origin, silence ?? error, asked)
  } finally {
    endWatch?.()
    request.destroy()
  }
}
