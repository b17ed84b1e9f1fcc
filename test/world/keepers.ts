import { MAX_LOCK_SECONDS } from '../../src/contract/equipment-lock.js'
import type { CreatedApiKey } from '../../src/contract/topics/accounts/keys.js'
import { MAX_SHELF_SECONDS, type ShelvedAlarm } from '../../src/contract/topics/alarm-shelving.js'
import { NoResponse } from './gateway-process.js'
import { Client, credentialsOf, idAt, KEEPER, once, type Response, type Site } from './site.js'
import { Span } from './span.js'

/** Not connected to anything. */
const GUARDED = { name: 'guarded', ip_address: '10.9.0.3', port: 998 }

/** Somebody locks equipment for a time, and somebody else tries to change it meanwhile and afterwards. */
export async function holdLock(site: Site): Promise<void> {
  const holder = new Client(site, KEEPER, credentialsOf(KEEPER))
  const other = new Client(site, 'intruder')
  for (;;) {
    await holder.rest(10_000, 300_000)
    if (!(await idAt(holder, GUARDED.ip_address))) await holder.insist('POST', '/equipment', GUARDED)
    const id = await idAt(holder, GUARDED.ip_address)
    const span = new Span(site, 30 + holder.chance.below(600), MAX_LOCK_SECONDS)
    const lock = { for_seconds: span.seconds, reason: 'maintenance' }
    const { status } = await holder.insist('PUT', `/equipment/${id}/lock`, lock)
    if (status !== 200) continue
    span.began()
    while (span.isCertain) {
      await other.rest(100, 60_000)
      const change = { labels: { note: `n${other.chance.below(1000)}` } }
      const changed = other.chance.is(0.7)
        ? await once(other, 'PUT', `/equipment/${id}`, change)
        : await once(other, 'POST', `/equipment/${id}/disconnect`)
      site.observer.count('tries at locked equipment')
      site.observer.require(
        !span.isCertain || !changed || changed.status >= 300,
        'While equipment is locked, nobody else changes it.',
        () => `${id} was changed ${Math.round(site.world.now - span.from)} ms into ${span.seconds} s`,
      )
    }
    await other.sleep(Math.max(0, span.latest - site.world.now))
    const after = await other.insist('PUT', `/equipment/${id}`, { labels: {} })
    site.observer.require(
      span.isSpoilt || after.status === 200,
      'A lock ends by itself on time.',
      () => `${id} is locked still: ${JSON.stringify(after.body)}`,
    )
  }
}

/** Alarms are shelved for a time: they are listed until then, and not any longer. */
export async function shelveAlarms(site: Site): Promise<void> {
  const client = new Client(site, 'shelver')
  const { chance } = client
  for (let number = 0; ; number++) {
    await client.rest(10_000, 300_000)
    const tool = chance.pick(site.tools)
    const id = site.ids.get(tool)
    // No tool reports it, so that the counts of others stay as they are.
    const alid = String(100 + (number % 5))
    const span = new Span(site, 10 + chance.below(600), MAX_SHELF_SECONDS)
    const shelf = { for_seconds: span.seconds, reason: 'known' }
    const { status } = await client.insist('PUT', `/equipment/${id}/alarms/${alid}/shelf`, shelf)
    if (status !== 200) continue
    span.began()
    const entry = site.lastEntry() ?? Number.POSITIVE_INFINITY
    while (site.world.now < span.latest) {
      await client.sleep(chance.between(1000, Math.max(2000, (span.latest - site.world.now) / 2)))
      const asked = site.world.now
      // Another gateway may not have read it yet.
      const isRead = site.machines.every(({ journal }) => !journal || journal.last >= entry)
      const { status: listed, body } = await client.insist('GET', '/alarms/shelved')
      if (listed !== 200 || span.isSpoilt || site.ids.get(tool) !== id) continue
      const { items } = body as { readonly items: readonly ShelvedAlarm[] }
      const isListed = items.some((one) => one.equipment_id === id && one.alid === alid)
      site.observer.count('looks at what is shelved')
      const isKnown = isRead && span.isCertain
      const where = (): string =>
        `${alid} of ${id}, ${Math.round(asked - span.from)} ms into ${span.seconds} s`
      site.observer.require(isListed || !isKnown, 'An alarm is shelved until its time is over.', where)
      site.observer.require(
        !isListed || asked < span.latest,
        'A shelf never lasts longer than was asked for.',
        where,
      )
    }
  }
}

/** API keys that expire are good until then, and refused from then on. */
export async function expireKeys(site: Site): Promise<void> {
  const client = new Client(site, 'locksmith')
  const { world, observer } = site
  for (let number = 0; ; number++) {
    await client.rest(20_000, 300_000)
    // What the gateway's clock shows is not known.
    if (client.machine.host.skew !== 0) continue
    const span = new Span(site, 5 + client.chance.below(300))
    const expires_at = new Date(world.dateOf(client.host).getTime() + span.ms).toISOString()
    const { status, body } = await client.insist('POST', '/keys', {
      name: `expires-${number}`,
      role: 'viewer',
      expires_at,
    })
    if (status !== 201) continue
    span.began()
    const { id, key } = body as CreatedApiKey
    let isRefused = false
    while (world.now < span.latest) {
      await client.sleep(client.chance.between(100, Math.max(2000, (span.latest - world.now) / 2)))
      const asked = world.now
      const used = await usedOnce(client, key)
      if (!used || ![200, 401].includes(used.status)) continue
      observer.count('uses of keys that expire')
      const where = (): string => `${used.status}, ${Math.round(asked - span.from)} ms into ${span.seconds} s`
      // The gateway believes a clock that was ahead for a moment.
      const isEarly = used.status === 401 && span.isCertain && site.clockChanges === 0
      observer.require(!isEarly, 'A key is good until it expires.', where)
      const isLate = used.status === 200 && !span.isSpoilt && (isRefused || asked > span.from + span.ms)
      observer.require(!isLate, 'An expired key is refused until it is revoked.', where)
      isRefused ||= used.status === 401
    }
    await client.insist('DELETE', `/keys/${id}`)
  }
}

const usedOnce = (client: Client, key: string): Promise<Response | undefined> =>
  client.send('GET', '/keys/me', key).catch((error: unknown) => {
    if (error instanceof NoResponse) return undefined
    throw error
  })
