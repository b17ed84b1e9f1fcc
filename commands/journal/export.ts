import { once } from 'node:events'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { equipmentNamed } from '../../src/cli/equipment-name.js'
import { Failure } from '../../src/cli/failure.js'
import { DATA_FLAG, dataFolderGiven } from '../../src/cli/journal-folder.js'
import { rangeGiven } from '../../src/cli/list-flags.js'
import { EVENT_TYPES } from '../../src/contract/events.js'
import { type ExportQuery, equipmentStored, exportStored } from '../../src/daemon/stored-files.js'
import { shellWord } from '../../src/kit/shell-word.js'

export default class JournalExport extends BaseCommand {
  static override summary = 'Print the entries of the journal, one JSON object a line, oldest first.'
  static override description =
    'Works on the files of this machine, with the daemon running or not, and changes nothing. An entry is what is kept: of a message the header and the exact bytes of its body (base64). "key" is the id of the equipment. Ends with exit code 1 at the first damage, behind all that is before it.'
  static override examples = [
    '<%= config.bin %> journal export > journal.ndjson',
    '<%= config.bin %> journal export --since 1h --equipment etcher --type message',
    '<%= config.bin %> journal export --data /backup/secsctl --after 41 --before 50',
  ]
  static override flags = {
    data: DATA_FLAG,
    since: Flags.string({ helpValue: 'TIME', summary: 'Only from this time on, or from so long ago: 10m.' }),
    until: Flags.string({ helpValue: 'TIME', summary: 'Only before this time, or before so long ago.' }),
    after: Flags.integer({ min: 0, helpValue: 'ID', summary: 'Only behind the entry with this number.' }),
    before: Flags.integer({ min: 1, helpValue: 'ID', summary: 'Only before the entry with this number.' }),
    equipment: Flags.string({ helpValue: 'EQ', summary: 'Only of this equipment.' }),
    type: Flags.option({
      options: [...EVENT_TYPES, 'idempotency'] as const,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Only of this type. May be repeated.',
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(JournalExport)
    const folder = await dataFolderGiven(flags.data)
    const now = this.clock.date()
    const query: ExportQuery = {
      ...rangeGiven(flags, now),
      ...(flags.after !== undefined && { after: flags.after }),
      ...(flags.before !== undefined && { before: flags.before }),
      ...(flags.equipment !== undefined && { key: await keyOf(folder, flags.equipment) }),
      ...(flags.type && { kinds: flags.type.map((type) => ({ type })) }),
    }
    try {
      for await (const entry of exportStored(folder, query)) {
        const isTaken = process.stdout.write(`${JSON.stringify(entry)}\n`)
        if (!isTaken) await once(process.stdout, 'drain')
      }
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StoreDamaged') throw error
      const where = flags.data === undefined ? '' : ` --data ${shellWord(flags.data)}`
      throw new Failure('unexpected', error.message, `secsctl journal verify${where}`, error)
    }
  }
}

/** Entries outlive their equipment: an id that none has any more is taken as it stands. */
async function keyOf(folder: string, given: string): Promise<string> {
  const all = await equipmentStored(folder)
  return /^eq_./.test(given) && !all.some(({ id }) => id.startsWith(given))
    ? given
    : equipmentNamed(given, all).id
}
