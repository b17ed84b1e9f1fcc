import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { KeptDocument, vary } from '../answers/compression.js'
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
  const made = new Map<string, KeptDocument>()
  const describe = (type: string): KeptDocument => {
    const bytes = Buffer.from(textOf(openApiDocument(version), type))
    const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    return new KeptDocument(`${type}; charset=utf-8`, bytes, tag)
  }
  app.get('/api/docs', async (request, reply) => {
    const type = accepted(request, DOCS_MEDIA)
    vary(reply, 'Accept')
    const document = made.get(type) ?? describe(type)
    made.set(type, document)
    if (type === 'text/html') reply.headers(PAGE_HEADERS)
    return document.send(request, reply.header('cache-control', 'no-cache'))
  })
}

function textOf(document: ReturnType<typeof openApiDocument>, type: string): string {
  if (type === 'text/html') return docsPage(document)
  // Without aliases: not every reader of OpenAPI follows them.
  return type.endsWith('json')
    ? JSON.stringify(document)
    : stringify(document, { aliasDuplicateObjects: false })
}
