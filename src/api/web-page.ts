import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'
import { quality } from './request/media-type.js'
import { KeptDocument, vary } from './responses/compression.js'

/** Where the page shows the API, also to who is not logged in. */
export const API_PAGE = '/api'

/** The paths that the page shows something of its own at. They return the same document; its script reads the path. */
export const PAGE_PATHS = [
  '/',
  '/alarms',
  '/events',
  '/shift',
  '/alarm-rates',
  '/equipment/:id',
  API_PAGE,
] as const

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}
/** Files are named after their content. */
const FOREVER = 'public, max-age=31536000, immutable'

function pageFile(files: ReadonlyMap<string, Buffer>, path: string, type: string): KeptDocument | undefined {
  const bytes = files.get(path)
  if (!bytes) return undefined
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  // The build has compressed it once.
  return new KeptDocument(type, bytes, tag, files.get(`${path}.gz`))
}

/**
 * Serves the web page: `index.html`, and `assets/` with its scripts and styles. The files are kept in
 * memory, so that a page of one version gets all of its files when an update replaces them on disk.
 */
export function serveWebPage(app: FastifyInstance, files: ReadonlyMap<string, Buffer>): void {
  const index = pageFile(files, 'index.html', 'text/html; charset=utf-8')
  if (!index) return app.log.warn('there is no web page: it is not built')
  const assets = new Map<string, KeptDocument>()
  for (const path of files.keys()) {
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)]
    const file = type === undefined ? undefined : pageFile(files, path, type)
    if (file) assets.set(path.replace(/^assets\//, ''), file)
  }

  for (const path of PAGE_PATHS) {
    app.get(path, async (request, reply) => {
      vary(reply, 'Accept')
      if (!wantsPage(request)) {
        throw new Problem(
          'not_found',
          'Here is a page for browsers. The API is at /api/v1; GET /api/docs lists all paths.',
        )
      }
      return index.send(request, reply.headers(PAGE_HEADERS).header('cache-control', 'no-cache'))
    })
  }
  app.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const file = assets.get(name)
    if (!file) throw new Problem('not_found', `The page has no file ${name}.`)
    return file.send(request, reply.headers(PAGE_HEADERS).header('cache-control', FOREVER))
  })
}

/** Paths below which no page is: what is missing there is said as JSON. */
const WITHOUT_PAGES = /^\/(api|assets)(\/|$)/

/**
 * Sends the document of the page as a 404 to a browser at an address that is none, so that the page says so and leads
 * on. False for every other client, and below /api and /assets.
 */
export function unknownPage(
  files: ReadonlyMap<string, Buffer>,
): (request: FastifyRequest, reply: FastifyReply, path: string) => boolean {
  const document = files.get('index.html')
  return (request, reply, path) => {
    const { method, headers } = request
    if (!document || WITHOUT_PAGES.test(path) || (method !== 'GET' && method !== 'HEAD')) return false
    vary(reply, 'Accept')
    if (quality(headers.accept, 'text/html') <= quality(headers.accept, 'application/json')) return false
    reply.code(404).headers(PAGE_HEADERS).header('cache-control', 'no-store')
    reply.type('text/html; charset=utf-8').send(document)
    return true
  }
}

/** A program that asks for JSON gets the page only if its Accept header rates it as high. */
const wantsPage = ({ headers: { accept } }: FastifyRequest): boolean => {
  const page = quality(accept, 'text/html')
  return page > 0 && page >= quality(accept, 'application/json')
}
