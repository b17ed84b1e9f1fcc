import type { Catalogue } from '../../catalogue/catalogue.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Message } from '../../contract/topics/messages.js'
import { readScenario, ScenarioError } from '../../scenario/file/read-scenario.js'
import type { CodeOf } from '../../scenario/record/recorded-scenario.js'
import { fromTypedJson } from '../../secs2/json.js'
import { UNKNOWN_ENCODING } from '../../secs2/text.js'
import { outputFlag } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand, MAX_PAGE } from '../gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../input/arguments.js'
import { RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { catalogueHere } from '../messages/catalogue-flag.js'
import { verb } from '../verb.js'

/** Messages of which a scenario is made: a longer one is read by nobody. */
const MAX_MESSAGES = 5000

export const scenarioRecord = verb(GatewayCommand, {
  summary: 'Make a scenario of the messages that were recorded with equipment in a time.',
  description:
    'What the host sent becomes send, or command for S2F41, with the acknowledge code of the reply. Events and alarms that came become expect, with a longer time than they took. Nothing is sent. The file is a start: remove what does not belong to the test, and give variables to what changes.',
  examples: [
    'secsctl scenario record etcher --since 10:00 --until 10:05 > lot.yaml',
    'secsctl scenario record etcher --since 5m > lot.yaml',
  ],
  args: { equipment: EQUIPMENT_ARGUMENT },
  flags: {
    since: { ...RANGE_FLAGS.since, aliases: ['from'], required: true },
    until: { ...RANGE_FLAGS.until, aliases: ['to'] },
    output: outputFlag(['yaml', 'json']),
  },
  async run(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    const range = rangeGiven(flags, on.clock.date())
    const messages: Message[] = []
    for await (const message of on.recordsOf(endpoints.listMessages, {
      equipment_id: [id],
      limit: MAX_PAGE,
      ...range,
    }))
      if (messages.push(message) > MAX_MESSAGES)
        throw wrongUsage(
          `more than ${MAX_MESSAGES} messages were recorded in this time: choose a shorter one`,
        )
    const { recordedScenario } = await import('../../scenario/record/recorded-scenario.js')
    const { url } = await on.session.target()
    const note = (line: string): void => on.note(line)
    const catalogue = await catalogueHere(
      on.environment.stdin,
      undefined,
      on.session.folders.state,
      note,
      url,
    )
    const { text, steps, left } = recordedScenario(
      messages.reverse(),
      `Recorded from ${name}`,
      codesBy(catalogue),
    )
    if (steps === 0)
      throw new Failure('missing', `the messages with ${name} in this time have nothing that a scenario does`)
    requireReadable(text, catalogue)
    if (on.format === 'json') on.printJson({ scenario: text, steps, left })
    else on.environment.stdout.isTTY ? on.print(text) : on.printAsIs(text)
    for (const what of left) on.note(`left out: ${what}`)
  },
})

/** The acknowledge codes of replies, whose texts may be of any encoding. */
export const codesBy =
  (catalogue: Catalogue): CodeOf =>
  ({ stream, function: fn, body }) =>
    body === null ? undefined : catalogue.acknowledgement(stream, fn, fromTypedJson(body, UNKNOWN_ENCODING))

/** A recording may be longer than a scenario may be. */
function requireReadable(text: string, catalogue: Catalogue): void {
  try {
    readScenario('scenario', (path) => ({ path, text }), {}, catalogue)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    throw new Failure('unexpected', `no valid scenario can be made of the messages:\n${error.message}`)
  }
}
