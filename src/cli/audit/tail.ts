import { GatewayClient } from '../../client/client.js'
import { type PersistentOptions, persistent } from '../../client/persistent.js'
import { endpoints } from '../../contract/endpoints.js'
import type { AuditEntry, AuditQuery } from '../../contract/topics/audit.js'
import { delay } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import { padded } from '../../kit/text/columns.js'
import { visible } from '../../kit/text/visible-text.js'
import { selectorGiven } from '../equipment/label-flags.js'
import { parseTime } from '../input/durations.js'
import { numberFlag, textFlag } from '../input/flags.js'
import { ListCommand } from '../list-command.js'
import { jsonText } from '../output/json-text.js'
import { tsv } from '../output/output.js'
import { verb } from '../verb.js'
import { AUDIT_FLAGS, auditColumns } from './audit-verbs.js'

/** Milliseconds between two questions for new entries. */
const INTERVAL_MS = 1000
const MAX_PAGE = 1000

/** The entries after that of `query.after`, oldest first; then new ones as they come, until `signal` aborts. */
function followAudit(
  options: PersistentOptions,
  query: AuditQuery,
  signal: AbortSignal,
): AsyncGenerator<AuditEntry> {
  let { after } = query
  return persistent(
    options,
    async function* (where, { opened, received }): AsyncGenerator<AuditEntry> {
      const client = new GatewayClient(where)
      while (!signal.aborted) {
        const wanted = {
          ...query,
          order: 'asc',
          limit: MAX_PAGE,
          ...(after !== undefined && { after }),
        } as const
        const { items } = await client.call(endpoints.listAudit, { query: wanted }, { signal })
        opened()
        received()
        for (const entry of items) {
          after = Number(entry.id)
          yield entry
        }
        if (items.length < MAX_PAGE) await delay(options.clock, INTERVAL_MS, signal)
      }
    },
    signal,
  )
}

/** How wide the columns are on a terminal: a stream cannot wait for the widest. */
const WIDTHS = [6, 8, 24, 15, 18, 12, 9]
const GAP = '  '

export const auditTail = verb(ListCommand, {
  summary: 'Follow who does what, as it happens.',
  description:
    'Asks the gateway once a second, and continues after the last entry when the network was lost or the gateway restarted. An entry is printed when its call begins: the result of a call that takes longer is "pending", and audit list shows it later. With --json, one object a line. Needs the role admin.',
  examples: [
    'secsctl audit tail',
    'secsctl audit tail --equipment etch-17 --since 10m',
    'secsctl audit tail --action login --json',
  ],
  flags: {
    ...AUDIT_FLAGS,
    since: textFlag('TIME', 'Begin at this time: 08:00, yesterday, 2026-03-01, or 10m for ten minutes ago.'),
    count: numberFlag('End after N.', { char: 'n', min: 1 }),
  },
  async run(on, { flags }) {
    const { user, key, action, since, count = Number.POSITIVE_INFINITY } = flags
    const equipment_id = await on.equipmentIds(flags.equipment)
    const filters: AuditQuery = {
      ...selectorGiven(flags.selector),
      ...defined({ user, api_key: key, action, equipment_id }),
    }
    const start: AuditQuery =
      since === undefined
        ? { after: await newest(on) }
        : { from: parseTime(since, '--since', on.clock.date()) }
    const { options } = await on.client()
    const columns = auditColumns(await on.equipmentNames(), on.formatTime)
    const signal = on.environment.interruption.hold()
    const persistence = { ...options, ...on.persistence(), clock: on.clock }
    let left = count
    for await (const entry of followAudit(persistence, { ...filters, ...start }, signal)) {
      if (on.format === 'json') on.write(`${jsonText(entry)}\n`)
      else if (on.format === 'tsv') on.write(tsv([entry], columns))
      else on.write(line(columns.map(({ text }) => text(entry))))
      left--
      if (left <= 0) return
    }
  },
})

/** The id of the newest entry of all, whatever is followed. */
async function newest(on: ListCommand): Promise<number> {
  const { items } = await on.call(endpoints.listAudit, { query: { limit: 1 } })
  const [newest]: readonly AuditEntry[] = items
  return Number(newest?.id ?? 0)
}

const line = (texts: readonly string[]): string =>
  `${texts
    .map((text, at) => padded(visible(text.replace(/\s+/g, ' ')), WIDTHS[at] ?? 0))
    .join(GAP)
    .trimEnd()}\n`
