import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../contract/errors.js'

/** Seconds after which a client may try again. */
const RETRY_AFTER = 5

export const shuttingDown = (): Problem =>
  new Problem('shutting_down', 'The gateway is stopping. Try again when it is back.', {
    retry_after: RETRY_AFTER,
  })

/**
 * A response under way. A `Set` that has lived for long keeps what was deleted of it until the next full garbage
 * collection: with `reply` that would be the request and all that it has made.
 */
interface UnderWay {
  reply: FastifyReply | undefined
}

/**
 * Closes in order: requests under way get their responses, `first` is done, everything new is a 503, and the
 * connections go with the last response, also those on which nothing was ever asked.
 */
export function closeInOrder(app: FastifyInstance, first: () => void): void {
  const underWay = new Set<UnderWay>()
  let closing = false
  const hangUp = (): void => {
    if (closing && underWay.size === 0) setImmediate(() => app.server.closeAllConnections())
  }
  app.addHook('preClose', async () => {
    closing = true
    for (const { reply } of underWay) if (!reply?.sent) reply?.header('connection', 'close')
    first()
    hangUp()
  })
  app.addHook('onRequest', (_, reply, done) => {
    const call: UnderWay = { reply }
    underWay.add(call)
    // Emitted once, also when the client has closed the connection and there is no onResponse.
    reply.raw.on('close', () => {
      underWay.delete(call)
      call.reply = undefined
      hangUp()
    })
    if (closing) throw shuttingDown()
    done()
  })
}
