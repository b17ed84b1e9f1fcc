import { MAX_REPLY_SECONDS } from '../../src/contract/topics/leased-replies.js'
import { Client, once, type Site } from './site.js'
import { Span } from './span.js'
import type { Tool } from './tool.js'

/** ACKC6 of the usual reply to an event report, and of the one that callers have the gateway give. */
const ACCEPTED = '0x00'
const REFUSED = '0x01'

/** For so long a call that got no response may be under way to the gateway that drives the equipment. */
const UNDER_WAY_MS = 3 * 60_000

const isDirect = ({ master, ownHost }: Tool): boolean => master === undefined && ownHost === undefined

/** Other replies are given to a tool for a time: certainly meanwhile, and not any longer. */
export async function giveReplies(site: Site): Promise<void> {
  const client = new Client(site, 'tester')
  const { chance } = client
  const tools = site.tools.filter(isDirect)
  for (let run = 0; tools.length > 0; run++) {
    await client.rest(20_000, 300_000)
    const tool = chance.pick(tools)
    const id = site.ids.get(tool)
    const span = new Span(site, 5 + chance.below(100), MAX_REPLY_SECONDS)
    if (id === undefined) continue
    const driving = site.drivenBy(id)
    const given = {
      run: `run-${run}`,
      for_seconds: span.seconds,
      replies: { S6F11: `S6F12 <B ${REFUSED}>.` },
    }
    const put = await once(client, 'PUT', `/equipment/${id}/replies`, given)
    if (put === undefined || put.status >= 500) await client.sleep(UNDER_WAY_MS + span.ms)
    if (put?.status !== 200) continue
    span.began()
    const confirmed = site.world.now
    tool.replied = (code, reportedAt) => {
      const where = (): string =>
        `${tool.name} was told ${code}, ${Math.round(site.world.now - span.from)} ms into ${span.seconds} s`
      // In memory: they end with the process, with the record, and where another gateway takes the equipment.
      const isKept = driving !== undefined && site.drivenBy(id) === driving && site.ids.get(tool) === id
      const isCertain = isKept && span.isCertain && reportedAt > confirmed
      site.observer.count('replies looked at while others are given')
      site.observer.require(
        code === REFUSED || !isCertain,
        'Until the time ends, the gateway sends these replies to primaries of the equipment.',
        where,
      )
      site.observer.require(
        code === ACCEPTED || reportedAt < span.latest,
        'Replies of a run end by themselves.',
        where,
      )
    }
    await client.sleep(span.latest - site.world.now + chance.between(0, 60_000))
    tool.replied = undefined
  }
}
