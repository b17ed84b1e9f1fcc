import { Client, once, type Site } from './site.js'

/** An ETag that nothing has. */
const OLD = { 'if-match': '"77777-0"' }

/** Somebody changes and removes what somebody else is said to have changed meanwhile. */
export async function useOldRevisions(site: Site): Promise<void> {
  const client = new Client(site, 'latecomer')
  const { chance } = client
  const changes = [
    ['/equipment', { labels: { late: 'yes' } }],
    ['/sinks', { types: ['alarm'] }],
    ['/users', { name: 'late' }],
    ['/keys', undefined],
  ] as const
  for (;;) {
    await client.rest(20_000, 200_000)
    const [list, change] = chance.pick(changes)
    const { body } = await client.insist('GET', `${list}?limit=1000`)
    const { items } = body as { readonly items: readonly { readonly id: string }[] }
    if (items.length === 0) continue
    const path = `${list}/${chance.pick(items).id}`
    const method = change && chance.is(0.7) ? 'PUT' : 'DELETE'
    const refused = await once(client, method, path, method === 'PUT' ? change : undefined, OLD)
    site.observer.count(`changes of an old revision: ${refused?.status}`)
    site.observer.require(
      !refused || refused.status >= 400,
      'PUT and DELETE compare If-Match with the revision.',
      () => `${method} ${path}: ${refused?.status}`,
    )
  }
}
