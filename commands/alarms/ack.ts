import { Flags } from '@oclif/core'
import { alarmsText, callsFor, summaryOf } from '../../src/cli/alarms/acknowledgement.js'
import { ALARM_FLAGS, type AlarmsGiven, ageGiven, alarmsGiven } from '../../src/cli/alarms/alarm-flags.js'
import { alarmColumns } from '../../src/cli/alarms/alarm-output.js'
import { settledAtOnce } from '../../src/cli/equipment/calls-at-once.js'
import { SELECTOR_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { optional, YES } from '../../src/cli/input/arguments.js'
import { EQUIPMENT_FLAG, type ListGiven, RANGE_FLAGS, rangeGiven } from '../../src/cli/input/list-flags.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Page } from '../../src/contract/schema.js'
import type { Alarm } from '../../src/contract/topics/alarms.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'
import { defined } from '../../src/kit/defined.js'

/** Flags that select alarms. */
const NARROWING = { equipment: EQUIPMENT_FLAG, selector: SELECTOR_FLAG, ...RANGE_FLAGS, ...ALARM_FLAGS }

export default class AlarmsAck extends ListCommand {
  static override summary = 'Acknowledge alarms.'
  static override description =
    'By id, or all that are not acknowledged and that the flags select, after a question. What is acknowledged is fixed before the question: no alarm that is set later.'
  static override strict = false
  static override examples = [
    'secsctl alarms ack 42',
    'secsctl alarms ack 42 57 --comment "pump changed"',
    "secsctl alarms ack -l area=etch --text 'pump*' --older-than 10m",
    "secsctl alarms ack --equipment 'etch-*' --alid 4000-4010 --yes",
  ]
  static override args = { id: optional('Ids, as `alarms list` prints them.') }
  static override flags = {
    ...REASON_FLAG,
    comment: Flags.string({ char: 'm', helpValue: 'TEXT', summary: 'Why, or what was done.' }),
    ...NARROWING,
    all: Flags.boolean({ summary: 'All alarms that nobody has acknowledged.' }),
    yes: YES,
    'dry-run': Flags.boolean({ summary: 'List the alarms that are meant, and do nothing.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(AlarmsAck)
    const ids = argv.map(String)
    const given: Readonly<Record<string, unknown>> = flags
    const isNarrowed = Object.keys(NARROWING).some((name) => given[name] !== undefined)
    const ways = [ids.length > 0, flags.all, isNarrowed].filter(Boolean).length
    if (ways === 0) throw wrongUsage('name alarms by id, select them with flags such as --text, or add --all')
    if (ways > 1) throw wrongUsage('ids, --all, and flags that select alarms do not go together')
    if (ids.length > 0 && flags['dry-run']) throw wrongUsage('--dry-run takes no ids')
    if (new Set(ids).size < ids.length) throw wrongUsage('an id is given twice')
    const body = defined({ comment: flags.comment })
    const client = await this.client()
    if (ids.length > 0) {
      const { done, failure } = await settledAtOnce(ids, (id) =>
        client.call(endpoints.acknowledgeAlarm, { params: { id }, body }),
      )
      if (done.length > 0) await this.#print(done)
      if (failure !== undefined) throw failure
      return
    }
    const found = await this.#selected(flags)
    if (found.length === 0 || flags['dry-run']) {
      await this.#print(found)
      if (found.length > 0) this.note(`${alarmsText(found)}; nothing was done.`)
      return
    }
    await this.confirmed(`Acknowledge ${alarmsText(found)}?`, flags.yes)
    const { done, failure } = await settledAtOnce(callsFor(found), async (alarms) => {
      const ids = alarms.map(({ id }) => id)
      return (await client.call(endpoints.acknowledgeAlarms, { body: { ids, ...body } })).items
    })
    const results = done.flat()
    const shown = results.flatMap(({ alarm, result }) => (alarm ? [{ ...alarm, result }] : []))
    await this.#print(shown)
    this.note(summaryOf(found, results))
    if (failure !== undefined) throw failure
    if (shown.length < results.length) this.environment.exitCode = EXIT_CODES.missing
  }

  /** The alarms that are not acknowledged, as the flags select them. */
  async #selected(flags: AlarmsGiven & ListGiven): Promise<readonly Alarm[]> {
    const range = rangeGiven(ageGiven(flags, this.clock.date()), this.clock.date())
    const equipment_id = await this.equipmentIds(flags.equipment)
    const query = {
      ...range,
      ...selectorGiven(flags.selector),
      ...alarmsGiven(flags),
      ...defined({ equipment_id }),
      acknowledged: false,
      limit: 1000,
    }
    const found: Alarm[] = []
    let cursor: string | null = null
    do {
      const page: Page<Alarm> = await this.call(endpoints.listAlarms, {
        query: { ...query, ...(cursor !== null && { cursor }) },
      })
      for (const alarm of page.items) found.push(alarm)
      cursor = page.next_cursor
    } while (cursor !== null)
    return found
  }

  async #print(alarms: readonly Alarm[]): Promise<void> {
    await this.printList(alarms, alarmColumns(await this.equipmentNames(), this.formatTime), 'No alarms.')
  }
}
