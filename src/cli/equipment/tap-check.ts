import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { TapReport } from '../../contract/topics/equipment/tap-report.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { isBeingOpened, tapFindings, tapVerdict, unknownReports } from '../../inspection/tap-check.js'
import { delay } from '../../kit/clock.js'
import type { GatewayCommand } from '../gateway-command.js'
import { checkColumns, checkObject } from './check-output.js'
import { equipmentVerb } from './equipment-command.js'
import { TARGET_FLAGS } from './equipment-targets.js'

/** Events whose reports are looked at: a page of the newest. */
const EVENTS = 200
/** Milliseconds that a tap takes to be opened at most, where its process has to be started; and between two looks. */
const OPENING_MS = 10_000
const LOOK_MS = 200

export const equipmentTapCheck = equipmentVerb({
  summary: 'Check whether equipment and its host see through a tap what they saw before.',
  description:
    'For equipment that is shared with its host (--tap-listen, --tap-host). Prints one line for each check: who is connected and from which address, or who was refused; select, communication and device ID; what has passed each way; replies, timeouts, stream 9, Reject.req and linktests; the time that the tap adds; what is not recorded; what the gateway has sent; and report definitions that are not known. Right after `connect` it waits up to 10 s for the tap to be opened. Sends nothing. Each fault has a command to try next, and the first fault decides the exit code; a `note` does not count. Exit code 5 when the equipment has no tap.',
  examples: ['secsctl equipment tap-check etcher', 'secsctl equipment tap-check etcher --json | jq .ok'],
  flags: TARGET_FLAGS,
  async one(on, { args }) {
    const { id, name } = await on.equipment(args.equipment)
    const { report, equipment } = await onceOpen(on, id)
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

/** The tap and its equipment. Where the tap is being opened, as right after `connect`, once it is open, or is not in time. */
async function onceOpen(
  on: GatewayCommand,
  id: string,
): Promise<{ readonly report: TapReport; readonly equipment: Equipment }> {
  const end = on.clock.now() + OPENING_MS
  for (let looks = 0; ; looks++) {
    const report = await on.call(endpoints.getTap, { params: { id } })
    const equipment = await on.call(endpoints.getEquipment, { params: { id } })
    if (!isBeingOpened({ equipment, report }) || on.clock.now() >= end) return { report, equipment }
    if (looks === 0) on.note('The process that holds the link is being started.')
    await delay(on.clock, LOOK_MS)
  }
}
