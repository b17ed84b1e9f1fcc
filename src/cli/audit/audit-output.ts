import type { AuditEntry } from '../../contract/topics/audit.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was asked for, and why, in a line. */
export function auditSummary({ details, reason, count }: AuditEntry): string {
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
  { title: 'EQUIPMENT', text: ({ equipment_id }) => (equipment_id === null ? '' : nameOf(equipment_id)) },
  { title: 'RESULT', text: result },
  { title: 'WHAT', text: auditSummary, wraps: true },
]
