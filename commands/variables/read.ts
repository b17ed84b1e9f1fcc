import { Flags } from '@oclif/core'
import { outputFlag } from '../../src/cli/base-command.js'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { repeatedly, watchInterval } from '../../src/cli/input/repetition.js'
import { ASKING_FLAGS, timeoutGiven } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { missingValues, VALUE_COLUMNS } from '../../src/cli/output/value-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { NamedValue } from '../../src/contract/values.js'
import { argumentWord } from '../../src/kit/shell-word.js'

interface Read {
  readonly at: string
  readonly items: readonly NamedValue[]
}

export default class VariablesRead extends EquipmentCommand {
  static override summary = 'Read status variables, all or those that are named (S1F3).'
  static override description =
    'Exit code 3 when the equipment does not have one of them: of a name nothing is read, of an id the others are printed. With --watch and --json, one object a line for each time; of several, for each equipment.'
  static override strict = false
  static override usage = 'variables read EQUIPMENT [VARIABLE...]'
  static override examples = [
    'secsctl variables read etcher',
    'secsctl variables read etcher ChamberPressure 1011',
    "secsctl variables read 'etch-*' ChamberPressure",
    'secsctl variables read -l area=etch,bay!=3 ChamberPressure',
    'secsctl variables read etcher RFPower --watch 1s --count 60',
    'secsctl variables read etcher RFPower --watch 1s -o csv > rf.csv',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    variable: optional('Ids or names; all when left out.'),
  }
  static override flags = {
    ...ASKING_FLAGS,
    ...TARGET_FLAGS,
    output: outputFlag(['table', 'wide', 'tsv', 'csv', 'json']),
    watch: Flags.string({ char: 'w', helpValue: 'DURATION', summary: 'Read again after each such time.' }),
    count: Flags.integer({
      char: 'n',
      min: 1,
      helpValue: 'N',
      dependsOn: ['watch'],
      summary: 'End after so many.',
    }),
  }

  protected override readonly words = { '/id': 'VARIABLE' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(VariablesRead)
    const given = argv.slice(1).map(String)
    const watch = flags.watch === undefined ? undefined : watchInterval(flags.watch)
    const { id, name } = await this.equipment(args.equipment)
    const client = await this.client()
    const query = { ...timeoutGiven(flags.timeout), ...(given.length > 0 && { id: given }) }
    const read = async (): Promise<Read> => {
      const { items } = await client.call(endpoints.readVariables, { params: { id }, query })
      return { at: this.clock.date().toISOString(), items }
    }
    if (watch !== undefined) return this.#watch(read, watch, flags.count ?? Number.POSITIVE_INFINITY)
    const { items } = await read()
    await this.printList(items, VALUE_COLUMNS, 'No status variables.')
    const missing = missingValues(name, 'status variable', items)
    if (missing !== undefined)
      throw new Failure('missing', missing, `secsctl variables list ${argumentWord(name)}`)
  }

  async #watch(read: () => Promise<Read>, every: number, count: number): Promise<void> {
    const signal = this.environment.interruption.hold()
    await repeatedly(this.clock, every, count, signal, async (done) => {
      const { at, items } = await read()
      if (this.format === 'json') this.printLine({ at, items })
      else if (done > 0) await this.printFurther(items, [this.#at(at), ...VALUE_COLUMNS])
      else await this.printList(items, [this.#at(at), ...VALUE_COLUMNS], 'No status variables.')
    })
  }

  #at(at: string): Column<NamedValue> {
    return { title: 'AT', text: () => this.formatTime(at) }
  }
}
