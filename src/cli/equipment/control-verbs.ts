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
type ControlReply = Reply<ControlEndpoint> & { readonly equipment: string }

interface Control {
  readonly endpoint: ControlEndpoint
  readonly item: 'ONLACK' | 'OFLACK'
  /** What to do after an acknowledge code. */
  readonly advice?: (code: number) => string | undefined
}

/** Prints each reply; a refusal is the exit code, and failures are printed after the replies of the others. */
const controlVerb = ({ endpoint, item, advice, ...text }: Control & VerbText) =>
  verb(GatewayCommand, {
    ...text,
    args: { equipment: SEVERAL_EQUIPMENT },
    strict: false,
    flags: { ...ASKING_FLAGS, ...REASON_FLAG, ...CHANGE_FLAGS },
    async run(on, { flags, words }) {
      const chosen = await on.chosen(words, flags.all, flags.selector)
      if (!(await on.goesOn(chosen, flags, chosen.length > 1))) return
      const replies: ControlReply[] = []
      const failed: { readonly name: string; readonly reason: unknown }[] = []
      const ends = await callsAtOnce(chosen, async (equipment) => {
        const [end] = await Promise.allSettled([on.ask(endpoint, equipment, flags)])
        return { ...equipment, end }
      })
      for (const { id, name, end } of ends) {
        if (end.status === 'rejected') failed.push({ name, reason: end.reason })
        else replies.push({ ...{ equipment_id: id, equipment: name }, ...end.value })
      }
      const codeOf = (reply: ControlReply) => verdictOf(item, reply)
      const columns: readonly Column<ControlReply>[] = [
        { title: 'NAME', text: ({ equipment }) => equipment },
        { title: 'RESULT', text: verdictWord },
        { title: 'CONTROL', text: ({ control_state }) => control_state },
        { title: 'SAID', text: (reply) => `${item} ${codeOf(reply).code}, ${codeOf(reply).text}` },
      ]
      if (replies.length > 0 || failed.length === 0) await on.printList(replies, columns, 'No equipment.')
      for (const reply of replies) {
        const text = advice?.(codeOf(reply).code)
        if (text !== undefined) on.note(`${reply.equipment}: ${text}`)
      }
      if (replies.some(({ accepted }) => !accepted)) on.environment.exitCode = EXIT_CODES.equipment
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
    'The operator of the equipment has set whether online means local or remote. A host has no message to change this; some equipment has a remote command for it (`command EQ REMOTE`). `control` shows the state if the equipment reports it. Equipment that its operator keeps offline refuses. The command asks before it does this to several; --yes answers.',
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
    'Offline equipment replies with SxF0 (abort) to everything except S1F13 and S1F17, until `equipment online` or its operator sets it online again. The command asks before it does this to several; --yes answers.',
  examples: [
    'secsctl equipment offline etcher',
    'secsctl equipment offline -l area=etch --dry-run',
    'secsctl equipment offline --all --yes',
  ],
  endpoint: endpoints.goOffline,
  item: 'OFLACK',
})
