import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Secsctl } from './secsctl.js'

export interface FakeCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface FakeAnswer {
  readonly status?: number
  readonly body?: unknown
  /** The answer as it stands, instead of `body` as JSON. */
  readonly text?: string
  /** JSON when left out. */
  readonly media?: string
  /** The answer goes on after `text`, such as a stream of events: it ends with the client. */
  readonly isOpen?: boolean
  /** Nothing is answered: the caller waits as long as it likes. */
  readonly isSilent?: boolean
}

type Routes = Readonly<Record<string, (call: FakeCall) => FakeAnswer>>

/** Answers calls from a table, `GET /equipment` by `GET /equipment`, or as a function says, and remembers them. */
export class FakeGateway {
  readonly calls: FakeCall[] = []
  readonly #server: Server

  constructor(routes: Routes | ((call: FakeCall) => FakeAnswer | undefined)) {
    const answerTo =
      typeof routes === 'function'
        ? routes
        : (call: FakeCall) => routes[`${call.method} ${call.path}`]?.(call)
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of request) chunks.push(Buffer.from(chunk))
      } catch {
        return // the caller has gone
      }
      const text = Buffer.concat(chunks).toString()
      const url = new URL(request.url ?? '/', 'http://fake')
      const call: FakeCall = {
        method: request.method ?? '',
        path: url.pathname.replace('/api/v1', ''),
        query: url.searchParams,
        headers: request.headers,
        body: bodyOf(text),
      }
      this.calls.push(call)
      const {
        status = 200,
        body,
        text: whole,
        media = 'application/json',
        isOpen = false,
        isSilent = false,
      } = answerTo(call) ?? {
        status: 404,
        body: problem(404, 'not_found', `There is no ${call.path}.`),
      }
      if (isSilent) return
      response.writeHead(status, { 'content-type': media })
      if (isOpen) return void response.write(whole ?? '')
      response.end(whole ?? (body === undefined ? '' : JSON.stringify(body)))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.url
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** The JSON of a body; the text of one that has another form. */
function bodyOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

export const problem = (status: number, code: string, detail: string, more: object = {}): object => ({
  type: 'about:blank',
  title: code,
  status,
  detail,
  instance: '/',
  code,
  ...more,
})

/**
 * Serves a gateway to the tests of a file, and forgets the calls of each. The environment of commands that ask it, once
 * the tests run.
 */
export function served(gateway: FakeGateway, secsctl?: Secsctl): Readonly<Record<string, string>> {
  beforeAll(() => gateway.listen())
  afterEach(() => void gateway.calls.splice(0))
  afterAll(async () => {
    await gateway.close()
    secsctl?.remove()
  })
  return {
    get SECSCTL_URL() {
      return gateway.url
    },
    SECSCTL_TOKEN: 'secret',
  }
}
