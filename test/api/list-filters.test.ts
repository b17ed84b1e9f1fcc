import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningDaemon } from '../../src/daemon/daemon.js'
import type { NewEntry } from '../../src/store/entry.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'
import { LiveGateway } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { PlainClient } from '../support/plain-client.js'

const time = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
const alarm = (alid: string, name: string): NewEntry => ({
  type: 'alarm',
  name,
  key: 'eq_1',
  at: time(0),
  data: { alarm_id: null, alid },
})

describe('lists of events and messages', () => {
  test('narrow to names, alarms, messages and collection events', async () => {
    const live = await LiveGateway.open({ hasMadeUpEvents: true })
    const { simulator, id } = await live.connectSimulator()
    await live.gateway.messages.send(id, { stream: 2, function: 17 })
    await simulator.fireEvent('Remote')
    await live.journal.append({ ...alarm('7', 'alarm_set'), key: id })
    await live.journal.append({ ...alarm('8', 'alarm_set'), key: id })
    const { events, messages } = live.gateway
    const named = await events.list({ name: ['alarm_set', 'selected'], limit: 1000 })
    expect(new Set(named.items.map(({ name }) => name))).toEqual(new Set(['alarm_set', 'selected']))
    expect((await events.list({ name: ['selected'], type: ['alarm'] })).items).toEqual([])
    expect((await events.list({ alid: '7' })).items).toMatchObject([{ data: { alid: '7' } }])
    const clock = await events.list({ message: 'S2F17' })
    expect(clock.items).toMatchObject([{ name: 'message_sent', data: { stream: 2, function: 17 } }])
    const reports = await events.list({ ceid: '3' })
    expect(reports.items).toMatchObject([{ data: { function: 11, collection_event: { ceid: '3' } } }])
    expect((await events.list({ ceid: '4711' })).items).toEqual([])
    const replied = await messages.list({ outcome: ['replied'], limit: 1000 })
    expect(replied.items.length).toBeGreaterThan(0)
    expect(new Set(replied.items.map(({ outcome }) => outcome))).toEqual(new Set(['replied']))
    expect((await messages.list({ outcome: ['aborted'] })).items).toEqual([])
  })

  test('look at a bounded number of entries for a page, and go on with its cursor', async () => {
    const live = await LiveGateway.open({ clock: new ManualClock(), hasMadeUpEvents: true })
    const { events } = live.gateway
    await live.journal.append(alarm('rare', 'alarm_set'))
    for (let at = 0; at < 12; at++)
      await live.journal.appendAll(Array.from({ length: 1000 }, () => alarm('often', 'alarm_set')))
    const first = await events.list({ alid: 'rare' })
    expect(first.items).toEqual([])
    const second = await events.list({ alid: 'rare', cursor: first.next_cursor ?? '' })
    expect(second).toMatchObject({ items: [{ id: '1' }], next_cursor: null })
    const page = await events.list({ alid: 'often', limit: 3, order: 'asc' })
    expect(page.items.map(({ id }) => id)).toEqual(['2', '3', '4'])
    const next = await events.list({ alid: 'often', limit: 3, order: 'asc', cursor: page.next_cursor ?? '' })
    expect(next.items.map(({ id }) => id)).toEqual(['5', '6', '7'])
  })
})

describe('a stream with `to`', () => {
  test('ends after what was recorded, where that is over', async () => {
    const live = await LiveGateway.open({ clock: new ManualClock(), hasMadeUpEvents: true })
    for (let at = 0; at < 100; at++) await live.journal.append({ ...alarm('7', 'alarm_set'), at: time(at) })
    const over = new AbortController()
    over.abort()
    const ids: string[] = []
    const stream = live.gateway.events.follow(
      { after: '0', to: time(60) },
      new AbortController().signal,
      undefined,
      over.signal,
    )
    for await (const group of stream) ids.push(...group.map(({ id }) => id))
    expect(ids).toHaveLength(60)
  })
})

describe('over HTTP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-list-filters-'))
  let daemon: RunningDaemon
  let client: PlainClient
  beforeAll(async () => {
    daemon = await startDaemonHere(folder)
    client = new PlainClient(daemon.url)
    client.token = (await client.call('POST', '/auth/login', DAEMON_ADMIN)).body.token
    const given = { name: 'etcher', ip_address: '127.0.0.1', port: 9, mode: 'passive' }
    const { id } = (await client.call('POST', '/equipment', given)).body
    await client.call('POST', `/equipment/${id}/connect?wait=0`)
    await client.call('POST', `/equipment/${id}/disconnect`)
  })
  afterAll(async () => {
    await daemon.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a list names its next page in Link, and the last page none', async () => {
    const seen: string[] = []
    let target: string | undefined = '/events?limit=1&order=asc&type=connection'
    for (let pages = 0; target !== undefined && pages < 50; pages++) {
      const page: Awaited<ReturnType<PlainClient['call']>> = await client.call('GET', target)
      for (const { id } of page.body.items) seen.push(id)
      target = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      expect(target !== undefined).toBe(page.body.next_cursor !== null)
    }
    const all = (await client.call('GET', '/events?order=asc&type=connection')).body.items
    expect(seen).toEqual(all.map(({ id }: { readonly id: string }) => id))
    expect(seen.length).toBeGreaterThan(1)
  })

  test.each(['/events', '/messages', '/alarms', '/events/stream'])(
    '%s: a range that ends before it begins is refused',
    async (path) => {
      const range = 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'
      const refused = await client.call('GET', `${path}?${range}`)
      expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: 'from' }] })
    },
  )

  test('several values may have commas between', async () => {
    const repeated = await client.call('GET', '/events?name=connecting&name=disconnected')
    const joined = await client.call('GET', '/events?name=connecting,disconnected')
    expect(joined.body).toEqual(repeated.body)
    expect(joined.body.items.length).toBeGreaterThan(0)
    expect((await client.call('GET', '/events?type=alarm,nothing')).status).toBe(400)
  })

  test('equipment is listed by several healths, with commas or repeated, and all on one page without a limit', async () => {
    const given = { ip_address: '127.0.0.1', port: 9 }
    const made: string[] = []
    for (let at = 0; at < 101; at++) {
      const { id } = (await client.call('POST', '/equipment', { ...given, name: `tool ${at}` })).body
      made.push(id)
    }
    const [wanted = ''] = made
    await client.call('POST', `/equipment/${wanted}/connect?wait=0`)
    const ids = async (query: string): Promise<readonly string[]> =>
      (await client.call('GET', `/equipment?${query}`)).body.items.map(
        ({ id }: { readonly id: string }) => id,
      )
    expect(await ids('health=degraded,failing')).toEqual([wanted])
    expect(await ids('health=failing&health=degraded')).toEqual([wanted])
    const all = await client.call('GET', '/equipment')
    expect(all.body).toMatchObject({ items: { length: 102 }, next_cursor: null })
    expect(await ids('health=ok,degraded,failing')).toHaveLength(102)
    expect(await ids('health=ok')).not.toContain(wanted)
    const refused = await client.call('GET', '/equipment?health=ok,well')
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: 'health' }] })
    await client.call('POST', `/equipment/${wanted}/disconnect`)
  })

  test('a stream whose `to` has passed ends', async () => {
    const headers = { authorization: `Bearer ${client.token}` }
    const query = 'from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z'
    const answer = await fetch(`${daemon.url}/api/v1/events/stream?${query}`, { headers })
    expect(await answer.text()).toMatch(/^id: \d+\n\n$/)
  })
})
