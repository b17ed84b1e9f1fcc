import type { auditEndpoints } from '../../contract/topics/audit.js'
import type { Handlers } from '../handler.js'

export const auditHandlers: Handlers<typeof auditEndpoints> = {
  listAudit: async ({ query }, { audit, equipment }) =>
    audit.list(query, equipment.labels.selection(query)()),
}
