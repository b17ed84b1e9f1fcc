import type { FastifyInstance } from 'fastify'
import { carriedOutBy } from '../../contract/carried-out.js'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import type { Gateway } from '../../gateway/open-gateway.js'

/** What a person needs to look around: who logs in changes nothing of the site. */
const ALLOWED: ReadonlySet<string> = new Set([
  'login',
  'logout',
  'refresh',
  'exchangeDeviceSignOn',
  'exchangePageSignOn',
  'refreshSignOn',
  'endSignOn',
])

/** True for a call that changes something, or asks equipment. */
const isRefusedInStandby = (operation: string, row: AnyEndpoint): boolean =>
  row.isSafe ? carriedOutBy(row) === 'owner' : !ALLOWED.has(operation)

/** Refuses what a gateway in standby does not do, before the body of the call is read. Added after the hooks that authenticate. */
export function refuseInStandby(app: FastifyInstance, { standby }: Pick<Gateway, 'standby'>): void {
  if (!standby) return
  app.addHook('onRequest', (request, _, done) => {
    const { endpoint, operation = '' } = request.routeOptions.config
    if (!endpoint || !isRefusedInStandby(operation, endpoint)) return done()
    done(
      new Problem(
        'standby',
        'This gateway is in standby: it reads what is recorded, and neither changes anything nor asks equipment. Nothing was done.',
      ),
    )
  })
}
