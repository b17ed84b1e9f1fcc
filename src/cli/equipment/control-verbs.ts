import type { Reply } from '../../contract/endpoint.js'
import { endpoints } from '../../contract/endpoints.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import { verdictOf, verdictWord } from '../messages/verdict.js'
import type { Column } from '../output/output.js'
import { type VerbText, verb } from '../verb.js'
import { callsAtOnce } from './calls-at-once.js'
import { CHANGE_FLAGS } from './equipment-targets.js'

type ControlEndpoint = typeof endpoints.goOnline | typeof endpoints.goOffline
type Answer = Reply<ControlEndpoint> & { readonly equipment: string }

interface Control {
  readonly endpoint: ControlEndpoint
  readonly item: 'ONLACK' | 'OFLACK'
  /** What to do after an acknowledge code. */
  readonly advice?: (code: number) => string | undefined
}

/** Prints each answer; a refusal is the exit code, and failures are printed after the answers of the others. */
const controlVerb = ({ endpoint, item, advice, ...text }: Control & VerbText) =>
  verb(GatewayCommand, {
    ...text,
    args: { equipment: SEVERAL_EQUIPMENT },
    strict: false,
    flags: { ...ASKING_FLAGS, ...REASON_FLAG, ...CHANGE_FLAGS },
    async run(on, { flags, words }) {
      const chosen = await on.chosen(words, flags.all, flags.selector)
      if (!(await on.goesOn(chosen, flags, chosen.length > 1))) return
      const answers: Answer[] = []
      const failed: { readonly name: string; readonly reason: unknown }[] = []
      const ends = await callsAtOnce(chosen, async (equipment) => {
        const [end] = await Promise.allSettled([on.ask(endpoint, equipment, flags)])
        return { ...equipment, end }
      })
      for (const { id, name, end } of ends) {
        if (end.status === 'rejected') failed.push({ name, reason: end.reason })
        else answers.push({ ...{ equipment_id: id, equipment: name }, ...end.value })
      }
      const codeOf = (answer: Answer) => verdictOf(item, answer)
      const columns: readonly Column<Answer>[] = [
        { title: 'NAME', text: ({ equipment }) => equipment },
        { title: 'RESULT', text: verdictWord },
        { title: 'CONTROL', text: ({ control_state }) => control_state },
        { title: 'SAID', text: (answer) => `${item} ${codeOf(answer).code}, ${codeOf(answer).text}` },
      ]
      if (answers.length > 0 || failed.length === 0) await on.printList(answers, columns, 'No equipment.')
      for (const answer of answers) {
        const text = advice?.(codeOf(answer).code)
        if (text !== undefined) on.note(`${answer.equipment}: ${text}`)
      }
      if (answers.some(({ accepted }) => !accepted)) on.environment.exitCode = EXIT_CODES.equipment
      const last = failed.pop()
      for (const { reason, name } of failed)
        on.note(reason instanceof Error ? reason.message : `${name}: ${reason}`)
      if (!last) return
      on.subject.equipment = last.name
      throw last.reason
    },
  })

/** ONLACK: the equipment does not let its host decide. */
const NOT_ALLOWED = 1

export const equipmentOnline = controlVerb({
  summary: 'Have equipment go online (S1F17); exit code 8 when it refuses.',
  description:
    'It is then online, local or remote as its operator has set it; `control` shows which, where the equipment reports it. An equipment whose operator keeps it offline refuses. It asks before it does this to more than one; --yes answers.',
  examples: [
    'secsctl equipment online etcher',
    'secsctl equipment online -l area=etch --dry-run',
    'secsctl equipment online --all --yes',
  ],
  endpoint: endpoints.goOnline,
  item: 'ONLACK',
  advice: (code) => (code === NOT_ALLOWED ? 'its operator has to set it online there.' : undefined),
})

export const equipmentOffline = controlVerb({
  summary: 'Have equipment go offline (S1F15); exit code 8 when it refuses.',
  description:
    'It answers the gateway with aborts from then on, until `equipment online` or its operator has it online again. It asks before it does this to more than one; --yes answers.',
  examples: [
    'secsctl equipment offline etcher',
    'secsctl equipment offline -l area=etch --dry-run',
    'secsctl equipment offline --all --yes',
  ],
  endpoint: endpoints.goOffline,
  item: 'OFLACK',
})
