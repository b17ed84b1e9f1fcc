import { Flags } from '@oclif/core'
import { AUDIT_FLAGS } from '../../src/cli/audit/audit-flags.js'
import { followAudit } from '../../src/cli/audit/audit-follow.js'
import { auditColumns } from '../../src/cli/audit/audit-output.js'
import { selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { parseTime } from '../../src/cli/input/durations.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { jsonText } from '../../src/cli/output/json-text.js'
import { tsv } from '../../src/cli/output/output.js'
import { visible } from '../../src/cli/output/visible-text.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { AuditEntry, AuditQuery } from '../../src/contract/topics/audit.js'
import { defined } from '../../src/kit/defined.js'

/** How wide the columns are on a terminal: a stream cannot wait for the widest. */
const WIDTHS = [6, 8, 24, 15, 18, 12, 9]
const GAP = '  '

export default class AuditTail extends ListCommand {
  static override summary = 'Follow who does what, as it happens.'
  static override description =
    'Asks the gateway once a second, and continues after the last entry when the network was lost or the gateway restarted. An entry is printed when its call begins: the result of a call that takes longer is "pending", and audit list shows it later. With --json, one object a line. Needs the role admin.'
  static override examples = [
    'secsctl audit tail',
    'secsctl audit tail --equipment etch-17 --since 10m',
    'secsctl audit tail --action login --json',
  ]
  static override flags = {
    ...AUDIT_FLAGS,
    since: Flags.string({
      helpValue: 'TIME',
      summary: 'Begin at this time: 08:00, yesterday, 2026-03-01, or 10m for ten minutes ago.',
    }),
    count: Flags.integer({ char: 'n', min: 1, helpValue: 'N', summary: 'End after so many.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(AuditTail)
    const { user, key, action, since, count = Number.POSITIVE_INFINITY } = flags
    const equipment_id = await this.equipmentIds(flags.equipment)
    const filters: AuditQuery = {
      ...selectorGiven(flags.selector),
      ...defined({ user, api_key: key, action, equipment_id }),
    }
    const start: AuditQuery =
      since === undefined
        ? { after: await this.#newest() }
        : { from: parseTime(since, '--since', this.clock.date()) }
    const { options } = await this.client()
    const columns = auditColumns(await this.equipmentNames(), this.formatTime)
    const signal = this.environment.interruption.hold()
    const persistence = { ...options, ...this.persistence(), clock: this.clock }
    let left = count
    for await (const entry of followAudit(persistence, { ...filters, ...start }, signal)) {
      if (this.format === 'json') this.write(`${jsonText(entry)}\n`)
      else if (this.format === 'tsv') this.write(tsv([entry], columns))
      else this.write(line(columns.map(({ text }) => text(entry))))
      left--
      if (left <= 0) return
    }
  }

  /** The id of the newest entry of all, whatever is followed. */
  async #newest(): Promise<number> {
    const { items } = await this.call(endpoints.listAudit, { query: { limit: 1 } })
    const [newest]: readonly AuditEntry[] = items
    return Number(newest?.id ?? 0)
  }
}

const line = (texts: readonly string[]): string =>
  `${texts
    .map((text, at) => visible(text.replace(/\s+/g, ' ')).padEnd(WIDTHS[at] ?? 0))
    .join(GAP)
    .trimEnd()}\n`
