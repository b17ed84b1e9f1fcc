import type { AuditEntry } from '../../src/contract/topics/audit.js'
import { Client, type Site } from './site.js'
import type { Host } from './world.js'

const MAX_REMEMBERED = 50
/** Milliseconds within which the end of a call is recorded: nobody waits for it, and the disk may be slow. */
const WRITTEN_WITHIN_MS = 5 * 60_000

/** A call that has had its response. */
interface Made {
  readonly reason: string
  /** The process that carried it out. */
  readonly host: Host
  readonly at: number
}

/** Somebody makes calls that change nothing, each with a reason, and looks for them in the audit. */
export async function readAudit(site: Site): Promise<void> {
  const client = new Client(site, 'auditor')
  const { observer } = site
  let made: Made[] = []
  let { epoch } = site
  for (let number = 0; ; number++) {
    await client.rest(20_000, 200_000)
    if (site.epoch !== epoch) made = []
    epoch = site.epoch
    const id = site.ids.get(client.chance.pick(site.tools))
    const reason = `reason ${number}`
    // Nobody has shelved this alarm: that is no error.
    const { status } = await client.insist('DELETE', `/equipment/${id}/alarms/99/shelf?reason=${reason}`)
    if (site.epoch !== epoch) continue
    const { host } = client.machine
    if (status === 204) made = [...made, { reason, host, at: site.world.now }].slice(-MAX_REMEMBERED)
    const { body } = await client.insist('GET', '/audit?action=unshelveAlarm&limit=1000')
    if (site.epoch !== epoch) continue
    const { items } = body as { readonly items: readonly AuditEntry[] }
    // Of several attempts the last one.
    const listed = new Map(items.toReversed().map((entry) => [entry.reason, entry]))
    observer.count('calls that were looked for in the audit', made.length)
    const now = client.machine.host
    const isOld = ({ at }: Made): boolean => site.world.now - at > WRITTEN_WITHIN_MS
    // Another gateway may know a call a moment later.
    const missing = made.filter((one) => (one.host === now || isOld(one)) && !listed.has(one.reason))
    observer.require(
      missing.length === 0,
      'The audit has an entry for each call that is not a GET.',
      () => `${missing.map((one) => one.reason).join()} at gateway ${client.machine.number}`,
    )
    // With several gateways the one that carried it out may have ended.
    const written = made.filter((one) => site.machines.length === 1 && one.host === now && isOld(one))
    const open = written.filter((one) => listed.get(one.reason)?.status !== 204)
    observer.require(open.length === 0, 'The status of a call is null until the call has ended.', () =>
      JSON.stringify(open.map((one) => listed.get(one.reason))),
    )
  }
}
