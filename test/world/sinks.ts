import type { Sink } from '../../src/contract/topics/sinks/sink.js'
import { Client, once, type Site } from './site.js'
import type { WebhookTarget } from './webhook-target.js'

/** Longer than a statement may be under way to a database that is silent, in milliseconds. */
const UNDER_WAY_MS = 3 * 60_000

export async function sinkOf(client: Client, { name }: WebhookTarget): Promise<Sink | undefined> {
  const { body } = await client.insist('GET', '/sinks')
  return (body as { readonly items: readonly Sink[] }).items.find((sink) => sink.name === name)
}

/** Adds the sink of a target where there is none: what happens from then on has to come. */
export async function addSink(client: Client, target: WebhookTarget): Promise<void> {
  const { observer, lastEntry } = client.site
  while (!(await sinkOf(client, target))) {
    target.removed()
    const { status, body } = await client.insist('POST', '/sinks', target.sink)
    // A call that got no response may have added it.
    const isExcused = status === 201 || (body as { readonly code: string }).code === 'sink_name_taken'
    observer.require(isExcused, 'A sink can be added.', () => JSON.stringify(body))
    observer.count('sinks added')
  }
  if (!target.isRemoved) return
  let last = lastEntry()
  for (; last === undefined; last = lastEntry()) await client.sleep(1000)
  target.added(last)
}

/** Resumes the sink of a target: who has paused it does not know that a backup has it as it was then. */
export async function resumeSink(client: Client, target: WebhookTarget): Promise<void> {
  const sink = await sinkOf(client, target)
  if (sink?.state === 'paused') await client.insist('POST', `/sinks/${sink.id}/resume`)
}

/** Removes the sink of a target. Where that failed and it is still there, it goes on as before. */
async function removeSink(client: Client, target: WebhookTarget): Promise<void> {
  const { site } = client
  const { epoch } = site
  const sink = await sinkOf(client, target)
  if (!sink) return
  const removed = await once(client, 'DELETE', `/sinks/${sink.id}`)
  if (removed?.status !== 204) return client.sleep(UNDER_WAY_MS)
  target.removed()
  await client.sleep(client.chance.between(0, 60_000))
  const isThere = (await sinkOf(client, target)) !== undefined
  site.observer.require(
    !isThere || site.calm || site.epoch !== epoch,
    'A sink that was removed is gone.',
    () => target.name,
  )
}

/** Sends dead letters again, and all of them while nothing is done to the site. */
export async function retryDead(site: Site): Promise<void> {
  const client = new Client(site, 'mailman')
  for (;;) {
    await client.sleep(client.chance.between(30_000, 120_000))
    for (const target of site.targets) {
      const sink = site.calm || client.chance.is(0.1) ? await sinkOf(client, target) : undefined
      site.observer.count('dead letters', sink?.dead ?? 0)
      if (sink?.dead) await once(client, 'POST', `/sinks/${sink.id}/retry`)
    }
  }
}

/** Removes the sink of a target now and then, but for that of the first one, and adds it again. */
export async function replaceSinks(site: Site): Promise<void> {
  const client = new Client(site, 'plumber')
  for (;;) {
    await client.rest(5 * 60_000, 30 * 60_000)
    // The first one stays: what it has to deliver is not forgotten.
    const target = client.chance.pick(site.targets.slice(1))
    if (!site.calm && !target.held) await removeSink(client, target)
    await addSink(client, target)
  }
}
