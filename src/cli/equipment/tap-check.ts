import { endpoints } from '../../contract/endpoints.js'
import type { Message } from '../../contract/topics/messages.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { tapFindings, tapVerdict } from '../../inspection/tap-check.js'
import { checkColumns, checkObject } from './check-output.js'
import { equipmentVerb } from './equipment-command.js'
import { TARGET_FLAGS } from './equipment-targets.js'

/** Events whose reports are looked at: a page of the newest. */
const EVENTS = 200

export const equipmentTapCheck = equipmentVerb({
  summary: 'Check whether equipment and its host see through a tap what they saw before.',
  description:
    'For equipment that is shared with its host (--tap-listen, --tap-host). Prints one line for each check: who is connected and from which address, or who was refused; select, communication and device ID; what has passed each way; replies, timeouts, stream 9, Reject.req and linktests; the time that the tap adds; what is not recorded; what the gateway has sent; and report definitions that are not known. Sends nothing. Each fault has a command to try next, and the first fault decides the exit code; a `note` does not count. Exit code 5 when the equipment has no tap.',
  examples: ['secsctl equipment tap-check etcher', 'secsctl equipment tap-check etcher --json | jq .ok'],
  flags: TARGET_FLAGS,
  async one(on, { args }) {
    const { id, name } = await on.equipment(args.equipment)
    const report = await on.call(endpoints.getTap, { params: { id } })
    const equipment = await on.call(endpoints.getEquipment, { params: { id } })
    const query = { equipment_id: [id], stream: 6, function: 11, limit: EVENTS }
    const { items } = await on.call(endpoints.listMessages, { query })
    const findings = tapFindings({ equipment, report, unknownReports: unknownReports(items) })
    const verdict = tapVerdict(findings)
    const fault = findings.find(({ mark }) => mark === 'wrong')
    if (on.format === 'json')
      on.printJson({
        id,
        name,
        ok: fault === undefined,
        verdict,
        checks: findings.map(checkObject),
        tap: report,
      })
    else {
      await on.printList(findings, checkColumns('note'), '')
      for (const { name: check, mend } of findings) if (mend !== undefined) on.note(`${check}: ${mend}`)
      on.note(verdict)
    }
    if (fault?.kind !== undefined) on.environment.exitCode = EXIT_CODES[fault.kind]
  },
})

/** Reports of events whose definition is not known: the newest message of each event counts. */
function unknownReports(events: readonly Message[]): readonly string[] {
  const newest = new Map<string, NonNullable<Message['collection_event']>>()
  for (const { collection_event: event } of events)
    if (event && !newest.has(event.ceid)) newest.set(event.ceid, event)
  const unknown = [...newest.values()].flatMap(({ reports }) =>
    reports.filter(({ detail }) => detail !== undefined).map(({ rptid }) => rptid),
  )
  return [...new Set(unknown)]
}
