import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'

/**
 * Closes in order: what is under way is answered, `first` is done, everything new is a 503, and the
 * connections go with the last answer, also those on which nothing was ever asked.
 */
export function closeInOrder(app: FastifyInstance, first: () => void): void {
  const underWay = new Set<FastifyRequest>()
  let closing = false
  const hangUp = (): void => {
    if (closing && underWay.size === 0) setImmediate(() => app.server.closeAllConnections())
  }
  app.addHook('preClose', async () => {
    closing = true
    first()
    hangUp()
  })
  const end = (request: FastifyRequest): void => {
    underWay.delete(request)
    hangUp()
  }
  app.addHook('onRequest', (request, reply, done) => {
    underWay.add(request)
    // A caller that hung up gets no answer, and so no onResponse.
    reply.raw.once('close', () => end(request))
    if (closing) {
      throw new Problem('shutting_down', 'The gateway is stopping. Try again when it is back.', {
        retry_after: 5,
      })
    }
    done()
  })
  app.addHook('onSend', (_, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, _, done) => {
    end(request)
    done()
  })
}
