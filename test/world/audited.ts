import type { AuditEntry } from '../../src/contract/topics/audit.js'
import { Client, type Site } from './site.js'

const MAX_REMEMBERED = 50

/** Somebody makes calls that change nothing, each with a reason, and looks for them in the audit. */
export async function readAudit(site: Site): Promise<void> {
  const client = new Client(site, 'auditor')
  const { observer } = site
  let made: string[] = []
  let { epoch } = site
  for (let number = 0; ; number++) {
    await client.rest(20_000, 200_000)
    if (site.epoch !== epoch) made = []
    epoch = site.epoch
    const id = site.ids.get(client.chance.pick(site.tools))
    const reason = `reason ${number}`
    const { machine } = client
    const { host } = machine
    // Nobody has shelved this alarm: that is no error.
    const { status } = await client.insist('DELETE', `/equipment/${id}/alarms/99/shelf?reason=${reason}`)
    if (site.epoch !== epoch) continue
    if (status === 204) made = [...made, reason].slice(-MAX_REMEMBERED)
    const { body } = await client.insist('GET', '/audit?action=unshelveAlarm&limit=1000')
    if (site.epoch !== epoch) continue
    const { items } = body as { readonly items: readonly AuditEntry[] }
    const listed = new Map(items.map((entry) => [entry.reason, entry]))
    observer.count('calls that were looked for in the audit', made.length)
    const missing = made.filter((one) => !listed.has(one))
    observer.require(
      missing.length === 0,
      'The audit has an entry for each call that is not a GET.',
      () => `${missing.join()} at gateway ${client.machine.number}`,
    )
    // An earlier attempt may have been cut off; another gateway writes the end a moment later.
    const last = items.find((entry) => entry.reason === reason)
    const isEnded = site.machines.length > 1 || machine.host !== host || last?.status === status
    observer.require(
      isEnded,
      'The status of a call is null until the call has ended.',
      () => `${reason}: ${status}, and ${JSON.stringify(last)}`,
    )
  }
}
