import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { NewMessage } from '../../contract/topics/messages.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { type CapabilityResult, examine } from '../../inspection/compliance/examination.js'
import { remembering } from '../../inspection/compliance/remembering.js'
import { type Check, checksOf } from '../../inspection/equipment-check.js'
import { wrongUsage } from '../errors/failure.js'
import { parseDuration } from '../input/durations.js'
import { switchFlag, textFlag } from '../input/flags.js'
import type { Column } from '../output/output.js'
import { checkColumns, checkObject } from './check-output.js'
import { type EquipmentCommand, equipmentVerb } from './equipment-command.js'
import { TARGET_FLAGS } from './equipment-targets.js'

const questions = ({ asked }: CapabilityResult): CapabilityResult['asked'] =>
  asked.filter(({ ok }) => ok !== null)

/** What the equipment replied; where nothing was asked, the reason. */
const replies = (finding: CapabilityResult): string => {
  const shown = questions(finding)
  return (shown.length > 0 ? shown : finding.asked.slice(0, 1)).map(({ answer }) => answer).join(', ')
}

const CAPABILITY_COLUMNS: readonly Column<CapabilityResult>[] = [
  { title: 'CAPABILITY', text: ({ capability }) => capability, wraps: true },
  { title: 'KIND', text: ({ kind }) => kind, spare: true },
  {
    title: 'ASKED',
    text: (finding) =>
      questions(finding)
        .map(({ message }) => message)
        .join(', '),
    wraps: true,
  },
  { title: 'REPLY', text: replies, wraps: true },
  { title: 'VERDICT', text: ({ verdict }) => verdict },
]

/** Something is missing: all of it, or a part. */
const isMissing = ({ verdict }: CapabilityResult): boolean => verdict === 'no' || verdict === 'partly'

/** Whether it is met is not known: the role does not let it be asked. */
const isUnknown = ({ kind, verdict }: CapabilityResult): boolean =>
  kind === 'fundamental' && verdict === 'not asked'

export const equipmentCheck = equipmentVerb({
  summary: 'Check equipment, and compare it with the requirements of GEM.',
  description:
    'First prints connection, communication, control, clock and whether the applied event reports are there; each fault has a command to try next, and the first fault decides the exit code. Then prints one line for each fundamental requirement and additional capability of GEM (SEMI E30): the question, the reply, and the verdict. Changes nothing at the equipment: messages that may change something need --allow-writes, and use ids that no equipment has. Equipment without GEM (--communication none) has no such lines. State models, processing states, material movement and documentation cannot be asked for. Exit code 8 when a fundamental requirement is not met; with --strict also when a capability that was asked for is missing, and 4 when a fundamental requirement could not be asked about.',
  examples: [
    'secsctl equipment check etcher',
    'secsctl equipment check etcher --allow-writes --strict',
    'secsctl equipment check etcher --json | jq .ok',
  ],
  flags: {
    ...TARGET_FLAGS,
    'allow-writes': switchFlag(
      'Also send messages that may change something: commands, reports, terminal text, the clock.',
    ),
    strict: switchFlag('Every missing capability is a failure, also an additional one.'),
    timeout: textFlag('DURATION', 'How long the equipment may take for a reply, if its T3 is longer.', {
      default: '5s',
    }),
  },
  async one(on, { args, flags }) {
    const timeout = parseDuration(flags.timeout, '--timeout') / 1000
    if (timeout < 0.1) throw wrongUsage('--timeout is 100ms or more')
    const equipment = await on.equipment(args.equipment)
    const { checks, findings } = await look(on, equipment, timeout, flags['allow-writes'])
    const fault = checks.find(({ mark }) => mark === 'wrong')
    const missing = findings.filter(isMissing).filter(({ kind }) => flags.strict || kind === 'fundamental')
    const isUnasked = flags.strict && findings.some(isUnknown)
    if (on.format === 'json') {
      on.printJson({
        id: equipment.id,
        name: equipment.name,
        ok: fault === undefined && missing.length === 0 && !isUnasked,
        checks: checks.map(checkObject),
        capabilities: findings,
      })
    } else {
      await on.printList(checks, checkColumns('unknown'), '')
      if (on.sink.isTerminal && findings.length > 0) on.print('')
      if (findings.length > 0) await on.printList(findings, CAPABILITY_COLUMNS, '')
    }
    for (const { name, mend } of checks) if (mend !== undefined) on.note(`${name}: ${mend}`)
    const absent = findings.filter(isMissing).map(({ capability }) => capability)
    if (absent.length > 0) on.note(`missing, or in part: ${absent.join(', ')}`)
    if (isUnasked) on.environment.exitCode = EXIT_CODES.access
    if (missing.length > 0) on.environment.exitCode = EXIT_CODES.equipment
    if (fault?.kind !== undefined) on.environment.exitCode = EXIT_CODES[fault.kind]
  },
})

async function look(
  on: EquipmentCommand,
  equipment: Equipment,
  timeout: number,
  allowWrites: boolean,
): Promise<{ readonly checks: readonly Check[]; readonly findings: readonly CapabilityResult[] }> {
  const client = await on.client()
  const params = { id: equipment.id }
  const ask = remembering((body: NewMessage) =>
    client.call(endpoints.sendMessage, { params, query: { timeout }, body }),
  )
  const record = () => client.call(endpoints.getEquipment, { params })
  const checks: Check[] = []
  const findings: CapabilityResult[] = []
  await on.during(`asking ${equipment.name}`, async () => {
    const reports = () => client.call(endpoints.getReports, { params })
    const world = { ask, record, reports, now: () => on.clock.date() }
    for await (const check of checksOf(equipment, world)) checks.push(check)
    const { connection_state, communication, communication_state } = equipment
    const isThere = connection_state === 'SELECTED' && communication_state === 'COMMUNICATING'
    if (isThere && communication === 'gem')
      for await (const one of examine({ ask, allowWrites })) findings.push(one)
  })
  return { checks, findings }
}
