import { once } from 'node:events'
import { exportJournal } from '../../client/journal.js'
import type { ErrorKind } from '../../contract/errors.js'
import { type Labels, matchesSelector, parseSelector } from '../../contract/selector.js'
import { JOURNAL_TYPES, type JournalExportQuery } from '../../contract/topics/journal.js'
import { type ExportQuery, equipmentStored, exportStored } from '../../daemon/stored-files.js'
import { argumentWord } from '../../kit/shell-word.js'
import { steeringEscaped } from '../../kit/steering.js'
import { outputFlag } from '../base-command.js'
import { databaseHere } from '../daemon/store-url.js'
import type { Named } from '../equipment/equipment-name.js'
import { equipmentMatching } from '../equipment/equipment-targets.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { Failure } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { choicesFlag, numberFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG, RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { verb } from '../verb.js'
import { DATA_ARGUMENT, DATA_FLAG, dataFolderGiven, dataGiven, journalElsewhere } from './journal-folder.js'

export const journalExport = verb(GatewayCommand, {
  summary: 'Print the entries of the journal, one JSON object a line, oldest first.',
  description:
    'Reads the files of the daemon on this machine, or of FOLDER, whether a daemon runs or not, and changes nothing. At the first damaged entry it ends with exit code 9, after it has printed all entries before. If the gateway is elsewhere (--url, --profile, or the current profile), or its records are in PostgreSQL, it asks the gateway: this needs the role admin, and continues after a lost connection. An entry is the stored record: for a message, the header and the exact bytes of its body (base64). "key" is the id of the equipment.',
  examples: [
    'secsctl journal export > journal.ndjson',
    'secsctl journal export --since 1h --equipment etcher --type message',
    'secsctl journal export --since yesterday --until today > yesterday.ndjson',
    'secsctl journal export -l area=etch --since 1d > etch.ndjson',
    'secsctl journal export --profile fab2 --since 1d > fab2.ndjson',
    'secsctl journal export /backup/secsctl --after 41 --before 50',
  ],
  args: { folder: DATA_ARGUMENT },
  flags: {
    data: DATA_FLAG,
    output: outputFlag(['json']),
    ...RANGE_FLAGS,
    after: numberFlag('Only after the entry with this number.', { min: 0, helpValue: 'ID' }),
    before: numberFlag('Only entries before this number.', { min: 1, helpValue: 'ID' }),
    equipment: EQUIPMENT_FLAG,
    selector: SELECTOR_FLAG,
    type: choicesFlag(JOURNAL_TYPES, 'Only of this type. May be repeated.'),
  },
  async run(on, { args, flags }) {
    const data = dataGiven(args.folder, flags.data)
    const { after, before, type } = flags
    const selected = selectorGiven(flags.selector)
    const range = {
      ...rangeGiven(flags, on.clock.date()),
      ...(after !== undefined && { after }),
      ...(before !== undefined && { before }),
    }
    const { session } = on
    const elsewhere = await journalElsewhere(session, data)
    if (elsewhere ?? (data === undefined ? await databaseHere(session) : undefined)) {
      const known = flags.equipment ? await on.allEquipment() : []
      const equipment_id = idsOf(flags.equipment, known)
      const narrowed = { ...(equipment_id && { equipment_id }), ...selected, ...(type && { type }) }
      return fromGateway(on, { ...range, ...narrowed })
    }
    const folder = await dataFolderGiven(on.folders, data)
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
      for await (const entry of exportStored(folder, query)) await line(on, JSON.stringify(entry))
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StoreDamaged') throw error
      const where = data === undefined ? '' : ` ${argumentWord(data)}`
      throw new Failure('damaged', error.message, `secsctl journal verify${where}`, error)
    }
  },
})

async function fromGateway(on: GatewayCommand, query: JournalExportQuery): Promise<void> {
  const { options } = await on.client()
  const persistence = { ...options, ...on.persistence(), clock: on.clock }
  let last: number | undefined
  try {
    for await (const { seq, text } of exportJournal(persistence, query, new AbortController().signal)) {
      await line(on, text)
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
async function line(on: GatewayCommand, json: string): Promise<void> {
  const { stdout } = on.environment
  if (!stdout.write(`${steeringEscaped(json)}\n`)) await once(stdout, 'drain')
}

/** Entries are kept longer than their equipment: an id of deleted equipment is used without a look-up. */
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
