import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { accepted } from '../request/media-type.js'
import { docsPage } from './docs-page.js'
import { DOCS_MEDIA } from './health-paths.js'
import { openApiDocument } from './openapi.js'

const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** Serves the contract at `/api/docs`: OpenAPI to programs, a page to browsers. */
export function serveDocs(app: FastifyInstance, version: string): void {
  let document: ReturnType<typeof openApiDocument> | undefined
  const describe = (): ReturnType<typeof openApiDocument> => {
    document ??= openApiDocument(version)
    return document
  }
  let yaml: string | undefined
  app.get('/api/docs', async (request, reply) => {
    const type = accepted(request, DOCS_MEDIA)
    reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
    reply.type(`${type}; charset=utf-8`)
    if (type === 'text/html') return reply.headers(PAGE_HEADERS).send(docsPage(describe()))
    if (type.endsWith('json')) return reply.send(JSON.stringify(describe()))
    // Without aliases: not every reader of OpenAPI follows them.
    yaml ??= stringify(describe(), { aliasDuplicateObjects: false })
    return reply.send(yaml)
  })
}
