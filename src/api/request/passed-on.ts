import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'
import type { PassedOn, Tokens } from '../../gateway/accounts/tokens.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where another daemon has passed the request on. */
    passedOn: PassedOn | null
  }
}

/** Holds what the daemon that passes a request on says of it. */
export const PASSED_ON_HEADER = 'secsctl-forwarded'

/** What a request is recognised by: its id, its method, and its path with the query. */
export const requestWords = (id: string, method: string, url: string): readonly string[] => [id, method, url]

/** The caller's IP address, also where another daemon has passed the request on. */
export const addressOf = (request: FastifyRequest): string => request.passedOn?.address ?? request.ip

/**
 * Reads what another daemon says of a request. Without a valid signature it is refused, and never taken for a caller's own
 * request: two daemons that do not believe each other would pass it to and fro.
 */
export function recognisePassedOn(app: FastifyInstance, tokens: Pick<Tokens, 'verifyPassedOn'>): void {
  app.decorateRequest('passedOn', null)
  app.addHook('onRequest', (request, _, done) => {
    const header = request.headers[PASSED_ON_HEADER]
    if (header === undefined) return done()
    const words = requestWords(request.id, request.method, request.url)
    const passedOn = tokens.verifyPassedOn(String(header), words)
    if (!passedOn) throw refused()
    request.passedOn = passedOn
    done()
  })
}

const refused = (): Problem =>
  new Problem(
    'invalid_request',
    `The header ${PASSED_ON_HEADER} is for the daemons of one site alone, and this one is not signed with its key or is too old.`,
  )
