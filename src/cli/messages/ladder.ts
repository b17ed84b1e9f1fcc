import { endpoints } from '../../contract/endpoints.js'
import type { LadderMessage } from '../../ladder/rungs.js'
import { outputFlag } from '../base-command.js'
import { GatewayCommand, MAX_PAGE } from '../gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../input/arguments.js'
import { numberFlag } from '../input/flags.js'
import { RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { knowsUnicode } from '../output/locale.js'
import { verb } from '../verb.js'

/** A diagram of more is not read by anybody, and is held in memory as a whole. */
const MAX_MESSAGES = 5000
const USUAL_MESSAGES = 100

export const messagesLadder = verb(GatewayCommand, {
  summary: 'Draw the messages with an equipment as a ladder diagram.',
  description:
    'The host is at the left, the equipment at the right, and time goes down. An arrow shows the values of its message, and a reply the time that it took. A reply that is missing, a refused message and a pause are shown where they were. html is one page with the SML of each message below the diagram: open it in a browser, print it or send it to a supplier.',
  examples: [
    'secsctl messages ladder etcher',
    'secsctl messages ladder etcher --since 10:00 --until 10:05',
    'secsctl messages ladder etcher --since 10m -o html > etcher.html',
    'secsctl messages ladder etcher -n 20 -o svg > etcher.svg',
  ],
  args: { equipment: EQUIPMENT_ARGUMENT },
  flags: {
    since: { ...RANGE_FLAGS.since, aliases: ['from'] },
    until: { ...RANGE_FLAGS.until, aliases: ['to'] },
    limit: numberFlag(`Draw at most N, the newest; the default is ${USUAL_MESSAGES}.`, {
      char: 'n',
      min: 1,
      max: MAX_MESSAGES,
    }),
    output: outputFlag(['table', 'html', 'svg', 'json']),
  },
  async run(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    const limit = flags.limit ?? USUAL_MESSAGES
    const range = rangeGiven(flags, on.clock.date())
    const query = { equipment_id: [id], limit: Math.min(MAX_PAGE, limit + 1), ...range }
    const found: LadderMessage[] = []
    for await (const message of on.recordsOf(endpoints.listMessages, query)) {
      if (found.push(message) > limit) break
    }
    const messages = found.slice(0, limit)
    if (on.format === 'json') return on.printJson(messages.reverse())
    if (flags.output === 'html') {
      const { htmlLadder } = await import('../../ladder/html-ladder.js')
      on.printAsIs(htmlLadder(messages, name))
    } else if (flags.output === 'svg') {
      const { svgLadder } = await import('../../ladder/svg-ladder.js')
      on.printAsIs(svgLadder(messages, name))
    } else if (messages.length > 0) {
      const { textLadder } = await import('../../ladder/text-ladder.js')
      const size = { width: on.sink.width, ascii: !knowsUnicode(on.environment.variables) }
      on.print(textLadder(messages, name, size).join('\n'))
    }
    if (messages.length === 0) on.note(`No messages with ${name} are recorded in this time.`)
    if (found.length > limit)
      on.note(`The newest ${limit} are drawn; there are more: -n ${MAX_MESSAGES} draws more of them.`)
  },
})
