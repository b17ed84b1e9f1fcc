import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { accepted } from '../request/media-type.js'
import { KeptDocument, vary } from '../responses/compression.js'
import { API_PAGE } from '../web-page.js'
import { DOCS_MEDIA } from './health-paths.js'
import { openApiDocument } from './openapi.js'

/** Serves the contract at `/api/docs`: OpenAPI to programs; browsers are sent to its page where there is one. */
export function serveDocs(app: FastifyInstance, version: string, hasPage: boolean): void {
  const made = new Map<string, KeptDocument>()
  const describe = (accept: string, isCompact: boolean): KeptDocument => {
    const type = accept === 'text/html' ? 'application/json' : accept
    const bytes = Buffer.from(textOf(openApiDocument(version, isCompact), type))
    const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    return new KeptDocument(`${type}; charset=utf-8`, bytes, tag)
  }
  app.get('/api/docs', async (request, reply) => {
    const type = accepted(request, DOCS_MEDIA)
    vary(reply, 'Accept')
    if (type === 'text/html' && hasPage) return reply.redirect(API_PAGE, 302)
    const isCompact = Object.hasOwn(request.query as object, 'compact')
    const name = `${type} ${isCompact}`
    const document = made.get(name) ?? describe(type, isCompact)
    made.set(name, document)
    return document.send(request, reply.header('cache-control', 'no-cache'))
  })
}

function textOf(document: ReturnType<typeof openApiDocument>, type: string): string {
  // Without aliases: not every reader of OpenAPI follows them.
  return type.includes('yaml') || type === 'application/vnd.oai.openapi'
    ? stringify(document, { aliasDuplicateObjects: false })
    : JSON.stringify(document)
}
