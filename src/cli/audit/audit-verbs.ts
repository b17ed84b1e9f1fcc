import { once } from 'node:events'
import { Flags } from '@oclif/core'
import { endpoints } from '../../contract/endpoints.js'
import type { AuditEntry } from '../../contract/topics/audit.js'
import { defined } from '../../kit/defined.js'
import { steeringEscaped } from '../../kit/steering.js'
import { outputFlag } from '../base-command.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { shownName } from '../equipment/shown-name.js'
import { textFlag } from '../input/flags.js'
import { DEFAULT_AMOUNT, EQUIPMENT_FLAG, LIST_FLAGS, RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { ListCommand } from '../list-command.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'

/** What narrows the audit. */
export const AUDIT_FLAGS = {
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  user: textFlag('EMAIL', 'Only of this user.'),
  key: textFlag('NAME', 'Only of this API key.'),
  action: Flags.option({
    // `resetAdmin` is what `daemon reset-admin` records: no call of the API does it.
    options: [...Object.keys(endpoints), 'resetAdmin'].sort(),
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'ACTION',
    summary: 'Only this call of the API, such as sendCommand or login. May be repeated.',
  })(),
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was asked for, and why, in a line. */
function auditSummary({ details, reason, count }: AuditEntry): string {
  const asked = Object.entries(details).map(([name, value]) =>
    name === 'fields' && Array.isArray(value)
      ? `${value.join(', ')} (not shown)`
      : `${name}=${valueText(value)}`,
  )
  const why = reason === null ? [] : [`"${reason}"`]
  return [...(count > 1 ? [`${count} calls`] : []), ...asked, ...why].join(' ')
}

/** How the call ended: the error code of a failure. */
const result = ({ status, code }: AuditEntry): string =>
  status === null ? 'pending' : (code ?? (status < 400 ? 'done' : String(status)))

/** Columns of the audit. */
export const auditColumns = (
  nameOf: (id: string) => string,
  formatTime: FormatTime,
): readonly Column<AuditEntry>[] => [
  { title: 'ID', text: ({ id }) => id, spare: true },
  { title: 'AT', text: ({ at }) => formatTime(at) },
  { title: 'USER', text: ({ user, api_key }) => (api_key ? `key:${api_key.name}` : (user ?? '')) },
  { title: 'ADDRESS', text: ({ address }) => address ?? '', spare: true },
  { title: 'ACTION', text: ({ action }) => action },
  {
    title: 'EQUIPMENT',
    text: ({ equipment_id, equipment_name }) =>
      equipment_id === null ? '' : shownName(nameOf, { equipment_id, equipment_name }),
  },
  { title: 'RESULT', text: result },
  { title: 'WHAT', text: auditSummary, wraps: true },
]

export const auditList = verb(ListCommand, {
  summary: 'List who did what, newest first.',
  description:
    'Each call that may change something, each login, and each call that a role does not allow is one entry. Needs the role admin. Entries are kept for one year, independent of --keep of the daemon.',
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
    const { stdout } = on.environment
    for await (const entry of on.recordsOf(endpoints.listAudit, { ...filters, order: 'asc' }))
      if (!stdout.write(`${steeringEscaped(JSON.stringify(entry))}\n`)) await once(stdout, 'drain')
  },
})
