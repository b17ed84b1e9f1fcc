import { Flags } from '@oclif/core'
import { settledAtOnce } from '../../src/cli/equipment/calls-at-once.js'
import { type FabFile, parseFabFile } from '../../src/cli/equipment/fab-file.js'
import {
  CHANGE_COLUMNS,
  changeRecord,
  changeRows,
  type FabChange,
  fabPlan,
  incomplete,
} from '../../src/cli/equipment/fab-plan.js'
import { SELECTOR_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { namesOf } from '../../src/cli/equipment/unreached.js'
import { Failure, wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { YES } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { readText } from '../../src/cli/input/standard-input.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { Problem } from '../../src/contract/errors.js'
import { parseSelector } from '../../src/contract/selector.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'

/** A change and, where the gateway refused it, why. */
interface Tried {
  readonly change: FabChange
  readonly problem?: Problem
}

export default class EquipmentApply extends GatewayCommand {
  static override summary = 'Register and change equipment as a file says, and print the difference.'
  static override description =
    'The file is YAML or JSON, as `equipment export` prints it; equipment is found by its name. A member that is left out keeps its value, or gets the default in new equipment; labels and item_formats are whole: those that the file does not have are removed. Equipment that is not in the file stays, unless --prune is given, which asks. New equipment is not connected; address, timers and the like of connected equipment cannot change. The exit code is the highest of all changes; nothing is removed if another change failed.'
  static override examples = [
    'secsctl equipment apply -f fab.yaml --dry-run',
    'secsctl equipment apply -f fab.yaml',
    "secsctl equipment apply -f fab.yaml --prune -l 'area=etch'",
  ]
  static override flags = {
    ...REASON_FLAG,
    file: Flags.string({
      char: 'f',
      required: true,
      helpValue: 'FILE',
      summary: 'The file; - is standard input.',
    }),
    selector: SELECTOR_FLAG,
    'dry-run': Flags.boolean({ summary: 'Print the difference, and change nothing.' }),
    prune: Flags.boolean({
      summary: 'Remove equipment that is not in the file; with -l only what it selects.',
    }),
    yes: YES,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EquipmentApply)
    const { prune } = flags
    const { label_selector } = selectorGiven(flags.selector)
    const name = flags.file === '-' ? 'standard input' : flags.file
    const file = parseFabFile(await readText(this.environment.stdin, flags.file, 'the file'), name)
    if (prune && file.entries.length === 0)
      throw wrongUsage(
        `${name} has no equipment: --prune would remove everything`,
        'secsctl equipment remove',
      )
    const selector = label_selector === undefined ? undefined : parseSelector(label_selector)
    const changes = fabPlan(file.entries, await this.allEquipment(), { selector, prune })
    const missing = incomplete(changes).map(
      (pointer) => `${file.wordOf(pointer)} is required: the equipment is new`,
    )
    if (missing.length > 0) throw wrongUsage(missing.join('\n'))
    const isJson = this.format === 'json'
    if (!isJson) await this.printList(changeRows(changes), CHANGE_COLUMNS, 'Nothing to change.')
    const removed = changes.filter(({ change }) => change === 'remove')
    if (flags['dry-run'] || changes.length === 0) {
      if (isJson) this.printJson(changes.map((change) => ({ ...changeRecord(change), applied: false })))
      else if (changes.length > 0) this.note(`Nothing was changed. ${summary(changes)} would be.`)
      return
    }
    if (removed.length > 0) {
      const names = namesOf(removed.map(({ equipment }) => ({ name: equipment })))
      await this.confirmed(`Remove ${removed.length} equipment not in ${name} (${names})?`, flags.yes)
    }
    await this.#apply(changes, file)
  }

  async #apply(changes: readonly FabChange[], file: FabFile): Promise<void> {
    const isRemoval = ({ change }: FabChange): boolean => change === 'remove'
    const first = await this.#try(changes.filter((change) => !isRemoval(change)))
    const isDone = first.failure === undefined && first.done.every(({ problem }) => problem === undefined)
    const second = await this.#try(isDone ? changes.filter(isRemoval) : [])
    const tried = [...first.done, ...second.done]
    const applied = new Set(tried.filter(({ problem }) => !problem).map(({ change }) => change))
    if (this.format === 'json')
      this.printJson(changes.map((change) => ({ ...changeRecord(change), applied: applied.has(change) })))
    const added = [...applied].filter(({ change }) => change === 'add').length
    this.note(`${applied.size} of ${changes.length} done: ${summary([...applied])}.`)
    if (added > 0) this.note('Equipment that was added is not connected: secsctl equipment connect')
    const failure = first.failure ?? second.failure
    if (failure !== undefined) throw failure
    const failed = tried.flatMap(({ change, problem }) => (problem ? [{ change, problem }] : []))
    if (failed.length > 0) throw failureOf(failed, file)
  }

  #try(changes: readonly FabChange[]) {
    return settledAtOnce(changes, async (change): Promise<Tried> => {
      try {
        await this.#send(change)
        return { change }
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem
        return { change, problem }
      }
    })
  }

  async #send(change: FabChange): Promise<void> {
    if (change.change === 'add') await this.call(endpoints.createEquipment, { body: change.body })
    else if (change.change === 'remove')
      await this.call(endpoints.deleteEquipment, { params: { id: change.id } })
    else await this.call(endpoints.updateEquipment, { params: { id: change.id }, body: change.body })
  }
}

/** Such as `2 added, 1 changed, 0 removed`. */
function summary(changes: readonly FabChange[]): string {
  const count = (kind: FabChange['change']): number => changes.filter(({ change }) => change === kind).length
  return `${count('add')} added, ${count('change')} changed, ${count('remove')} removed`
}

/** One failure with the reason of each, of the kind that has the highest exit code. */
function failureOf(
  failed: readonly { readonly change: FabChange; readonly problem: Problem }[],
  { wordOf }: FabFile,
): Failure {
  const lines = failed.flatMap(({ change, problem }) => {
    const { errors = [] } = problem.extra
    if (!('at' in change) || errors.length === 0) return [`${change.equipment}: ${problem.message}`]
    return errors.map(({ pointer, detail }) => `${wordOf(`/equipment/${change.at}${pointer}`)}: ${detail}`)
  })
  const kinds = failed.map(({ problem }) => problem.kind)
  const worst = kinds.reduce((one, other) => (EXIT_CODES[other] > EXIT_CODES[one] ? other : one))
  return new Failure(worst, lines.join('\n'))
}
