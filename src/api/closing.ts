import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../contract/errors.js'

/**
 * Closes in order: requests under way get their responses, `first` is done, everything new is a 503, and the
 * connections go with the last response, also those on which nothing was ever asked.
 */
export function closeInOrder(app: FastifyInstance, first: () => void): void {
  const underWay = new Set<FastifyReply>()
  let closing = false
  const hangUp = (): void => {
    if (closing && underWay.size === 0) setImmediate(() => app.server.closeAllConnections())
  }
  app.addHook('preClose', async () => {
    closing = true
    for (const reply of underWay) if (!reply.sent) reply.header('connection', 'close')
    first()
    hangUp()
  })
  app.addHook('onRequest', (_, reply, done) => {
    underWay.add(reply)
    // Emitted once, also when the client has closed the connection and there is no onResponse.
    reply.raw.on('close', () => {
      underWay.delete(reply)
      hangUp()
    })
    if (closing) {
      throw new Problem('shutting_down', 'The gateway is stopping. Try again when it is back.', {
        retry_after: 5,
      })
    }
    done()
  })
}
