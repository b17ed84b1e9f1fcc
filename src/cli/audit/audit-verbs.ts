import { once } from 'node:events'
import { endpoints } from '../../contract/endpoints.js'
import type { Page } from '../../contract/schema.js'
import type { AuditEntry } from '../../contract/topics/audit.js'
import { defined } from '../../kit/defined.js'
import { steeringEscaped } from '../../kit/steering.js'
import { outputFlag } from '../base-command.js'
import { selectorGiven } from '../equipment/label-flags.js'
import { DEFAULT_AMOUNT, LIST_FLAGS, RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { ListCommand } from '../list-command.js'
import { verb } from '../verb.js'
import { AUDIT_FLAGS } from './audit-flags.js'
import { auditColumns } from './audit-output.js'

export const auditList = verb(ListCommand, {
  summary: 'List who did what, newest first.',
  description:
    'One entry for each call that may change something, each login, and each call that a role does not allow. Needs the role admin. Entries are kept for one year, whatever --keep of the daemon is.',
  examples: [
    'secsctl audit list --equipment etch-17 --since 1h',
    'secsctl audit list -l bay=3 --action sendCommand',
    'secsctl audit list --key mes --since 1h',
    'secsctl audit list --user ada@example.com --action sendCommand',
    'secsctl audit list --action login --since yesterday --json',
  ],
  flags: { ...LIST_FLAGS, ...AUDIT_FLAGS, ...LIST_OUTPUT_FLAGS },
  async run(on, { flags }) {
    const { user, key, action } = flags
    await on.printRecords(
      endpoints.listAudit,
      { ...DEFAULT_AMOUNT, ...flags },
      { user, api_key: key, action },
      { columns: auditColumns, none: 'No entries.' },
    )
  },
})

const MAX_PAGE = 1000

export const auditExport = verb(ListCommand, {
  summary: 'Print the audit, one JSON object a line, oldest first.',
  description: 'For an archive, or a program that searches the audit. Needs the role admin.',
  examples: [
    'secsctl audit export > audit.ndjson',
    'secsctl audit export --since 2026-01-01 --until 2026-02-01 > january.ndjson',
  ],
  flags: { ...RANGE_FLAGS, ...AUDIT_FLAGS, output: outputFlag(['json']) },
  async run(on, { flags }) {
    const { user, key, action } = flags
    const equipment_id = await on.equipmentIds(flags.equipment)
    const filters = {
      ...rangeGiven(flags, on.clock.date()),
      ...selectorGiven(flags.selector),
      ...defined({ user, api_key: key, action, equipment_id }),
    }
    const query = { ...filters, order: 'asc', limit: MAX_PAGE } as const
    const { stdout } = on.environment
    let cursor: string | null = null
    do {
      const page: Page<AuditEntry> = await on.call(endpoints.listAudit, {
        query: { ...query, ...(cursor !== null && { cursor }) },
      })
      for (const entry of page.items)
        if (!stdout.write(`${steeringEscaped(JSON.stringify(entry))}\n`)) await once(stdout, 'drain')
      cursor = page.next_cursor
    } while (cursor !== null)
  },
})
