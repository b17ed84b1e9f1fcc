import { Problem } from '../../contract/errors.js'
import type { tapEndpoints } from '../../contract/topics/equipment/tap-report.js'
import type { Handlers } from '../handler.js'
import { TappedSession } from './tapped-session.js'

export const tapHandlers: Handlers<typeof tapEndpoints> = {
  async getTap({ params: { id } }, { equipment }) {
    const { session, record } = equipment.observed(id)
    if (session instanceof TappedSession) return session.report()
    throw new Problem('not_tapped', `${record.name} has no tap: the gateway is its only host.`)
  },
}
