import { decodeBody } from '../../../src/secs2/decode.js'
import type { Item } from '../../../src/secs2/item.js'
import { printSml } from '../../../src/secs2/sml/print.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'

/** What an equipment answers, by the message: an item, or the same for what was asked. */
export type Answers = Readonly<Record<string, Item | ((asked: Item | undefined) => Item)>>

/** A gateway, and an equipment that answers these messages and aborts all others. */
export async function answering(answers: Answers) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted({ name: 'etcher', gem_startup: false })
  equipment.reply = ({ stream, function: fn, body }) => {
    const answer = answers[`S${stream}F${fn}`]
    if (answer === undefined) return { function: 0 }
    const item = typeof answer === 'function' ? answer(decodeBody(body)) : answer
    return { function: fn + 1, item }
  }
  return {
    live,
    id,
    call: callsOf(live.gateway),
    /** What the equipment was asked, as SML on one line each. */
    asked: () =>
      equipment.received.map(({ stream, function: fn, wait, body }) =>
        printSml({ stream, function: fn, wait, item: decodeBody(body) }).replace(/\s+/g, ' '),
      ),
  }
}
