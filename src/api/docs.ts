import type { FastifyInstance } from 'fastify'
import { Problem } from '../contract/errors.js'
import { docsPage } from './docs-page.js'
import { quality } from './media-type.js'
import { openApiDocument } from './openapi.js'

const JSON_TYPE = 'application/json'

/** Serves the contract at `/api/docs`: OpenAPI to programs, a page to browsers. */
export function serveDocs(app: FastifyInstance, version: string): void {
  let document: ReturnType<typeof openApiDocument> | undefined
  const describe = (): ReturnType<typeof openApiDocument> => {
    document ??= openApiDocument(version)
    return document
  }
  app.get('/api/docs', async (request, reply) => {
    const { accept } = request.headers
    const [html, json] = [quality(accept, 'text/html'), quality(accept, JSON_TYPE)]
    reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
    if (html > json) {
      return reply
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        )
        .type('text/html; charset=utf-8')
        .send(docsPage(describe()))
    }
    if (json === 0) {
      throw new Problem(
        'not_acceptable',
        `This answers ${JSON_TYPE} and text/html: say one of them in Accept.`,
      )
    }
    return reply.type(`${JSON_TYPE}; charset=utf-8`).send(JSON.stringify(describe()))
  })
}
