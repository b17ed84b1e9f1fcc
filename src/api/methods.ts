import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/** Which paths and methods the server has, learnt from the routes as they are put on it. */
class Paths {
  readonly #known = new Map<string, KnownPath>()

  add(url: string, methods: readonly string[]): void {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    const known = this.#known.get(url) ?? { pattern, methods: new Set() }
    for (const method of methods) known.methods.add(method)
    this.#known.set(url, known)
  }

  /** Whether it is a route of its own, without parameters. */
  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** The methods of a path; none where there is no such path. One of its own is not that of a parameter. */
  methodsOf(path: string): string[] {
    const own = this.#known.get(path)
    const matching = own ? [own] : [...this.#known.values()].filter(({ pattern }) => pattern.test(path))
    const methods = new Set(matching.flatMap(({ methods }) => [...methods]))
    if (methods.size > 0) methods.add('OPTIONS')
    return [...methods].sort()
  }
}

/**
 * Responds where no route matches: 405 with `Allow` where the path takes other methods, the same as 204 to
 * OPTIONS, 404 for the rest. Has to be called before the first route is added. `respond` may send a 404 of its own: it
 * returns true then.
 */
export function refuseUnknown(
  app: FastifyInstance,
  respond: (request: FastifyRequest, reply: FastifyReply, path: string) => boolean = () => false,
): void {
  const paths = new Paths()
  app.addHook('onRoute', ({ url, method }) => paths.add(url, [method].flat()))
  app.addHook('onRequest', (request, reply, done) => {
    const path = plainPath(request.url.split('?', 1)[0] ?? '')
    // The router takes nothing at all for a parameter, and a path of its own for one; the contract does not.
    const parameters = request.params as Readonly<Record<string, string>>
    const isOther = hasEmpty(parameters) || (paths.has(path) && request.routeOptions.url !== path)
    if (!request.is404 && !isOther) {
      // A client that removes `..` from `/equipment/ID/recipes/..` must not delete the equipment.
      if (request.method === 'DELETE' && request.url.split('?', 1)[0]?.endsWith('/'))
        throw new Problem('not_found', `The path of a DELETE has no / at its end: ${path}`)
      return done()
    }
    const allowed = paths.methodsOf(path)
    if (allowed.length === 0) {
      if (respond(request, reply, path)) return
      throw new Problem('not_found', `There is nothing at ${path}. GET /api/docs lists all paths.`)
    }
    reply.header('allow', allowed.join(', '))
    if (request.method === 'OPTIONS') return void reply.code(204).send()
    throw new Problem('method_not_allowed', `${path} takes ${allowed.join(', ')}, not ${request.method}.`)
  })
}

/** As the router reads it: with one slash where there are several, and none at the end. */
const plainPath = (path: string): string =>
  path.includes('//') || path.endsWith('/') ? path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '') : path

function hasEmpty(parameters: Readonly<Record<string, string>>): boolean {
  for (const name in parameters) if (parameters[name] === '') return true
  return false
}
