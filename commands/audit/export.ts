import { once } from 'node:events'
import { AUDIT_FLAGS } from '../../src/cli/audit/audit-flags.js'
import { outputFlag } from '../../src/cli/base-command.js'
import { selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { RANGE_FLAGS, rangeGiven } from '../../src/cli/input/list-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Page } from '../../src/contract/schema.js'
import type { AuditEntry } from '../../src/contract/topics/audit.js'
import { defined } from '../../src/kit/defined.js'
import { steeringEscaped } from '../../src/kit/steering.js'

const MAX_PAGE = 1000

export default class AuditExport extends ListCommand {
  static override summary = 'Print the audit, one JSON object a line, oldest first.'
  static override description = 'For an archive, or a program that searches the audit. Needs the role admin.'
  static override examples = [
    'secsctl audit export > audit.ndjson',
    'secsctl audit export --since 2026-01-01 --until 2026-02-01 > january.ndjson',
  ]
  static override flags = { ...RANGE_FLAGS, ...AUDIT_FLAGS, output: outputFlag(['json']) }

  async run(): Promise<void> {
    const { flags } = await this.parse(AuditExport)
    const { user, key, action } = flags
    const equipment_id = await this.equipmentIds(flags.equipment)
    const filters = {
      ...rangeGiven(flags, this.clock.date()),
      ...selectorGiven(flags.selector),
      ...defined({ user, api_key: key, action, equipment_id }),
    }
    const query = { ...filters, order: 'asc', limit: MAX_PAGE } as const
    const { stdout } = this.environment
    let cursor: string | null = null
    do {
      const page: Page<AuditEntry> = await this.call(endpoints.listAudit, {
        query: { ...query, ...(cursor !== null && { cursor }) },
      })
      for (const entry of page.items)
        if (!stdout.write(`${steeringEscaped(JSON.stringify(entry))}\n`)) await once(stdout, 'drain')
      cursor = page.next_cursor
    } while (cursor !== null)
  }
}
