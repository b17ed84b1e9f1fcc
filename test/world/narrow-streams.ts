import type { Event } from '../../src/contract/topics/events.js'
import { NoResponse } from './gateway-process.js'
import { Client, credentialsOf, RESTRICTED, type Site } from './site.js'

/** Milliseconds that an event may be under way to who follows a stream, longer than a process is stopped. */
const UNDER_WAY_MS = 5 * 60_000

/** Reads the pieces of a stream's text. */
export function eventsIn(take: (event: Event) => void, problem = (): void => {}): (piece: string) => void {
  let text = ''
  return (piece) => {
    text += piece
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const record = text.slice(0, end)
      const data = record.indexOf('data: ')
      text = text.slice(end + 2)
      // The last record of a stream that cannot go on: the database is away.
      if (record.startsWith('event: problem\n')) problem()
      else if (data >= 0) take(JSON.parse(record.slice(data + 6)) as Event)
    }
  }
}

/** Follows the events of type alarm, and resumes after the last one. */
export async function followAlarms(site: Site): Promise<void> {
  const client = new Client(site, 'alarm panel')
  const { alarms } = site
  for (;;) {
    alarms.begin()
    const { epoch } = site
    const take = eventsIn((event) => site.epoch === epoch && alarms.take(event))
    const status = await client.follow(`/events/stream?type=alarm&after=${alarms.last}`, take).catch(absent)
    if (status === 400 || status === 410) alarms.goOnAtEnd()
    await client.sleep(client.chance.between(100, 2000))
  }
}

const absent = (error: unknown): undefined => {
  if (!(error instanceof NoResponse)) throw error
}

/** Follows what a caller who is restricted to one area is shown, for as long as a stream goes on. */
export async function followRestricted(site: Site): Promise<void> {
  const client = new Client(site, 'restricted follower', credentialsOf(RESTRICTED))
  const { world, areas, areasAtEvents, observer } = site
  for (;;) {
    const { epoch } = site
    const take = eventsIn(({ id, equipment_id }) => {
      observer.count('events of the stream of a restricted caller')
      const wasOutside = areasAtEvents.heldAt(equipment_id, Number(id)) === false
      const isOutside = !areas.mayHold(equipment_id, world.now - UNDER_WAY_MS, world.now)
      observer.require(
        site.epoch !== epoch || !wasOutside || !isOutside,
        'An open stream uses changed labels from the next event on.',
        () => `event ${id} of ${equipment_id} was shown to a restricted caller`,
      )
    })
    await client.follow('/events/stream', take).catch(absent)
    await client.sleep(client.chance.between(100, 2000))
  }
}
