import { once } from 'node:events'
import { Flags } from '@oclif/core'
import { outputFlag } from '../../src/cli/base-command.js'
import {
  DATA_ARGUMENT,
  DATA_FLAG,
  dataFolderGiven,
  dataGiven,
  journalElsewhere,
} from '../../src/cli/daemon/journal-folder.js'
import { databaseHere } from '../../src/cli/daemon/store-url.js'
import type { Named } from '../../src/cli/equipment/equipment-name.js'
import { equipmentMatching } from '../../src/cli/equipment/equipment-targets.js'
import { SELECTOR_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_FLAG, RANGE_FLAGS, rangeGiven } from '../../src/cli/input/list-flags.js'
import { exportJournal } from '../../src/client/journal.js'
import type { ErrorKind } from '../../src/contract/errors.js'
import { type Labels, matchesSelector, parseSelector } from '../../src/contract/selector.js'
import { JOURNAL_TYPES, type JournalExportQuery } from '../../src/contract/topics/journal.js'
import { type ExportQuery, equipmentStored, exportStored } from '../../src/daemon/stored-files.js'
import { argumentWord } from '../../src/kit/shell-word.js'
import { steeringEscaped } from '../../src/kit/steering.js'

export default class JournalExport extends GatewayCommand {
  static override summary = 'Print the entries of the journal, one JSON object a line, oldest first.'
  static override description =
    'For the daemon on this machine with a data folder, or a folder, it reads the files, with the daemon running or not, and changes nothing; it ends with exit code 9 at the first damage, after all entries before it. For a gateway elsewhere (--url, --profile, or the current profile), or with its records in PostgreSQL, it asks the gateway, which needs the role admin; after a loss of the network it continues with the next entry. An entry is the stored record: for a message the header and the exact bytes of its body (base64). "key" is the id of the equipment.'
  static override examples = [
    'secsctl journal export > journal.ndjson',
    'secsctl journal export --since 1h --equipment etcher --type message',
    'secsctl journal export -l area=etch --since 1d > etch.ndjson',
    'secsctl journal export --profile fab2 --since 1d > fab2.ndjson',
    'secsctl journal export /backup/secsctl --after 41 --before 50',
  ]
  static override args = { folder: DATA_ARGUMENT }
  static override flags = {
    data: DATA_FLAG,
    output: outputFlag(['json']),
    ...RANGE_FLAGS,
    after: Flags.integer({ min: 0, helpValue: 'ID', summary: 'Only after the entry with this number.' }),
    before: Flags.integer({ min: 1, helpValue: 'ID', summary: 'Only entries before this number.' }),
    equipment: EQUIPMENT_FLAG,
    selector: SELECTOR_FLAG,
    type: Flags.option({
      options: JOURNAL_TYPES,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Only of this type. May be repeated.',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JournalExport)
    const data = dataGiven(args.folder, flags.data)
    const { after, before, type } = flags
    const selected = selectorGiven(flags.selector)
    const range = {
      ...rangeGiven(flags, this.clock.date()),
      ...(after !== undefined && { after }),
      ...(before !== undefined && { before }),
    }
    const { session } = this
    const elsewhere = await journalElsewhere(session, data)
    if (elsewhere ?? (data === undefined ? await databaseHere(session) : undefined)) {
      const known = flags.equipment ? await this.allEquipment() : []
      const equipment_id = idsOf(flags.equipment, known)
      const narrowed = { ...(equipment_id && { equipment_id }), ...selected, ...(type && { type }) }
      return this.#fromGateway({ ...range, ...narrowed })
    }
    const folder = await dataFolderGiven(this.folders, data)
    const { label_selector } = selected
    const known = flags.equipment || label_selector !== undefined ? await equipmentStored(folder) : []
    const given = idsOf(flags.equipment, known)
    const keys = label_selector === undefined ? given : idsWith(label_selector, known, given)
    const query: ExportQuery = {
      ...range,
      ...(keys && { key: new Set(keys) }),
      ...(type && { kinds: type.map((one) => ({ type: one })) }),
    }
    try {
      for await (const entry of exportStored(folder, query)) await this.#line(JSON.stringify(entry))
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StoreDamaged') throw error
      const where = data === undefined ? '' : ` ${argumentWord(data)}`
      throw new Failure('damaged', error.message, `secsctl journal verify${where}`, error)
    }
  }

  async #fromGateway(query: JournalExportQuery): Promise<void> {
    const { options } = await this.client()
    const persistence = { ...options, ...this.persistence(), clock: this.clock }
    let last: number | undefined
    try {
      for await (const { seq, text } of exportJournal(persistence, query, new AbortController().signal)) {
        await this.#line(text)
        last = seq
      }
    } catch (error) {
      if (last === undefined || !(error instanceof Error) || !('kind' in error)) throw error
      const detail = `${error.message} The export was cut after entry ${last}.`
      const hint = `secsctl journal export --after ${last}, with the other flags as before`
      throw new Failure(error.kind as ErrorKind, detail, hint, error)
    }
  }

  /** Resolves when there is room for more. */
  async #line(json: string): Promise<void> {
    const { stdout } = this.environment
    if (!stdout.write(`${steeringEscaped(json)}\n`)) await once(stdout, 'drain')
  }
}

/** Entries outlive their equipment: an id that none has any more is taken as it stands. */
const idsOf = (given: readonly string[] | undefined, all: readonly Named[]): string[] | undefined =>
  given?.flatMap((one) =>
    /^eq_./.test(one) && !all.some(({ id }) => id.startsWith(one))
      ? one
      : equipmentMatching([one], all).map(({ id }) => id),
  )

/** The ids of equipment with these labels, of `given` alone where that is there. */
function idsWith(
  selector: string,
  all: readonly (Named & { readonly labels?: Labels })[],
  given: readonly string[] | undefined,
): string[] {
  const required = parseSelector(selector)
  const matching = all.filter(({ labels = {} }) => matchesSelector(required, labels)).map(({ id }) => id)
  return matching.filter((id) => given === undefined || given.includes(id))
}
