import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

export interface WebhookCall {
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

type Answer = number | ((response: ServerResponse, call: WebhookCall) => void)

/** An HTTP server that answers as it is told, and remembers what it has kept. */
export class WebhookServer {
  readonly calls: WebhookCall[] = []
  /** Paths with queries, of all calls. */
  readonly urls: string[] = []
  answer: (call: WebhookCall) => Answer = () => 204
  readonly #server: Server

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of request) chunks.push(Buffer.from(chunk))
      } catch {
        // The caller has gone.
        return
      }
      const body = Buffer.concat(chunks)
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
      const call = { headers: request.headers, text }
      this.urls.push(request.url ?? '')
      const answer = this.answer(call)
      this.calls.push(call)
      if (typeof answer === 'function') return answer(response, call)
      response.writeHead(answer)
      response.end()
    })
  }

  static async listen(): Promise<WebhookServer> {
    const server = new WebhookServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => server.close())
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  /** The messages of all calls, in their order. */
  get messages(): { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }[] {
    return this.calls.flatMap(({ text }) => JSON.parse(text))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
